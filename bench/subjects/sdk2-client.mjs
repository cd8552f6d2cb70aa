/**
 * The official SDK of version 2. Variants: `legacy` (its default, the handshake), `modern` (2026-07-28
 * pinned), `auto` (it probes). Only its message limit is raised.
 */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const MODES = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } }

export async function open({ command, args, variant = 'legacy', maxMessageBytes }) {
  const versionNegotiation = { mode: MODES[variant] }
  const client = new Client({ name: 'sdk2', version: '1.0.0' }, { versionNegotiation })
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
