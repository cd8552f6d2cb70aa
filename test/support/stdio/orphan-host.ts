/**
 * A process that starts servers and waits to be killed: bundled and run by `orphans.ts`. Its one line of
 * output lists the processes that must not outlive it: servers first, their watchdog last.
 */
import { spawn } from 'node:child_process'
import { stdio } from '../../../src/transport/node/stdio-client.ts'
import { createWatchdog } from '../../../src/transport/node/watchdog.ts'

const [peer = '', way = 'stubborn', count = '3'] = process.argv.slice(2)
const pids: number[] = []
let dog = 0
const watch = createWatchdog({
  start(file, args, options) {
    const child = spawn(file, args, options)
    dog = child.pid ?? 0
    return child
  },
})
await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    let ready: () => void = () => {}
    const line = new Promise<void>((resolve) => (ready = resolve))
    await stdio({ command: process.execPath, args: [peer, way], watch }).open({
      maxMessageBytes: 1000,
      text(text) {
        pids.push(Number(text))
        ready()
      },
      unreadable() {},
      failed() {},
      note() {},
      closed() {},
    })
    await line
  }),
)
process.stdout.write(`${JSON.stringify([...pids, dog])}\n`)
if (process.argv[5] === 'exit') process.exit(0)
setInterval(() => {}, 1000)
