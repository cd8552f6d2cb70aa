/**
 * The official SDK of version 2 as an HTTP server: `/mcp` is both eras, the older without sessions; `/streams` the same
 * with event streams throughout; `/modern` refuses the older era; `/sessions` is the older era with sessions. Writes its
 * address.
 */
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { Readable } from 'node:stream'
import {
  createMcpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { makeServer } from './sdk2.mjs'

const sessions = new Map()
const trace = { deleted: 0, gets: 0 }

function entry(options) {
  const handler = createMcpHandler(() => makeServer(() => handler.notify.toolsChanged()), options)
  return (request) => handler.fetch(request)
}

async function withSession(request) {
  if (request.method === 'DELETE') trace.deleted += 1
  const known = sessions.get(request.headers.get('mcp-session-id'))
  if (known !== undefined) return known.handleRequest(request)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await makeServer().connect(transport)
  return transport.handleRequest(request)
}

const ways = {
  '/mcp': entry({}),
  '/streams': entry({ responseMode: 'sse' }),
  '/modern': entry({ legacy: 'reject' }),
  '/sessions': withSession,
}

async function serve(incoming, outgoing) {
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const { method, url, headers } = incoming
  const request = new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      value ? [[name, `${value}`]] : [],
    ),
    body: method === 'POST' ? Readable.toWeb(incoming) : null,
    duplex: 'half',
    signal: gone.signal,
  })
  if (method === 'GET') trace.gets += 1
  const response = await ways[new URL(request.url).pathname](request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).flushHeaders()
  if (response.body === null) outgoing.end()
  else
    Readable.fromWeb(response.body)
      .on('error', () => outgoing.destroy())
      .pipe(outgoing)
}

const server = http.createServer((incoming, outgoing) => {
  if (incoming.url === '/__trace') {
    outgoing.end(JSON.stringify(trace))
    return
  }
  serve(incoming, outgoing).catch((error) => {
    if (!outgoing.headersSent) outgoing.writeHead(500)
    outgoing.end(String(error))
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
