/**
 * Sends the exchanges of one case of the case list to a server of ours over HTTP, in order, and tells every status, header
 * and reply that is not as the case expects.
 */
import { readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '../../src/base/json.ts'
import type { ServedHttp } from '../../src/server/node/served-http.ts'
import { matchesReply } from './case-server.ts'
import type { Case } from './case-runner.ts'
import { rawReply } from './http/raw-http.ts'
import { readEvents } from './read-events.ts'

interface CaseRequest {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string
  readonly head_only?: boolean
  readonly raw?: readonly string[]
}

interface CaseExpectation {
  readonly status?: readonly number[]
  readonly reply?: JsonObject
  readonly reply_if?: Readonly<Record<string, JsonObject>>
  readonly replies_if?: Readonly<Record<string, readonly JsonObject[]>>
  readonly type_if?: Readonly<Record<string, string>>
  readonly empty?: boolean
  readonly has_header?: string
  readonly lacks_header?: string
}

interface Exchange {
  readonly name: string
  readonly request: CaseRequest
  readonly expect: CaseExpectation
  readonly save?: Readonly<Record<string, string>>
}

interface Answered {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: string
}

/** Everything that went otherwise than expected, one line each; empty when all is well. */
export async function runHttpServerCase(
  one: Case,
  folder: string,
  served: ServedHttp,
): Promise<readonly string[]> {
  const { exchanges } = JSON.parse(readFileSync(join(folder, one.file), 'utf8')) as {
    exchanges: readonly Exchange[]
  } // the list's own file
  const { origin, host, pathname } = new URL(served.url)
  const values = new Map([
    ['origin', origin],
    ['host', host],
    ['path', pathname],
  ])
  const problems: string[] = []
  for (const { name, request, expect, save = {} } of exchanges) {
    const answered = await send(served, fill(request, values))
    problems.push(...misfits(answered, expect).map((problem) => `${name}: ${problem}`))
    for (const [key, header] of Object.entries(save)) {
      const value = answered.header(header)
      if (value !== undefined) values.set(key, value)
    }
  }
  return problems
}

/** With its variables filled in; a header whose variable is empty is left out. */
function fill(request: CaseRequest, values: ReadonlyMap<string, string>): CaseRequest {
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => values.get(key) ?? '')
  const headers = Object.entries(request.headers ?? {})
    .map(([name, value]) => [name, filled(value)] as const)
    .filter(([, value]) => value !== '')
  return {
    ...request,
    headers: Object.fromEntries(headers),
    ...(request.raw === undefined ? {} : { raw: request.raw.map(filled) }),
  }
}

async function send(served: ServedHttp, request: CaseRequest): Promise<Answered> {
  if (request.raw !== undefined) {
    const { status, head, body } = await rawReply(served.port, request.raw, request.body)
    const header = (name: string): string | undefined =>
      new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]
    return { status, header, body }
  }
  const { method, headers = {}, json } = request
  const body = json === undefined ? request.body : JSON.stringify(json)
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpRequest(served.url, { method, headers, agent: false }, resolve)
    sent.on('error', reject)
    sent.end(body)
  })
  const text = request.head_only === true ? '' : await textOf(reply)
  if (request.head_only === true) reply.destroy()
  return {
    status: reply.statusCode ?? 0,
    header: (name) => [reply.headers[name]].flat()[0],
    body: text,
  }
}

async function textOf(reply: IncomingMessage): Promise<string> {
  let text = ''
  reply.setEncoding('utf8')
  for await (const piece of reply) text += String(piece)
  return text
}

function misfits({ status, header, body }: Answered, expected: CaseExpectation): string[] {
  const problems: string[] = []
  const { has_header: has, lacks_header: lacks } = expected
  if (expected.status?.includes(status) === false) problems.push(`has the status ${status}`)
  if (expected.empty === true && body !== '') problems.push(`has the body ${body}`)
  if (has !== undefined && header(has) === undefined) problems.push(`lacks the header ${has}`)
  if (lacks !== undefined && header(lacks) !== undefined) problems.push(`has the header ${lacks}`)
  const type = expected.type_if?.[status]
  if (type !== undefined && header('content-type')?.startsWith(type) !== true)
    problems.push(`is ${String(header('content-type'))}`)
  const replies = repliesIn(body, header('content-type'))
  const wanted = [
    expected.reply,
    expected.reply_if?.[status],
    ...(expected.replies_if?.[status] ?? []),
  ]
  for (const reply of wanted) {
    if (reply !== undefined && !replies.some((one) => matchesReply(one, reply)))
      problems.push(`has no reply like ${JSON.stringify(reply)} but ${body}`)
  }
  return problems
}

/** The replies of a body, whether they came as JSON or as events. */
function repliesIn(body: string, type = ''): readonly JsonObject[] {
  const texts = type.startsWith('text/event-stream')
    ? readEvents(body).map(({ data }) => data)
    : [body]
  return texts
    .filter((text) => text !== '')
    .flatMap((text): unknown => JSON.parse(text))
    .filter((value) => isJsonObject(value))
}
