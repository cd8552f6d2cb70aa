/** The official SDK of version 2 as a client over HTTP. Variants: `legacy`, `modern`. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startServer } from './http-start.mjs'

const MODES = { legacy: 'legacy', modern: { pin: '2026-07-28' } }

export async function open({ command, args, variant }) {
  const server = await startServer(command, args)
  const versionNegotiation = { mode: MODES[variant] }
  const client = new Client({ name: 'sdk2', version: '1.0.0' }, { versionNegotiation })
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
  return {
    call: (name, params) => client.callTool({ name, arguments: params }),
    async close() {
      await client.close()
      await server.stop()
    },
  }
}
