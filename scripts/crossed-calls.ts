/**
 * Many clients that all use the same ids at once, over HTTP: `node scripts/run.mjs scripts/crossed-calls.ts [--clients N]
 * [--calls N] [--seed N]`. Prints what came back to the wrong one, and exits with 1 when something did.
 */

import { parseArgs } from 'node:util'
import { serveHttp } from '../src/server/node/serve-http.ts'
import { Server } from '../src/server/server.ts'
import { misrouted } from '../test/support/crossed-calls.ts'
import { echo } from '../test/support/echo-tool.ts'
import { TWO } from '../test/support/principals.ts'

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '200' },
    calls: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
})
const server = new Server({ name: 'crossed', version: '1', tools: [echo()] })
const served = await serveHttp(server, { authenticate: TWO })
const plan = {
  clients: Number(values.clients),
  calls: Number(values.calls),
  seed: Number(values.seed),
}
let wrong = 0
for (const shape of ['session', 'alone'] as const) {
  const startedAt = performance.now()
  const found = await misrouted(served.url, { shape, ...plan })
  const seconds = (performance.now() - startedAt) / 1000
  for (const one of found.slice(0, 20)) console.log(one)
  console.log(
    `${shape}: ${plan.clients * plan.calls} calls in ${seconds.toFixed(1)} s, ${found.length} misrouted`,
  )
  wrong += found.length
}
await served.close()
await server.close()
process.exitCode = wrong === 0 ? 0 : 1
