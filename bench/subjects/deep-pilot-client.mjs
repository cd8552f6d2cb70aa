/**
 * This project's client, with everything on that a user may have on: argument checks, timers, limits,
 * and a wire sink that listens and does nothing. Variants: `auto` (default), `legacy`, `modern`.
 */
import { connect } from '../../dist/index.js'
import { stdio } from '../../dist/node/index.js'

export async function open({ command, args, variant = 'auto', maxMessageBytes }) {
  const client = await connect(stdio({ command, args }), {
    name: 'deep-pilot-bench',
    version: '1.0.0',
    wire() {},
    era: variant,
    ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }),
  })
  return {
    call: (name, params) => client.callTool(name, params),
    listTools: () => client.listTools(),
    close: () => client.close(),
  }
}
