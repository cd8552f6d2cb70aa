/** This project's client over HTTP, with everything on that a user may have on. Variants: `legacy`, `modern`. */
import { connect } from '../../dist/index.js'
import { http } from '../../dist/node/index.js'
import { startServer } from './http-start.mjs'

export async function open({ command, args, variant, maxMessageBytes }) {
  const server = await startServer(command, args)
  const client = await connect(http(server.url), {
    name: 'deep-pilot-bench',
    version: '1.0.0',
    wire() {},
    era: variant,
    ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }),
  })
  return {
    call: (name, params) => client.callTool(name, params),
    listTools: () => client.listTools(),
    async close() {
      await client.close()
      await server.stop()
    },
  }
}
