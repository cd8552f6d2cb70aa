/** The official SDK of version 1 as a server, through its high-level class and Zod, as it is documented. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { TOOLS, manyTools, serverOptions, textResult, zodShape } from './workload.mjs'

const server = new McpServer({ name: 'sdk1', version: '1.0.0' })
for (const { name, description, fields, output, run } of [
  ...TOOLS,
  ...manyTools(serverOptions().tools),
]) {
  const outputSchema = output === undefined ? {} : { outputSchema: zodShape(z, output) }
  const config = { description, inputSchema: zodShape(z, fields), ...outputSchema }
  server.registerTool(name, config, async (args) => textResult(await run(args)))
}
await server.connect(new StdioServerTransport())
process.stdin.on('end', () => process.exit(0))
