/** The official SDK of version 1 as a client over HTTP. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startServer } from './http-start.mjs'

export async function open({ command, args }) {
  const server = await startServer(command, args)
  const client = new Client({ name: 'sdk1', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
  return {
    call: (name, params) => client.callTool({ name, arguments: params }),
    async close() {
      await client.close()
      await server.stop()
    },
  }
}
