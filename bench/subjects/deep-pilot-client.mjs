/**
 * This project's client, with everything on that a user may have on: argument checks, timers, limits,
 * and a wire sink that listens and does nothing. Variants: `auto` (default), `legacy`, `modern`.
 */
import { connect } from '../../dist/index.js'
import { stdio } from '../../dist/node/index.js'

const REVISIONS = { legacy: ['2025-11-25'], modern: ['2026-07-28'] }

export async function open({ command, args, variant = 'auto', maxMessageBytes }) {
  const revisions = REVISIONS[variant]
  const client = await connect(stdio({ command, args }), {
    name: 'deep-pilot-bench',
    version: '1.0.0',
    wire() {},
    ...(revisions === undefined ? {} : { revisions }),
    ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }),
  })
  return {
    call: (name, params) => client.callTool(name, params),
    listTools: () => client.listTools(),
    close: () => client.close(),
  }
}
