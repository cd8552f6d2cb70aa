/** `@ai-sdk/mcp`, the client of the AI SDK. It needs Node 22, so that its process runs on one. */
import { fromPeer } from './peer-module.mjs'

const { createMCPClient } = await fromPeer('ai-sdk', '@ai-sdk/mcp')
const { Experimental_StdioMCPTransport } = await fromPeer('ai-sdk', '@ai-sdk/mcp/mcp-stdio')

export async function open({ command, args }) {
  const transport = new Experimental_StdioMCPTransport({ command, args, stderr: 'ignore' })
  const client = await createMCPClient({ transport })
  return {
    call: (name, params) => client.callTool({ name, arguments: params }),
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  }
}
