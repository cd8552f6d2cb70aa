/**
 * The least MCP client by hand: a handshake, a map from id to promise, no check, no timer, no limit,
 * one write a message. `modern` speaks 2026-07-28: no handshake, metadata in every request.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eachLine } from './lines.mjs'

const clientInfo = { name: 'raw', version: '1.0.0' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
}

export async function open({ command, args, variant, env, detached = false }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env, detached })
  const pending = new Map()
  const meta = variant === 'modern' ? { _meta: META } : {}
  let lastId = 0
  eachLine(child.stdout, (line) => {
    const { id, result, error } = JSON.parse(line)
    const waiting = pending.get(id)
    if (waiting === undefined) return
    pending.delete(id)
    if (error === undefined) waiting.resolve(result)
    else waiting.reject(new Error(error.message))
  })
  child.stdin.on('error', () => {}) // told by "exit"
  child.on('exit', () => {
    for (const { reject } of pending.values()) reject(new Error('gone'))
    pending.clear()
  })
  const request = (method, params) => {
    const id = ++lastId
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject }))
  }
  if (variant === 'modern') await request('server/discover', meta)
  else {
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  }
  return {
    call: (name, params) => request('tools/call', { name, arguments: params, ...meta }),
    async listTools() {
      const tools = []
      let cursor
      do {
        const page = await request(
          'tools/list',
          cursor === undefined ? { ...meta } : { cursor, ...meta },
        )
        for (const tool of page.tools) tools.push(tool)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return tools
    },
    async close() {
      child.stdin.end()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
