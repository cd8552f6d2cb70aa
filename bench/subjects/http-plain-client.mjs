/**
 * A keep-alive client on `node:http` by hand. Variants: `echo` posts and parses, `raw` is the least MCP client with a
 * handshake and a session, `modern` the same of 2026-07-28.
 */
import { Agent, request } from 'node:http'
import { startServer } from './http-start.mjs'

const clientInfo = { name: 'raw', version: '1.0.0' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
}

export async function open({ command, args, variant }) {
  const server = await startServer(command, args)
  const agent = new Agent({ keepAlive: true })
  const modern = variant === 'modern'
  const fixed = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(modern ? { 'mcp-protocol-version': '2026-07-28' } : {}),
  }
  let lastId = 0
  const post = (message, headers) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(message)
      const sent = request(server.url, {
        method: 'POST',
        agent,
        headers: { ...fixed, ...headers, 'content-length': Buffer.byteLength(text) },
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString()
          const session = response.headers['mcp-session-id']
          if (session !== undefined) fixed['mcp-session-id'] = session
          resolve(body === '' ? undefined : JSON.parse(body))
        })
      })
      sent.end(text)
    })
  const ask = async (method, params, name) => {
    const id = ++lastId
    const mirror = modern ? { 'mcp-method': method, ...(name ? { 'mcp-name': name } : {}) } : {}
    const told = modern ? { ...params, _meta: META } : params
    const answer = await post({ jsonrpc: '2.0', id, method, params: told }, mirror)
    if (variant === 'echo') return answer
    if (answer.error) throw new Error(answer.error.message)
    return answer.result
  }
  if (variant === 'raw') {
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    fixed['mcp-protocol-version'] = '2025-11-25'
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }
  return {
    call: (name, params) => ask('tools/call', { name, arguments: params }, name),
    async close() {
      agent.destroy()
      await server.stop()
    },
  }
}
