/**
 * Many clients of one server over HTTP that all use the same ids at once, each call with words of its own: whatever comes
 * back with words of another call is a leak. Over one agent with few connections, so that they share those as well.
 */
import { Agent, request as startRequest } from 'node:http'
import type { JsonObject } from '../../src/base/json.ts'
import { notification, request } from './fake-http.ts'
import { initialize, modern } from './http/handled.ts'
import { ALICE, BOB, JSON_BOTH } from './principals.ts'
import { readEvents } from './read-events.ts'
import { dice } from './seeded.ts'

export interface Crossing {
  /** A session for each client, or requests that stand for themselves. */
  readonly shape: 'session' | 'alone'
  readonly clients: number
  readonly calls: number
  readonly seed: number
}

/** What came back wrong. The server has a tool `echo` that says `<text> for <principal>` after some `turns`. */
export async function misrouted(
  url: string,
  { shape, clients, calls, seed }: Crossing,
): Promise<readonly string[]> {
  const chance = dice(seed)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const wrong: string[] = []
  const client = async (at: number): Promise<void> => {
    const who = at % 2 === 0 ? ALICE : BOB
    const name = at % 2 === 0 ? 'alice' : 'bob'
    const post = (json: unknown, headers: Record<string, string>): Promise<Reply> =>
      send(url, agent, { json, headers: { ...JSON_BOTH, ...who, ...headers } })
    let session: Record<string, string> = {}
    if (shape === 'session') {
      const opened = await post(initialize('2025-11-25'), {})
      session = { 'mcp-session-id': opened.session }
      await post(notification('notifications/initialized'), session)
    }
    const call = async (id: number): Promise<void> => {
      const text = `c${at}.${id}.`
      const args = { text, turns: chance.between(0, 4) }
      const params = { name: 'echo', arguments: args, _meta: { progressToken: 'same' } }
      const parts =
        shape === 'alone'
          ? modern(id, 'tools/call', params)
          : { json: request(id, 'tools/call', params), headers: session }
      const reply = await post(parts.json, parts.headers)
      const said = JSON.stringify(reply.messages.at(-1)?.['result'] ?? null)
      const others = reply.messages.filter((one) => !JSON.stringify(one).includes(text))
      const good =
        reply.messages.at(-1)?.['id'] === id &&
        said.includes(`"${text} for ${name}"`) &&
        others.length === 0
      if (!good) wrong.push(`${text} of ${name}: ${JSON.stringify(reply).slice(0, 500)}`)
    }
    // A few at once, so that ids are in use by all clients at the same time and often.
    for (let from = 0; from < calls; from += 10)
      await Promise.all(
        Array.from({ length: Math.min(10, calls - from) }, (_, id) => call(from + id)),
      )
  }
  try {
    await Promise.all(Array.from({ length: clients }, (_, at) => client(at)))
  } finally {
    agent.destroy()
  }
  return wrong.slice(0, 20)
}

interface Reply {
  readonly status: number
  readonly session: string
  readonly messages: readonly JsonObject[]
}

function send(
  url: string,
  agent: Agent,
  { json, headers }: { readonly json: unknown; readonly headers: Record<string, string> },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = startRequest(url, { method: 'POST', agent, headers }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (piece: string) => (text += piece))
      incoming.on('end', () => {
        const events = incoming.headers['content-type'] === 'text/event-stream'
        const texts = events ? readEvents(text).map(({ data }) => data) : [text]
        const messages = texts
          .filter((one) => one !== '')
          .map((one) => JSON.parse(one) as JsonObject) // from a server of ours
        const session = String(incoming.headers['mcp-session-id'] ?? '')
        resolve({ status: incoming.statusCode ?? 0, session, messages })
      })
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(json))
  })
}
