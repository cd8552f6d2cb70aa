/** The least MCP server over HTTP by hand, in both eras: no check, no limit, answers of JSON; a session is a constant. */
import { createServer } from 'node:http'
import { announce } from './http-start.mjs'
import { TOOLS, listing, textResult } from './workload.mjs'

const runs = new Map(TOOLS.map(({ name, run }) => [name, run]))
const serverInfo = { name: 'raw', version: '1.0.0' }
const capabilities = { tools: {} }
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
const cache = { ttlMs: 0, cacheScope: 'private' }
const tools = TOOLS.map(listing)

announce(
  createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'DELETE' ? 204 : 405).end()
      return
    }
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => answer(JSON.parse(Buffer.concat(chunks).toString()), response))
  }),
)

function answer({ id, method, params }, response) {
  if (id === undefined) {
    response.writeHead(202).end()
    return
  }
  const modern = params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined
  const text = JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params, modern) })
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(method === 'initialize' ? { 'mcp-session-id': 'raw' } : {}),
  })
  response.end(text)
}

function resultOf(method, params, modern) {
  if (method === 'initialize')
    return { protocolVersion: params.protocolVersion, capabilities, serverInfo }
  const complete = modern ? { resultType: 'complete', _meta } : {}
  if (method === 'tools/call')
    return { ...complete, ...textResult(runs.get(params.name)(params.arguments)) }
  if (method === 'tools/list') return { ...complete, ...(modern ? cache : {}), tools }
  if (method === 'server/discover')
    return { ...complete, ...cache, supportedVersions: ['2026-07-28'], capabilities }
  return {}
}
