/**
 * The least MCP server by hand, in both eras: no check, no limit, one write a message. With
 * `--era legacy` it knows no `server/discover`; with `--cut` it writes in pieces of 8 kB.
 */
import { eachLine } from './lines.mjs'
import { PAGE_BYTES, TOOLS, listing, manyTools, serverOptions, textResult } from './workload.mjs'

const { tools, cut, era } = serverOptions()
const runs = new Map(TOOLS.map(({ name, run }) => [name, run]))
const serverInfo = { name: 'raw', version: '1.0.0' }
const capabilities = { tools: {} }
const modernMeta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
// The answer to tools/list never changes, so the least server keeps its text.
const list = [...TOOLS, ...manyTools(tools)].map(listing)
const cache = { ttlMs: 0, cacheScope: 'private' }
const legacyList = JSON.stringify({ tools: list })
const modernList = JSON.stringify({
  resultType: 'complete',
  tools: list,
  ...cache,
  _meta: modernMeta,
})

eachLine(process.stdin, (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  const modern = params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined
  if (method === 'tools/list') write(id, modern ? modernList : legacyList)
  else if (method === 'tools/call') callTool(id, params, modern)
  else if (method === 'initialize') {
    const { protocolVersion } = params
    write(id, JSON.stringify({ protocolVersion, capabilities, serverInfo }))
  } else if (method === 'server/discover' && era !== 'legacy') {
    const supportedVersions = ['2026-07-28']
    const result = { resultType: 'complete', supportedVersions, capabilities, ...cache }
    write(id, JSON.stringify({ ...result, serverInfo, _meta: modernMeta }))
  } else if (method === 'ping') write(id, '{}')
  else
    send(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"Method not found"}}\n`,
    )
})

function callTool(id, { name, arguments: args }, modern) {
  const text = runs.get(name)(args)
  if (typeof text !== 'string') return
  const result = modern
    ? { resultType: 'complete', ...textResult(text), _meta: modernMeta }
    : textResult(text)
  write(id, JSON.stringify(result))
}

function write(id, result) {
  send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`)
}

function send(text) {
  if (cut && text.length > PAGE_BYTES) sendInPieces(Buffer.from(text))
  else process.stdout.write(text)
}

function sendInPieces(bytes) {
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
    process.stdout.write(bytes.subarray(at, at + PAGE_BYTES))
  }
}
