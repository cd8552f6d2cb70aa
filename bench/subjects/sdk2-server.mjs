/** The official SDK of version 2 as a server in both eras, through `serveStdio` and Zod, as it is documented. */
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { TOOLS, manyTools, serverOptions, textResult, zodShape } from './workload.mjs'

const tools = [...TOOLS, ...manyTools(serverOptions().tools)]

serveStdio(() => {
  const server = new McpServer({ name: 'sdk2', version: '1.0.0' })
  for (const { name, description, fields, output, run } of tools) {
    const outputSchema = output === undefined ? {} : { outputSchema: z.object(zodShape(z, output)) }
    const config = { description, inputSchema: z.object(zodShape(z, fields)), ...outputSchema }
    server.registerTool(name, config, async (args) => textResult(await run(args)))
  }
  return server
})
process.stdin.on('end', () => process.exit(0))
