/** Asks a real model: test/e2e/live.test.ts with the switch that lets it. Without a key the test says why it did not run. */
import { build } from './build.mjs'
import { bin, node } from './tools.mjs'

const built = await build({ ifNeeded: true })
process.env.DEEP_PILOT_LIVE = '1'
const tested = node(bin('vitest'), ['run', 'test/e2e/live.test.ts'])
process.exitCode = built === 0 ? tested : 1
