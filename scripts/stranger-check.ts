/**
 * One published server against what is known of it: the revision it agrees to, how it takes the era probe, how
 * much it lists, what its tools give, and how it ends, step by step. Says differences, decides nothing.
 */
import { isDeepStrictEqual } from 'node:util'
import { connect } from '../src/client/connect.ts'
import type { Client } from '../src/client/client.ts'
import { describeError, RpcError, TransportError } from '../src/base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../src/base/json.ts'
import { readingsOf, type WireEvent, type WireSink } from '../src/jsonrpc/wire.ts'
import { PROTOCOL_VERSION_KEY } from '../src/protocol/meta.ts'
import type { CallToolResult } from '../src/protocol/types/tools.ts'
import { http } from '../src/transport/node/http-client.ts'
import { systemProcesses } from '../src/transport/node/process-group.ts'
import { stdio } from '../src/transport/node/stdio-client.ts'
import type { Step } from './interop-rows.ts'

export interface StrangerCall {
  readonly name: string
  readonly args: JsonObject
  readonly expect: {
    readonly text?: string
    readonly match?: string
    readonly structured?: JsonObject
    readonly isError?: boolean
    readonly error?: number
  }
}

/** One entry of the list, as its readme describes it. */
export interface Stranger {
  readonly name: string
  readonly package: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  readonly transport: string
  /** Where it listens, unless it is reached over stdio. */
  readonly url?: string
  readonly expect: {
    readonly protocolVersion: string
    readonly discover: {
      readonly code?: number
      readonly result?: boolean
      /** The status, where it is reached over HTTP. */
      readonly http?: number
      readonly id?: null
    }
    readonly tools_min: number
    readonly resources_min?: number
    readonly templates_min?: number
    readonly prompts_min?: number
    readonly stdin_end?: string
    readonly calls: readonly StrangerCall[]
  }
}

export interface Place {
  /** Full path of the program. */
  readonly command: string
  /** A fresh folder that the server may do with as it likes. */
  readonly scratch: string
}

/** The eras in which each is met: by handshake, and by finding out. */
export const ERAS = ['legacy', 'auto'] as const
export type StrangerEra = (typeof ERAS)[number]

/** What was looked at in one era. */
export interface Finding {
  readonly era: StrangerEra
  readonly revision: string | undefined
  /** What was done, with what is wrong about it; nothing when it is as expected. */
  readonly steps: ReadonlyMap<Step, string | undefined>
}

const START_MS = 20_000

type Say = (step: Step, what?: string) => void

/** Every difference, in words and by step, in one era. `wire` hears what crosses. */
export async function checkStranger(
  stranger: Stranger,
  era: StrangerEra,
  place: Place & { readonly wire: WireSink },
): Promise<Finding> {
  const steps = new Map<Step, string | undefined>()
  const say: Say = (step, what) => {
    const told = steps.get(step)
    steps.set(step, told === undefined ? what : [told, what].filter(Boolean).join('; '))
  }
  const events: WireEvent[] = []
  const wire = (event: WireEvent): void => {
    events.push(event)
    place.wire(event)
  }
  let revision: string | undefined
  let step: Step = 'connect'
  try {
    const client = await open(stranger, place, { era, wire })
    revision = client.server.revision
    say('connect')
    try {
      if (era === 'legacy') checkRevision(stranger, client, say)
      else await checkProbe(stranger, events, say)
      step = 'list'
      await checkLists(stranger, client, say)
      step = 'call'
      for (const call of stranger.expect.calls) await checkCall(call, client, { place, say })
    } finally {
      await client.close()
    }
    step = 'close'
    say('close')
    checkEnd(stranger, events, say)
  } catch (error) {
    const stderr = error instanceof TransportError ? ` ${(error.stderr ?? '').slice(-300)}` : ''
    say(step, `failed: ${describeError(error)}${stderr}`)
  }
  return { era, revision, steps }
}

function open(
  stranger: Stranger,
  { command, scratch }: Place,
  { era, wire }: { era: StrangerEra; wire: WireSink },
): Promise<Client> {
  const options = { era, wire, timeouts: { startMs: START_MS, idleMs: START_MS } }
  if (stranger.url !== undefined) return connect(http(stranger.url), options)
  const transport = stdio({
    command,
    args: wordsFor(stranger, scratch),
    cwd: scratch,
    env: { ...NOTHING, ...environmentFor(stranger, scratch) },
  })
  return connect(transport, options)
}

/** The words of its command, with the scratch folder's place in them. */
export function wordsFor({ args }: Stranger, scratch: string): readonly string[] {
  return args.map((word) => word.replaceAll('${DIR}', scratch))
}

/** What it is given besides PATH. */
export function environmentFor({ env }: Stranger, scratch: string): Record<string, string> {
  const own = fill(env, scratch)
  return { HOME: scratch, TMPDIR: scratch, ...(own as Record<string, string>) } // texts stay texts
}

/** What a server is usually given besides PATH; these get nothing. */
const NOTHING: Readonly<Record<string, undefined>> = {
  LANG: undefined,
  LOGNAME: undefined,
  SHELL: undefined,
  TERM: undefined,
  USER: undefined,
}

function checkRevision({ expect }: Stranger, client: Client, say: Say): void {
  const { revision } = client.server
  if (revision !== expect.protocolVersion)
    say('connect', `agreed on ${revision}, expected ${expect.protocolVersion}`)
}

