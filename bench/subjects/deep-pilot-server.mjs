/** This project's server in both eras, with argument checks and a wire sink that does nothing. */
import { Server, defineTool } from '../../dist/index.js'
import { stdioServer } from '../../dist/node/index.js'
import { TOOLS, jsonSchema, manyTools, serverOptions } from './workload.mjs'

const tools = [...TOOLS, ...manyTools(serverOptions().tools)].map(
  ({ name, description, fields, output, run }) =>
    defineTool({
      name,
      description,
      input: jsonSchema(fields),
      ...(output === undefined ? {} : { output: jsonSchema(output) }),
      run,
    }),
)
const server = new Server({ name: 'deep-pilot-bench', version: '1.0.0', tools, wire() {} })
await server.accept(stdioServer())
