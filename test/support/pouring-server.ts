/**
 * A server of the handshake era whose tools never stop answering, as a process: what a tool is called says what comes.
 * The first line on standard output is its port, and each further one how many bytes a call took before its client went.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What is poured, and as what it is declared. */
const KINDS: Readonly<Record<string, readonly [type: string, first: string, piece: string]>> = {
  line: ['text/event-stream', 'data: ', 'x'.repeat(1024)],
  lines: ['text/event-stream', 'data: ', '\ndata: x'.repeat(100)],
  empty: ['text/event-stream', '', 'data\n'.repeat(200)],
  id: ['text/event-stream', 'id: ', 'x'.repeat(1024)],
  unknown: ['text/event-stream', 'data: x\n', 'unknown: x'.padEnd(1024)],
  comments: ['text/event-stream', '', ': nothing\n'.repeat(100)],
  json: ['application/json', ' ', ' '.repeat(1024)],
  page: ['text/html', '<html>', '<p>'.repeat(400)],
}

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (piece: string) => (body += piece))
  request.on('end', () => {
    const { id, method, params } = body === '' ? {} : JSON.parse(body)
    if (request.method !== 'POST') response.writeHead(405).end()
    else if (id === undefined) response.writeHead(202).end()
    else if (method === 'tools/call' && KINDS[params.name] !== undefined)
      pour(response, params.name)
    else {
      const { protocolVersion } = Object(params)
      const serverInfo = { name: 'pouring', version: '1' }
      const result =
        method === 'initialize'
          ? { protocolVersion, capabilities: { tools: {} }, serverInfo }
          : { content: [] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
  })
})

function pour(response: ServerResponse, kind: string): void {
  const [type = '', first = '', piece = ''] = KINDS[kind] ?? []
  let bytes = 0
  response.writeHead(200, { 'content-type': type })
  response.write(first)
  response.once('close', () => {
    console.log(bytes)
  })
  const more = (): void => {
    for (let full = false; !full && !response.closed;) {
      bytes += piece.length
      full = !response.write(piece)
    }
    if (!response.closed) response.once('drain', () => setImmediate(more))
  }
  more()
}

server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port) // it listens on a port
})
