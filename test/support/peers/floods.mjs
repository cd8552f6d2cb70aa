/**
 * A server that writes far more than it needs to: `stderr` fills the pipe of its log before each answer and waits
 * until it is read, `line` answers with one line of 16 MiB, `endless` with a line that has no end, `stubborn` with
 * a line longer than allowed and a good one behind it, `progress` with many thousand reports.
 */
import { writeSync } from 'node:fs'
import { hear, manners, say, serve, told, words } from './talk.mjs'

const MIB = 1 << 20
const pause = new Int32Array(new SharedArrayBuffer(4))

/** Until every byte is in the pipe; this process does nothing else meanwhile. */
function block(fd, bytes) {
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      if (error.code !== 'EAGAIN') return
      Atomics.wait(pause, 0, 0, 2)
    }
  }
}

const ways = {
  stderr() {
    const log = Buffer.from(`${'trace '.repeat(20)}\n`.repeat(8000))
    hear((message) => {
      const answer = manners(message, { quiet: () => words('heard') })
      if (answer === undefined) return
      block(2, log)
      say(answer)
    })
  },
  line: () => serve({ long: () => words('abcdefgh'.repeat(2 * MIB)) }),
  endless() {
    const piece = Buffer.alloc(MIB, 'z')
    const more = () => process.stdout.write(piece, () => setImmediate(more))
    serve({ start: () => void more() })
  },
  stubborn: () => serve({ huge: () => words('y'.repeat(3 * MIB)), small: () => words('fits') }),
  progress() {
    serve({
      report({ times }, { params }) {
        const { progressToken } = params._meta
        for (let progress = 1; progress <= times; progress += 1)
          say(told('notifications/progress', { progressToken, progress, total: times }))
        return words('reported')
      },
    })
  },
}

ways[process.argv[2]]()
