/**
 * The four calls that articles about MCP show, `initialize`, `list_tools`, `call_tool` and `close`, as they are
 * here. The wire is printed on stderr by a sink: what an article prints by hand between the calls.
 */
import { connect, resultToText, type Client, type WireEvent } from '../src/index.ts'
import { stdio } from '../src/node/index.ts'

const folder = process.argv[2] ?? '.'

/** `→` what leaves, `←` what arrives, exactly as it crosses. */
function showWire(event: WireEvent): void {
  if (event.type === 'message')
    console.error(event.direction === 'out' ? '→' : '←', event.text.slice(0, 100))
}

// initialize: one call that starts the process, agrees on a revision and gives a client that is ready.
const args = ['-y', '@modelcontextprotocol/server-filesystem', folder]
const client: Client = await connect(stdio({ command: 'npx', args }), { wire: showWire })
try {
  console.log(`Handshake done, Server: ${client.server.info?.name}`)

  // list_tools: all pages, not the first one.
  const tools = await client.listTools()
  console.log(`${tools.length} tools:`)
  for (const tool of tools.slice(0, 5))
    console.log(`  - ${tool.name}: ${tool.description?.slice(0, 40)}`)

  // call_tool: a failed tool is a result with isError; a refused request throws an RpcError.
  const result = await client.callTool('read_text_file', { path: 'package.json' })
  if (result.isError === true) console.log(`Refused by the tool: ${resultToText(result)}`)
  else console.log(`First 100 characters: ${resultToText(result).slice(0, 100)}`)
} finally {
  // close: ends its input, waits, and forces only what does not go. Nothing stays behind.
  await client.close()
}
