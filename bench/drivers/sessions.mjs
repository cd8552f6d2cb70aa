/**
 * Opens so many sessions of the handshake era in this process and looks at the heap: while they idle, after each was
 * deleted, after as many others have expired, and after as many requests that need none. Needs `--expose-gc`.
 */
import { Server, defineTool, httpHandler } from '../../dist/index.js'
import { after, order, report } from './measure.mjs'

let wall = Date.now()
let now = 0
const timers = new Set()
/** A clock that this driver moves, so that idle sessions expire when it says so. */
const clock = {
  now: () => now,
  wall: () => wall,
  after(ms, run) {
    const timer = { at: now + ms, run }
    timers.add(timer)
    return { cancel: () => timers.delete(timer) }
  },
}
function advance(ms) {
  const until = now + ms
  for (;;) {
    const due = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
    if (due === undefined) break
    wall += Math.max(0, due.at - now)
    now = Math.max(now, due.at)
    timers.delete(due)
    due.run()
  }
  wall += until - now
  now = until
}

const echo = defineTool({
  name: 'echo',
  input: { type: 'object', properties: { text: { type: 'string' } } },
  run: ({ text }) => text,
})
const server = new Server({ name: 'bench', version: '1.0.0', tools: [echo], clock })
const handler = httpHandler(server, {
  allowedHosts: ['bench.test'],
  maxSessions: order.sessions + 10,
})

const fixed = {
  host: 'bench.test',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const send = (method, headers, message) =>
  handler.fetch(
    new Request('http://bench.test/mcp', {
      method,
      headers: { ...fixed, ...headers },
      ...(message === undefined ? {} : { body: JSON.stringify(message) }),
    }),
  )

async function open() {
  const answer = await send(
    'POST',
    {},
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      },
    },
  )
  await answer.text()
  const session = { 'mcp-session-id': answer.headers.get('mcp-session-id') }
  const said = { jsonrpc: '2.0', method: 'notifications/initialized' }
  await (await send('POST', session, said)).text()
  return session
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
async function call() {
  const params = { name: 'echo', arguments: { text: 'x' }, _meta: META }
  const mirrored = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const answer = await send('POST', mirrored, message)
  const text = await answer.text()
  if (!text.includes('"x"')) throw new Error(`echo answered ${text}`)
}

async function heap() {
  for (let round = 0; round < 5; round++) {
    await after(30)
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}

async function many(count, one) {
  const all = []
  for (let at = 0; at < count; at += 100)
    all.push(...(await Promise.all(Array.from({ length: 100 }, one))))
  return all
}

// What is loaded, compiled and shared once.
for (const session of await many(200, open)) await (await send('DELETE', session)).text()
await many(200, call)
const before = await heap()
let sessions = await many(order.sessions, open)
const names = sessions.length
const full = await heap()
for (const session of sessions) await (await send('DELETE', session)).text()
sessions = []
const deleted = await heap()
await many(order.sessions, open)
advance(24 * 3600 * 1000)
const expired = await heap()
const beforeCalls = await heap()
await many(order.requests, call)
const afterCalls = await heap()
await handler.close()
const taken = full - before
report({
  sessionKb: taken / names / 1000,
  afterDelete: Math.max(0, deleted - before) / taken,
  afterExpiry: Math.max(0, expired - before) / taken,
  requestKb: Math.max(0, afterCalls - beforeCalls) / order.requests / 1000,
})
