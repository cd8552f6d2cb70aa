/**
 * A stand-in for a model's provider that answers with recorded replies, in their order, and only to the requests that were recorded:
 * one that differs in anything that has a meaning is answered with 500 and the difference.
 *
 * No meaning has the spelling of JSON, in the body and in the arguments of a call, the `index` of a call in a request, and whether
 * a default is written out.
 */
import type { ServerResponse } from 'node:http'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import { chunksOf, type Chunking } from './awkward-chunks.ts'
import { localHttp, type LocalHttp, type WholeRequest } from './local-http.ts'
import type { RecordedExchange } from './recorded-exchanges.ts'

export interface ReplayOptions {
  /** How replies are cut. Default `whole`. */
  readonly chunking?: Chunking
  /** Tools by their recorded names and what they are called now: the stand-in speaks the new names and compares the recorded ones. */
  readonly names?: ReadonlyMap<string, string>
}

export interface ReplayProvider extends LocalHttp {
  /** All that came. */
  readonly requests: readonly WholeRequest[]
  /** What was not as recorded, one sentence each. */
  readonly differences: readonly string[]
  /** Recorded replies that were not asked for yet. */
  readonly left: number
}

export async function replayProvider(
  exchanges: readonly RecordedExchange[],
  options: ReplayOptions = {},
): Promise<ReplayProvider> {
  const { chunking = 'whole', names = new Map<string, string>() } = options
  const requests: WholeRequest[] = []
  const differences: string[] = []
  const server = await localHttp((request, response) => {
    const recorded = exchanges[requests.length]
    requests.push(request)
    const found =
      recorded === undefined
        ? [`There is no recorded exchange ${requests.length}.`]
        : exchangeDifferences(recorded, request, names)
    differences.push(...found)
    if (recorded === undefined || found.length > 0)
      return refuse(response, `not as recorded:\n${found.join('\n')}`)
    response.writeHead(recorded.status, { ...recorded.replyHeaders })
    const reply = renamed(recorded.reply, names)
    for (const chunk of chunksOf(Buffer.from(reply), chunking)) response.write(chunk)
    response.end()
  })
  return {
    ...server,
    requests,
    differences,
    get left() {
      return Math.max(0, exchanges.length - requests.length)
    },
  }
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(500, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'replay' } }))
}

/** What of a request is not as it was recorded; empty where all is. */
function exchangeDifferences(
  recorded: RecordedExchange,
  request: WholeRequest,
  names: ReadonlyMap<string, string> = new Map(),
): readonly string[] {
  const found: string[] = []
  if (request.method !== recorded.method) found.push(`method: ${request.method}`)
  if (request.path !== recorded.path) found.push(`path: ${request.path}`)
  const type = request.headers['content-type'] ?? ''
  if (recorded.body !== undefined && !type.startsWith('application/json'))
    found.push(`content-type: ${type}`)
  // Nobody may use an old name any more.
  const back = new Map([...names.keys()].map((old) => [old, `${old}, not renamed`]))
  for (const [old, now] of names) back.set(now, old)
  const [was, is] = [meaning(recorded.body, new Map()), meaning(request.body, back)]
  return [...found, ...differences(was, is, 'body')].slice(0, 20)
}

/** What a request means that says nothing of these. */
const DEFAULTS: JsonObject = { stream: false, thinking: { type: 'enabled' } }

/** A body as values, with what has no meaning taken out. */
function meaning(
  body: string | undefined,
  names: ReadonlyMap<string, string>,
): JsonValue | undefined {
  if (body === undefined || body === '') return undefined
  const value: JsonValue = JSON.parse(body)
  if (!isJsonObject(value)) return value
  const { messages, tools, tool_choice: choice, ...rest } = value
  return {
    ...DEFAULTS,
    ...rest,
    messages: listOf(messages, (message) => ({
      ...message,
      tool_calls: listOf(message['tool_calls'], ({ index: _index, ...call }) => ({
        ...call,
        function: namedCall(call['function'], names),
      })),
    })),
    tools: listOf(tools, (tool) => ({ ...tool, function: named(tool['function'], names) })),
    tool_choice: isJsonObject(choice)
      ? { ...choice, function: named(choice['function'], names) }
      : (choice ?? 'auto'),
  }
}

function namedCall(
  value: JsonValue | undefined,
  names: ReadonlyMap<string, string>,
): JsonValue | undefined {
  const called = named(value, names)
  if (!isJsonObject(called) || typeof called['arguments'] !== 'string') return called
  try {
    return { ...called, arguments: JSON.parse(called['arguments']) as JsonValue } // JSON.parse gives JSON
  } catch {
    return called // compared as the text that it is
  }
}

function named(
  value: JsonValue | undefined,
  names: ReadonlyMap<string, string>,
): JsonValue | undefined {
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return value
  return { ...value, name: names.get(value['name']) ?? value['name'] }
}

function listOf(
  value: JsonValue | undefined,
  change: (item: JsonObject) => JsonObject,
): JsonValue | undefined {
  if (!Array.isArray(value)) return value
  return value.map((item) => (isJsonObject(item) ? change(item) : item))
}

/** Where two values differ, by path. Members that are undefined are absent. */
function differences(
  was: JsonValue | undefined,
  is: JsonValue | undefined,
  path: string,
): readonly string[] {
  if (isJsonObject(was) && isJsonObject(is)) {
    const keys = new Set([...Object.keys(was), ...Object.keys(is)])
    return [...keys].flatMap((key) => differences(was[key], is[key], `${path}.${key}`))
  }
  if (Array.isArray(was) && Array.isArray(is)) {
    const longest = Math.max(was.length, is.length)
    return Array.from({ length: longest }, (_, at) => at).flatMap((at) =>
      differences(was[at], is[at], `${path}[${at}]`),
    )
  }
  const [before, now] = [was, is].map((value) => JSON.stringify(value) ?? 'absent')
  return before === now
    ? []
    : [`${path}: recorded ${before?.slice(0, 300)}, sent ${now?.slice(0, 300)}`]
}

/** A reply with tools called by their new names. */
function renamed(reply: string, names: ReadonlyMap<string, string>): string {
  let text = reply
  for (const [old, now] of names)
    text = text.replaceAll(`"name":${JSON.stringify(old)}`, `"name":${JSON.stringify(now)}`)
  return text
}
