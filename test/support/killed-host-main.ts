/**
 * A host with three servers that waits to be killed: bundled and run by `host-kills.ts`. Its one line of output lists the
 * processes that must not outlive it for long. Words: the state folder, and a word that marks every server.
 */
import { configOf } from '../../src/config/config.ts'
import { Host } from '../../src/host/host.ts'
import { resultToText } from '../../src/tools/content.ts'
import { ALLOW_ALL, nodeEntry } from './host-entries.ts'

const [home = '', mark = ''] = process.argv.slice(2)
const entries = ['steady', 'steady', 'stubborn'].map((way, at) =>
  nodeEntry(`${way}-${at}`, ['test/support/peers/faulty.mjs', way, mark]),
)
const host = await Host.open(configOf(entries), { home, policy: ALLOW_ALL, lock: false })
await host.settled()
host.turn()
const pids = await Promise.all(
  entries.map(async ({ key }) => resultToText(await host.callTool({ server: key, name: 'pid' }))),
)
process.stdout.write(`${pids.join(' ')}\n`)
setInterval(() => {}, 1000)
