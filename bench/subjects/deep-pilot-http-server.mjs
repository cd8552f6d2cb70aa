/** This project's server over HTTP, as it is documented, with a wire sink that does nothing. */
import { Server, defineTool } from '../../dist/index.js'
import { serveHttp } from '../../dist/node/index.js'
import { leaveWithStarter } from './http-start.mjs'
import { TOOLS, jsonSchema } from './workload.mjs'

const tools = TOOLS.map(({ name, description, fields, run }) =>
  defineTool({ name, description, input: jsonSchema(fields), run }),
)
const server = new Server({ name: 'deep-pilot-bench', version: '1.0.0', tools, wire() {} })
const { url } = await serveHttp(server, { maxSessions: 20_000 })
process.stdout.write(`${url}\n`)
leaveWithStarter()