/** What came as the answer to the first request, which was the probe. */
async function checkProbe(
  { expect, url }: Stranger,
  events: readonly WireEvent[],
  say: Say,
): Promise<void> {
  const told = url === undefined ? answerIn(events) : await probe(url)
  if (isDeepStrictEqual(told, expect.discover)) return
  const [got, wanted] = [told, expect.discover].map((value) => JSON.stringify(value))
  say('connect', `answered the probe with ${got}, expected ${wanted}`)
}

function answerIn(events: readonly WireEvent[]): Stranger['expect']['discover'] {
  const first = events
    .flatMap((event) =>
      event.type === 'message' && event.direction === 'in' ? readingsOf(event) : [],
    )
    .find((reading) => reading.kind === 'result' || reading.kind === 'error')
  return first?.kind === 'error' ? { code: first.message.error.code } : { result: true }
}

/** The same question by hand, for over HTTP the status tells as much as the text. */
async function probe(url: string): Promise<JsonObject> {
  const revision = '2026-07-28'
  const meta = {
    [PROTOCOL_VERSION_KEY]: revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const method = 'server/discover'
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-method': method,
      'mcp-protocol-version': revision,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta } }),
  })
  const text = await answer.text()
  if (!text.startsWith('{')) return { http: answer.status }
  const { error, id = null } = JSON.parse(text) as JsonObject // it begins as one
  const code = isJsonObject(error) ? { code: error['code'] } : { result: true }
  return { http: answer.status, ...code, id }
}

async function checkLists({ expect }: Stranger, client: Client, say: Say): Promise<void> {
  const tools = await client.listTools()
  say('list')
  if (tools.length < expect.tools_min)
    say('list', `${tools.length} tools, expected ${expect.tools_min}`)
  const lists = [
    ['resources', 'resources/list', 'resources', expect.resources_min],
    ['resources', 'resources/templates/list', 'resourceTemplates', expect.templates_min],
    ['prompts', 'prompts/list', 'prompts', expect.prompts_min],
  ] as const
  for (const [step, method, member, least] of lists) {
    if (least === undefined) continue
    const count = await countAll(client, method, member)
    say(step, count < least ? `${count} entries of ${method}, expected ${least}` : undefined)
  }
}

async function countAll(client: Client, method: string, member: string): Promise<number> {
  let count = 0
  let params: JsonObject | undefined
  for (let page = 0; page < 100; page += 1) {
    const result = await client.request(method, params)
    const entries = result[member]
    count += Array.isArray(entries) ? entries.length : 0
    const cursor = result['nextCursor']
    if (typeof cursor !== 'string') break
    params = { cursor }
  }
  return count
}

async function checkCall(
  { name, args, expect }: StrangerCall,
  client: Client,
  { place, say }: { place: Place; say: Say },
): Promise<void> {
  const step = expect.isError === true || expect.error !== undefined ? 'fail' : 'call'
  let result: CallToolResult
  try {
    result = await client.callTool(name, fill(args, place.scratch) as JsonObject) // an object stays one
  } catch (error) {
    const code = error instanceof RpcError ? error.rpcCode : undefined
    const message = describeError(error)
    const fits = expect.match === undefined || new RegExp(expect.match).test(message)
    const wrong = code === undefined || code !== expect.error || !fits
    return say(step, wrong ? `${name} failed: ${message}` : undefined)
  }
  for (const what of differencesOf(result, expect)) say(step, `${name} ${what}`)
  say(step)
}

function differencesOf(
  { content, isError, structuredContent }: CallToolResult,
  expect: StrangerCall['expect'],
): readonly string[] {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  const shown = JSON.stringify(text.slice(0, 200))
  if (expect.error !== undefined) return [`gave ${shown}, expected error ${expect.error}`]
  const found: string[] = []
  if ((isError === true) !== (expect.isError === true))
    found.push(`has isError ${isError === true}: ${shown}`)
  const fits = expect.match === undefined || new RegExp(expect.match).test(text)
  if ((expect.text !== undefined && text !== expect.text) || !fits) found.push(`gave ${shown}`)
  for (const [key, value] of Object.entries(expect.structured ?? {})) {
    const got = isJsonObject(structuredContent) ? structuredContent[key] : undefined
    if (!isDeepStrictEqual(got, value)) found.push(`has ${key} ${JSON.stringify(got)}`)
  }
  return found
}

/** How it went when its input had ended, and that nobody of it is left. */
function checkEnd({ expect }: Stranger, events: readonly WireEvent[], say: Say): void {
  const notes = events.flatMap((event) => (event.type === 'note' ? [event.note] : []))
  const forced = notes.some(({ kind }) => kind === 'stop')
  const exit = notes.findLast(({ kind }) => kind === 'exit')?.data
  const ended = forced ? 'no exit within 2 s' : `exit ${JSON.stringify(exit?.['exitCode'])}`
  if (expect.stdin_end !== undefined && ended !== expect.stdin_end)
    say('close', `at the end of its input: ${ended}, expected ${expect.stdin_end}`)
  for (const { kind, data } of notes) {
    const pid = data?.['pid']
    if (kind === 'spawn' && typeof pid === 'number' && systemProcesses.isGroupAlive(pid))
      say('close', `processes of group ${pid} are left`)
  }
}

/** Every `${DIR}` in the texts of a value replaced. */
function fill(value: JsonValue, scratch: string): JsonValue {
  if (typeof value === 'string') return value.replaceAll('${DIR}', scratch)
  if (Array.isArray(value)) return value.map((one) => fill(one, scratch))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, one === undefined ? one : fill(one, scratch)]),
  )
}
