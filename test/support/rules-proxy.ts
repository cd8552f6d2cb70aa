/**
 * Stands between the product and a mock of a chat provider, and makes of it what DeepSeek is: requests that it refuses are refused,
 * and replies have its shape. Failures and cut streams of the mock go through as they come.
 */
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import { chunksOf, type Chunking } from './awkward-chunks.ts'
import { DeepSeekRules, type RuleOptions } from './deepseek-rules.ts'
import { shapedReply, StreamShape } from './deepseek-shape.ts'
import { itemsOf, saidTurn } from './deepseek-turn.ts'
import { localHttp, type LocalHttp, type WholeRequest } from './local-http.ts'

export interface RulesProxyOptions extends RuleOptions {
  /** Where the mock is, without a slash at its end. */
  readonly upstream: string
  /** How replies are cut. Default `whole`: as they come from the mock. */
  readonly chunking?: Chunking
}

export interface RulesProxy extends LocalHttp {
  readonly rules: DeepSeekRules
  /** The bodies of all requests. */
  readonly requests: readonly JsonObject[]
  /** The status and message of each refusal by the rules. */
  readonly refusals: readonly string[]
  /** The whole streams that were given out, in the shape in which they were. */
  readonly streams: readonly string[]
}

/** Signs of life before each reply. */
const KEEP_ALIVES = 2

export async function rulesProxy(options: RulesProxyOptions): Promise<RulesProxy> {
  const rules = new DeepSeekRules(options)
  const requests: JsonObject[] = []
  const refusals: string[] = []
  const streams: string[] = []
  /** Tokens of the longest prompt so far: what was asked once is in the cache. */
  const cache = { tokens: 0 }
  const server = await localHttp(async (request, response) => {
    const body = objectOf(request.body)
    requests.push(body)
    const refusal = rules.refusal(body, request.headers.authorization)
    if (refusal !== undefined) {
      refusals.push(`${refusal.status} ${refusal.body}`)
      response.writeHead(refusal.status, { 'content-type': refusal.contentType })
      response.end(refusal.body)
      return
    }
    const answer = await forward(options.upstream, request).catch(() => undefined)
    if (answer === undefined) {
      // The mock hung up without a word.
      response.destroy()
      return
    }
    const type = answer.headers['content-type'] ?? ''
    const { statusCode = 500 } = answer
    response.writeHead(statusCode, passedOn(answer))
    if (statusCode === 200 && type.startsWith('text/event-stream')) {
      const stream = await relayStream(answer, response, {
        chunking: options.chunking ?? 'whole',
        cached: cache.tokens,
      })
      streams.push(stream.text)
      if (stream.whole) learn(stream.text)
      return
    }
    const text = await wholeText(answer)
    const shaped =
      statusCode === 200 && isJson(text)
        ? shapedReply(text, { keepAlives: KEEP_ALIVES, cached: cache.tokens })
        : text
    if (shaped !== text) learn(shaped)
    response.end(shaped)
  })
  function learn(reply: string): void {
    rules.gave(saidTurn(reply))
    const told = [...reply.matchAll(/"prompt_tokens":(\d+)/g)].map(([, count]) => Number(count))
    cache.tokens = Math.max(cache.tokens, ...told)
  }
  return { ...server, rules, requests, refusals, streams }
}

async function forward(upstream: string, request: WholeRequest): Promise<IncomingMessage> {
  const { 'content-type': type, accept, authorization } = request.headers
  const outgoing = http.request(`${upstream}${request.path}`, {
    method: request.method,
    headers: {
      ...(type !== undefined && { 'content-type': type }),
      ...(accept !== undefined && { accept }),
      ...(authorization !== undefined && { authorization }),
    },
    agent: false,
  })
  outgoing.end(request.body)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage] // documented by Node
  return answer
}

/** What of the headers of an answer has a meaning for a client. */
function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const kept = ['content-type', 'retry-after', 'x-request-id']
  return Object.fromEntries(
    kept.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  )
}

interface RelayOptions {
  readonly chunking: Chunking
  readonly cached: number
}

/** Passes a stream on as it comes. One that is cut is cut here as well, behind all that came of it. */
async function relayStream(
  answer: IncomingMessage,
  response: ServerResponse,
  { chunking, cached }: RelayOptions,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const shape = new StreamShape({ keepAlives: KEEP_ALIVES, cached })
  const parts: string[] = []
  const write = (text: string): void => {
    if (text === '') return
    parts.push(text)
    for (const chunk of chunksOf(Buffer.from(text), chunking)) response.write(chunk)
  }
  answer.setEncoding('utf8')
  // Who leaves early is not read for any more.
  response.once('close', () => answer.destroy())
  try {
    for await (const text of answer) write(shape.push(String(text)))
  } catch {
    // The mock broke off: what came of it goes out first.
    write(shape.end())
    await new Promise<void>((resolve) => response.write(' ', () => resolve()))
    response.destroy()
    return { text: parts.join(''), whole: false }
  }
  write(shape.end())
  response.end()
  return { text: parts.join(''), whole: true }
}

async function wholeText(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8')
  let text = ''
  for await (const part of answer) text += String(part)
  return text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // broken on purpose; passed on as it is
  }
}

function objectOf(text: string): JsonObject {
  const value: JsonValue = JSON.parse(text === '' ? '{}' : text)
  return isJsonObject(value) ? value : {}
}

/** The messages of a request, for what a test looks at. */
export function messagesOf(request: JsonObject | undefined): readonly JsonObject[] {
  return itemsOf(request?.['messages'])
}
