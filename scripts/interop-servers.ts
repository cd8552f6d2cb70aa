/**
 * Our client with servers of others: every step of the matrix over one transport in one revision. A step that the server
 * has nothing for is absent; one that takes too long has failed, and the next is tried all the same.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describeError, TransportError } from '../src/base/errors.ts'
import type { JsonObject } from '../src/base/json.ts'
import type { Client } from '../src/client/client.ts'
import { connect } from '../src/client/connect.ts'
import type { Answers, ClientOptions } from '../src/client/options.ts'
import type { Transport } from '../src/jsonrpc/link.ts'
import { resultToText } from '../src/tools/content.ts'
import { http, sse } from '../src/transport/node/http-client.ts'
import { stdio } from '../src/transport/node/stdio-client.ts'
import type { Expected, Face, ServerWay } from './interop-peers.ts'
import {
  canAsk,
  settle,
  STEPS,
  type Outcome,
  type Row,
  type RowPlan,
  type Step,
  type Way,
} from './interop-rows.ts'
import { openWire } from './interop-wire.ts'

const START_MS = 30_000
const STEP_MS = 15_000

const ANSWERS: Answers = {
  elicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
  sampling: () =>
    Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'so be it' }, model: 'm' }),
}

/** Where a server of others is met. */
export type Address =
  | {
      readonly way: 'stdio'
      readonly command: readonly [string, ...string[]]
      readonly cwd: string
    }
  | { readonly way: Exclude<Way, 'stdio'>; readonly url: string }

/** One row with a server of others; its wire goes to the folder. Never rejects. */
export async function meetServer(
  plan: RowPlan,
  face: Face,
  { address, folder }: { readonly address: Address; readonly folder: string },
): Promise<Row> {
  const { judge, sink } = openWire(plan, folder)
  const began = performance.now()
  const steps = new Map<Step, Outcome>()
  const notes: string[] = []
  const options: ClientOptions = {
    wire(event) {
      sink(event)
      if (event.type === 'note') notes.push(event.note.kind)
    },
    ...(plan.wanted === 'auto' ? {} : { revisions: [plan.wanted] }),
    answers: ANSWERS,
    timeouts: { startMs: START_MS, idleMs: STEP_MS },
  }
  let revision: string | undefined
  try {
    const client = await connect(transportOf(address), options)
    revision = client.server.revision
    steps.set('connect', settle(plan, 'connect', plan.spoken ? undefined : `agreed on ${revision}`))
    for (const [step, run] of work(client, face)) {
      const missing = step === 'ask' && !canAsk(revision)
      steps.set(step, missing ? { kind: 'absent' } : settle(plan, step, await reasonOf(run)))
    }
    const why = await reasonOf(() => client.close())
    const forced = why ?? (notes.includes('stop') ? 'its process had to be stopped' : undefined)
    steps.set('close', settle(plan, 'close', forced))
  } catch (error) {
    const refused = !plan.spoken
    const stderr = error instanceof TransportError ? ` ${(error.stderr ?? '').slice(-200)}` : ''
    if (!refused) steps.set('connect', settle(plan, 'connect', `${describeError(error)}${stderr}`))
  }
  for (const step of STEPS) if (!steps.has(step)) steps.set(step, { kind: 'absent' })
  const { ours, theirs, judged } = judge
  const ms = Math.round(performance.now() - began)
  return { ...plan, revision, steps, ours, theirs, judged, ms }
}

function transportOf(address: Address): Transport {
  if (address.way === 'stdio') {
    const [command, ...args] = address.command
    return stdio({ command, args, cwd: address.cwd })
  }
  return address.way === 'sse' ? sse(address.url) : http(address.url, { transport: 'http' })
}

/** Why a step failed, or nothing when it did not. */
async function reasonOf(run: () => Promise<void>): Promise<string | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    return describeError(error)
  }
}

