/**
 * The official SDK of version 1 as an HTTP server: `/mcp` with sessions and event streams that can be taken up again,
 * `/json` with sessions and answers of JSON, `/stateless` with neither, `/sse` the old transport. Writes its address.
 */
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import { makeServer } from './sdk1.mjs'

const sessions = new Map()
const trace = { deleted: 0, resumed: 0 }

/** Every event of every stream, for as long as the process lives. */
class Events {
  events = []
  storeEvent(streamId, message) {
    this.events.push({ streamId, message })
    return Promise.resolve(String(this.events.length))
  }
  getStreamIdForEventId(id) {
    return Promise.resolve(this.events[Number(id) - 1]?.streamId)
  }
  async replayEventsAfter(lastId, { send }) {
    trace.resumed += 1
    const { streamId } = this.events[Number(lastId) - 1]
    for (const [at, event] of this.events.entries()) {
      if (at >= Number(lastId) && event.streamId === streamId && event.message.jsonrpc)
        await send(String(at + 1), event.message)
    }
    return streamId
  }
}

/** A server that can also drop the connection of a call, and answers on the next. */
function makeHttpServer() {
  const server = makeServer()
  server.registerTool('poll', {}, async (extra) => {
    extra.closeSSEStream?.()
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { content: [{ type: 'text', text: 'worth the wait' }] }
  })
  return server
}

async function open(options) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    ...options,
  })
  await makeHttpServer().connect(transport)
  return transport
}

const ways = {
  '/mcp': () => open({ eventStore: new Events(), retryInterval: 50 }),
  '/json': () => open({ enableJsonResponse: true }),
}

async function streamable(path, request, response) {
  const body = request.method === 'POST' ? JSON.parse(await textOf(request)) : undefined
  const id = request.headers['mcp-session-id']
  if (request.method === 'DELETE') trace.deleted += 1
  if (path === '/stateless') {
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
    response.on('close', () => void transport.close())
    await makeHttpServer().connect(transport)
    await transport.handleRequest(request, response, body)
    return
  }
  const opens = id === undefined && isInitializeRequest(body)
  const transport = opens ? await ways[path]() : sessions.get(id)
  if (transport !== undefined) {
    await transport.handleRequest(request, response, body)
    return
  }
  const error = { code: -32000, message: 'Bad Request: No valid session ID provided' }
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
}

async function old(url, request, response) {
  if (url.pathname === '/sse' && request.method === 'GET') {
    // Deprecated there as well; it is met because others still have it.
    // oxlint-disable-next-line typescript/no-deprecated
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, transport)
    response.on('close', () => sessions.delete(transport.sessionId))
    return makeServer().connect(transport)
  }
  const transport = sessions.get(url.searchParams.get('sessionId'))
  if (url.pathname !== '/messages' || transport === undefined)
    return response.writeHead(404, { 'content-type': 'text/plain' }).end('Cannot POST here')
  return transport.handlePostMessage(request, response)
}

async function textOf(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://127.0.0.1')
  if (url.pathname === '/__trace') {
    response.end(JSON.stringify(trace))
    return
  }
  const path = url.pathname
  const served = /^\/(mcp|json|stateless)$/.test(path)
    ? streamable(path, request, response)
    : old(url, request, response)
  served.catch((error) => {
    if (!response.headersSent) response.writeHead(500)
    response.end(String(error))
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
