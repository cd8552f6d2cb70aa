/**
 * One published server against what is known of it: the revision it agrees to, how it takes the era probe, how
 * much it lists, what its tools give, and how it ends. Says differences, decides nothing.
 */
import { isDeepStrictEqual } from 'node:util'
import { connect } from '../src/client/connect.ts'
import type { Client } from '../src/client/client.ts'
import { describeError, RpcError, TransportError } from '../src/base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../src/base/json.ts'
import { readingsOf, type WireEvent } from '../src/jsonrpc/wire.ts'
import type { CallToolResult } from '../src/protocol/types/tools.ts'
import { systemProcesses } from '../src/transport/node/process-group.ts'
import { stdio } from '../src/transport/node/stdio-client.ts'

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
  readonly expect: {
    readonly protocolVersion: string
    readonly discover: { readonly code?: number; readonly result?: boolean }
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

const ERAS = ['legacy', 'auto'] as const
const START_MS = 20_000

/** Every difference, in words; none means that all is as expected. */
export async function checkStranger(stranger: Stranger, place: Place): Promise<readonly string[]> {
  const problems: string[] = []
  for (const era of ERAS) {
    const say = (what: string): void => void problems.push(`[${era}] ${what}`)
    const events: WireEvent[] = []
    try {
      const client = await open(stranger, place, { era, wire: (event) => void events.push(event) })
      try {
        if (era === 'legacy') checkRevision(stranger, client, say)
        else checkProbe(stranger, events, say)
        await checkLists(stranger, client, say)
        for (const call of stranger.expect.calls) await checkCall(call, client, { place, say })
      } finally {
        await client.close()
      }
      checkEnd(stranger, events, say)
    } catch (error) {
      const stderr = error instanceof TransportError ? ` ${(error.stderr ?? '').slice(-300)}` : ''
      say(`failed: ${describeError(error)}${stderr}`)
    }
  }
  return problems
}

type Say = (what: string) => void

function open(
  stranger: Stranger,
  { command, scratch }: Place,
  { era, wire }: { era: 'legacy' | 'auto'; wire: (event: WireEvent) => void },
): Promise<Client> {
  const own = fill(stranger.env, scratch)
  const transport = stdio({
    command,
    args: stranger.args.map((word) => word.replaceAll('${DIR}', scratch)),
    cwd: scratch,
    env: { ...NOTHING, HOME: scratch, TMPDIR: scratch, ...(own as Record<string, string>) }, // texts stay texts
  })
  return connect(transport, { era, wire, timeouts: { startMs: START_MS, idleMs: START_MS } })
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
    say(`agreed on ${revision}, expected ${expect.protocolVersion}`)
}

/** What came as the answer to the first request, which was the probe. */
function checkProbe({ expect }: Stranger, events: readonly WireEvent[], say: Say): void {
  const first = events
    .flatMap((event) =>
      event.type === 'message' && event.direction === 'in' ? readingsOf(event) : [],
    )
    .find((reading) => reading.kind === 'result' || reading.kind === 'error')
  const told = first?.kind === 'error' ? { code: first.message.error.code } : { result: true }
  if (!isDeepStrictEqual(told, expect.discover))
    say(
      `answered the probe with ${JSON.stringify(told)}, expected ${JSON.stringify(expect.discover)}`,
    )
}

async function checkLists({ expect }: Stranger, client: Client, say: Say): Promise<void> {
  const tools = await client.listTools()
  if (tools.length < expect.tools_min) say(`${tools.length} tools, expected ${expect.tools_min}`)
  const lists = [
    ['resources/list', 'resources', expect.resources_min],
    ['resources/templates/list', 'resourceTemplates', expect.templates_min],
    ['prompts/list', 'prompts', expect.prompts_min],
  ] as const
  for (const [method, member, least] of lists) {
    if (least === undefined) continue
    const count = await countAll(client, method, member)
    if (count < least) say(`${count} entries of ${method}, expected ${least}`)
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
  let result: CallToolResult
  try {
    result = await client.callTool(name, fill(args, place.scratch) as JsonObject) // an object stays one
  } catch (error) {
    const code = error instanceof RpcError ? error.rpcCode : undefined
    const message = describeError(error)
    const fits = expect.match === undefined || new RegExp(expect.match).test(message)
    if (code === undefined || code !== expect.error || !fits) say(`${name} failed: ${message}`)
    return
  }
  const text = result.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('')
  const shown = JSON.stringify(text.slice(0, 200))
  if (expect.error !== undefined)
    return say(`${name} gave ${shown}, expected error ${expect.error}`)
  if ((result.isError === true) !== (expect.isError === true))
    say(`${name} has isError ${result.isError === true}: ${shown}`)
  if (expect.text !== undefined && text !== expect.text) say(`${name} gave ${shown}`)
  if (expect.match !== undefined && !new RegExp(expect.match).test(text))
    say(`${name} gave ${shown}`)
  for (const [key, value] of Object.entries(expect.structured ?? {})) {
    const { structuredContent } = result
    const got = isJsonObject(structuredContent) ? structuredContent[key] : undefined
    if (!isDeepStrictEqual(got, value)) say(`${name} has ${key} ${JSON.stringify(got)}`)
  }
}

/** How it went when its input had ended, and that nobody of it is left. */
function checkEnd({ expect }: Stranger, events: readonly WireEvent[], say: Say): void {
  const notes = events.flatMap((event) => (event.type === 'note' ? [event.note] : []))
  const forced = notes.some(({ kind }) => kind === 'stop')
  const exit = notes.findLast(({ kind }) => kind === 'exit')?.data
  const ended = forced ? 'no exit within 2 s' : `exit ${JSON.stringify(exit?.['exitCode'])}`
  if (expect.stdin_end !== undefined && ended !== expect.stdin_end)
    say(`at the end of its input: ${ended}, expected ${expect.stdin_end}`)
  for (const { kind, data } of notes) {
    const pid = data?.['pid']
    if (kind === 'spawn' && typeof pid === 'number' && systemProcesses.isGroupAlive(pid))
      say(`processes of group ${pid} are left`)
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
