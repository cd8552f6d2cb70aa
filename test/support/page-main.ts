/**
 * What the page of the browser test runs: the browser-safe doors against servers of another origin. It reads what to try from
 * its own address, and reports to the server that it came from.
 */
/// <reference lib="dom" />
import { connect, http, PilotError, resultToText } from '../../src/index.ts'
import type { Era } from '../../src/index.ts'

export interface PageReport {
  readonly revision?: string
  readonly tools?: readonly string[]
  readonly text?: string
  /** Progress that came on the stream of the call, before its result. */
  readonly progress?: readonly number[]
  /** The tool that the server was given while the page listened for changes. */
  readonly changed?: boolean
  readonly error?: { readonly code: string; readonly message: string }
}

const query = new URLSearchParams(location.search)
const url = query.get('url') ?? ''
const era = query.get('era') as Exclude<Era, never> | null // the test writes one of the two words
const token = query.get('token')

async function visit(): Promise<PageReport> {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` }
  const client = await connect(http(url, { headers }), {
    name: 'page',
    ...(era === null ? {} : { era }),
  })
  try {
    const tools = await client.listTools()
    const progress: number[] = []
    const result = await client.callTool(
      'count',
      { to: 3 },
      { onProgress: ({ progress: value }) => progress.push(value) },
    )
    const stop = new AbortController()
    const changes = client.changes({ tools: true }, { signal: stop.signal })
    const first = changes[Symbol.asyncIterator]().next()
    await client.callTool('grow', {})
    const changed = (await first).done !== true
    stop.abort()
    return {
      revision: client.server.revision,
      tools: tools.map(({ name }) => name),
      text: resultToText(result),
      progress,
      changed,
    }
  } finally {
    await client.close()
  }
}

async function report(): Promise<PageReport> {
  try {
    return await visit()
  } catch (error) {
    const code = error instanceof PilotError ? error.code : 'other'
    return { error: { code, message: error instanceof Error ? error.message : String(error) } }
  }
}

const body = JSON.stringify(await report())
await fetch('/report', { method: 'POST', body })