/** What there is to do with a server of this face, in order. */
function work(client: Client, face: Face): ReadonlyMap<Step, () => Promise<void>> {
  const { call, fail, progress, resource, prompt, ask, sample, cancel } = face
  const steps = new Map<Step, () => Promise<void>>()
  steps.set('list', async () => {
    const names = (await client.listTools()).map(({ name }) => name)
    if (!names.includes(call.name)) throw new Error(`no ${call.name} in ${names.join(', ')}`)
  })
  steps.set('call', () => callFor(client, call))
  if (fail !== undefined) steps.set('fail', () => callFor(client, fail, true))
  if (progress !== undefined) steps.set('progress', () => hearProgress(client, progress))
  if (resource !== undefined) steps.set('resources', () => read(client, resource))
  if (prompt !== undefined) steps.set('prompts', () => getPrompt(client, prompt))
  if (ask !== undefined) steps.set('ask', () => callFor(client, ask))
  if (sample !== undefined) steps.set('sample', () => callFor(client, sample))
  if (cancel !== undefined) steps.set('cancel', () => giveUp(client, cancel))
  return steps
}

async function callFor(
  client: Client,
  { name, args, text }: Expected,
  fails = false,
): Promise<void> {
  const result = await client.callTool(name, args)
  const given = resultToText(result)
  if ((result.isError === true) !== fails)
    throw new Error(`${name}: isError is ${!fails}: ${given}`)
  if (!given.includes(text)) throw new Error(`${name} gave ${JSON.stringify(given.slice(0, 200))}`)
}

async function hearProgress(
  client: Client,
  { name, args, text, count }: Expected & { readonly count: number },
): Promise<void> {
  const heard: number[] = []
  const result = await client.callTool(name, args, {
    onProgress: ({ progress }) => void heard.push(progress),
  })
  const given = resultToText(result)
  if (given !== text) throw new Error(`${name} gave ${JSON.stringify(given.slice(0, 200))}`)
  if (heard.length !== count) throw new Error(`heard ${heard.length} of ${count} steps`)
}

async function read(
  client: Client,
  { uri, text }: { readonly uri: string; readonly text: string },
): Promise<void> {
  const uris = (await client.listResources()).map((one) => one.uri)
  if (!uris.includes(uri)) throw new Error(`no ${uri} in ${uris.join(', ')}`)
  const [first] = (await client.readResource(uri)).contents
  const given = first !== undefined && 'text' in first ? first.text : undefined
  if (given !== text) throw new Error(`${uri} is ${JSON.stringify(given)}`)
}

async function getPrompt(client: Client, { name, args, text }: Expected): Promise<void> {
  const names = (await client.listPrompts()).map((one) => one.name)
  if (!names.includes(name)) throw new Error(`no ${name} in ${names.join(', ')}`)
  const { messages } = await client.getPrompt(name, textsOf(args))
  const given = JSON.stringify(messages)
  if (!given.includes(text)) throw new Error(`${name} gave ${given.slice(0, 200)}`)
}

/** Arguments of prompts are texts. */
function textsOf(args: JsonObject = {}): Readonly<Record<string, string>> {
  const texts = Object.entries(args).filter((entry) => typeof entry[1] === 'string')
  return Object.fromEntries(texts) as Record<string, string> // no others are left
}

/** Cancels a call that goes on for ever and waits until the server says that it heard. */
async function giveUp(
  client: Client,
  { name, told }: { readonly name: string; readonly told: Expected },
): Promise<void> {
  const gaveUp = new AbortController()
  const call = client.callTool(name, {}, { signal: gaveUp.signal }).then(
    () => 'a result',
    () => 'given up',
  )
  // The server must be at it; not every one can say so.
  await pause(300)
  gaveUp.abort('changed my mind')
  if ((await call) !== 'given up') throw new Error('a call that was given up gave a result')
  const until = performance.now() + STEP_MS
  for (;;) {
    const answer = resultToText(await client.callTool(told.name, told.args))
    if (told.text === '' ? answer !== '' : answer === told.text) return
    if (performance.now() > until) throw new Error('the server did not hear of it')
    await pause(100)
  }
}

/** The address for one revision: some have the newest era elsewhere. */
export function urlFor({ path = '', modernPath }: ServerWay, base: string, plan: RowPlan): string {
  const modern = plan.wanted === 'auto' || plan.wanted >= '2026'
  return new URL(modern ? (modernPath ?? path) : path, base).href
}

/** A page on this machine for peers that fetch some, and nothing else at its address. */
export async function servePage(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/plain' })
    response.end(url === '/' ? 'plain words' : 'nothing')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
