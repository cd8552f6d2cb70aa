/**
 * A host with three servers that waits to be killed: bundled and run by `host-kills.ts`. Its one line of output lists the
 * processes that must not outlive it for long. Words: the state folder, a word that marks every server, and after how many
 * started servers it kills itself, if it is to.
 */
import { configOf } from '../../src/config/config.ts'
import { Host } from '../../src/host/host.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { resultToText } from '../../src/tools/content.ts'
import { ALLOW_ALL, nodeEntry } from './host-entries.ts'

const [home = '', mark = '', dieAt] = process.argv.slice(2)
let started = 0
const dieInTime = (event: WireEvent): void => {
  if (event.type !== 'note' || event.note.kind !== 'spawn') return
  started += 1
  if (started === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}
const entries = ['steady', 'steady', 'stubborn'].map((way, at) =>
  nodeEntry(`${way}-${at}`, ['test/support/peers/faulty.mjs', way, mark]),
)
const host = await Host.open(configOf(entries), {
  home,
  policy: ALLOW_ALL,
  lock: false,
  ...(dieAt !== undefined && { wire: dieInTime }),
})
await host.settled()
host.turn()
const pids = await Promise.all(
  entries.map(async ({ key }) => resultToText(await host.callTool({ server: key, name: 'pid' }))),
)
process.stdout.write(`${pids.join(' ')}\n`)
setInterval(() => {}, 1000)
