/** The official SDK of version 1, as its own documentation uses it; only its message limit is raised. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

export async function open({ command, args, maxMessageBytes }) {
  const client = new Client({ name: 'sdk1', version: '1.0.0' })
  const limit = maxMessageBytes === undefined ? {} : { maxBufferSize: maxMessageBytes }
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore', ...limit }))
  return {
    call: (name, params) => client.callTool({ name, arguments: params }),
    async listTools() {
      const tools = []
      let cursor
      do {
        const page = await client.listTools(cursor === undefined ? undefined : { cursor })
        tools.push(...page.tools)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return tools
    },
    close: () => client.close(),
  }
}
