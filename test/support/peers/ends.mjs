/**
 * A server that ends in a bad way, or not at all. The word says how: `early` at the first message with a reason on
 * stderr, `crash` in the middle of calls, `half` after a last answer without a line end, `cut` in the middle of an
 * answer, `deaf` ignores the end of input and every signal it can, `shell` hides the true server behind a process
 * that dies first, `mute` closes its output and goes on living.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { answered, hear, manners, say, serve, words } from './talk.mjs'

const pids = () => words(JSON.stringify([process.pid, process.ppid]))
const stayAlive = () => setInterval(() => {}, 1 << 30)
const lastWords = (id) => JSON.stringify(answered(id, words('that was all')))
const leave = (code) => () => process.exit(code)

const ways = {
  early() {
    process.stdin.once('data', () => process.stderr.write('no config: set PEER_KEY\n', leave(78)))
  },
  crash() {
    serve({ wait: () => undefined, crash: () => void setTimeout(leave(9), 50) })
  },
  half: () => serve({ last: (_, { id }) => void process.stdout.write(lastWords(id), leave(0)) }),
  cut: () => {
    serve({ last: (_, { id }) => void process.stdout.write(lastWords(id).slice(0, -9), leave(0)) })
  },
  deaf() {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => {})
    stayAlive()
    const answer = (message) => manners(message, { pids })
    hear(
      (message) => {
        const text = answer(message)
        if (text !== undefined) say(text)
      },
      () => {},
    )
  },
  shell() {
    spawn(process.execPath, [fileURLToPath(import.meta.url), 'deaf'], { stdio: 'inherit' })
    stayAlive()
  },
  mute() {
    stayAlive()
    serve({ mute: () => void process.stdout.end() })
  },
}

ways[process.argv[2]]()
