/**
 * Kills the server under 100 pending calls. Reports how long after the exit of its process was known
 * here the last call was rejected, and how long after the kill.
 */
import { ChildProcess } from 'node:child_process'
import { loadClient, order, report, serverPid } from './measure.mjs'

let [exitAt, server] = [Number.NaN, undefined]
const emit = ChildProcess.prototype.emit
ChildProcess.prototype.emit = function (event, ...rest) {
  if (event === 'exit' && this.pid === server) exitAt = performance.now()
  return emit.call(this, event, ...rest)
}

const connect = await loadClient()
const client = await connect()
await client.call('echo', { text: 'x' })
let [lastAt, rejected] = [0, 0]
const calls = Array.from({ length: order.calls }, () =>
  client.call('hang', {}).catch(() => {
    rejected++
    lastAt = performance.now()
  }),
)
await client.call('echo', { text: 'x' }) // the calls before it are sent
server = serverPid()
const killAt = performance.now()
process.kill(server, 'SIGKILL')
await Promise.all(calls)
if (rejected !== order.calls) throw new Error(`${rejected} of ${order.calls} calls were rejected`)
report({ exitToLastMs: lastAt - exitAt, killToLastMs: lastAt - killAt })
