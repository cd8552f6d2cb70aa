/** `fastmcp`, a framework over the official SDK, as its documentation uses it. */
import { fromPeer } from './peer-module.mjs'
import { TOOLS, manyTools, serverOptions, zodShape } from './workload.mjs'

const { FastMCP } = await fromPeer('fastmcp', 'fastmcp')
const { z } = await fromPeer('fastmcp', 'zod')

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' })
for (const { name, description, fields, output, run } of [
  ...TOOLS,
  ...manyTools(serverOptions().tools),
]) {
  const outputSchema = output === undefined ? {} : { outputSchema: z.object(zodShape(z, output)) }
  const parameters = z.object(zodShape(z, fields))
  server.addTool({
    name,
    description,
    parameters,
    ...outputSchema,
    execute: async (args) => run(args),
  })
}
await server.start({ transportType: 'stdio' })
process.stdin.on('end', () => process.exit(0))
