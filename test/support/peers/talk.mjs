/**
 * What the misbehaving servers of this folder have in common: reading lines, writing lines, and the manners of an
 * ordinary server of the handshake era, so that each file holds its own misbehaviour alone. Built into Node only.
 */
import { linesOfInput } from '../lines-of-input.mjs'

export const HANDSHAKE_VERSION = '2025-06-18'

/** Calls `take` with each message, in order; `over` when the client has closed our input. */
export function hear(take, over = () => process.exit(0)) {
  linesOfInput((line) => take(JSON.parse(line)), over)
}

export const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
export const answered = (id, result) => ({ jsonrpc: '2.0', id, result })
export const refused = (id, code, message, data) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
})
export const told = (method, params) => ({ jsonrpc: '2.0', method, params })
export const words = (text) => ({ content: [{ type: 'text', text }] })
export const toolNamed = (name, more = {}) => ({ name, inputSchema: { type: 'object' }, ...more })

/**
 * The answer of a well-behaved old server, or nothing for notifications and answers. `tools` maps a name to a
 * function of arguments and message; one that gives undefined leaves the call without an answer.
 */
export function manners(message, tools, version = HANDSHAKE_VERSION) {
  const { id, method, params } = message
  if (method === undefined || id === undefined) return undefined
  if (method === 'initialize') {
    const serverInfo = { name: 'odd-peer', version: '1' }
    return answered(id, { protocolVersion: version, capabilities: { tools: {} }, serverInfo })
  }
  if (method === 'ping') return answered(id, {})
  if (method === 'tools/list')
    return answered(id, { tools: Object.keys(tools).map((name) => toolNamed(name)) })
  if (method !== 'tools/call') return refused(id, -32601, `no method ${method}`)
  const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined
  if (tool === undefined) return refused(id, -32602, `no tool ${params.name}`)
  const result = tool(params.arguments, message)
  return result === undefined ? undefined : answered(id, result)
}

/** Serves with manners and an own way of writing. */
export function serve(tools, write = say) {
  hear((message) => {
    const answer = manners(message, tools)
    if (answer !== undefined) write(answer)
  })
}
