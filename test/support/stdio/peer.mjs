/**
 * A process on the other end of a stdio link that behaves, or misbehaves in one way: `node peer.mjs <way>`.
 * It knows no JSON-RPC. Every way but `deaf` echoes the lines it reads unless it says otherwise.
 */
import { spawn } from 'node:child_process'
import { closeSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { linesOfInput } from '../lines-of-input.mjs'

const [way = 'echo', word = ''] = process.argv.slice(2)
const self = fileURLToPath(import.meta.url)
const say = (text) => process.stdout.write(`${text}\n`)
const stay = () => setInterval(() => {}, 1000)

/** Writes everything before it returns, also to a full pipe. */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}

function echo(onLine = say) {
  linesOfInput(onLine)
}

function deafToSignals() {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
  stay()
}

/** Starts another peer; `group` shares the process group, otherwise it has a session of its own. */
function start(otherWay, { group = true, stdio = 'inherit' } = {}) {
  return spawn(process.execPath, [self, otherWay], { stdio, detached: !group })
}

const ways = {
  echo: () => echo(),
  environment() {
    say(JSON.stringify(process.env))
    echo()
  },
  place: () => say(JSON.stringify({ cwd: process.cwd(), argv: process.argv.slice(3) })),
  flood() {
    const log = Buffer.from(`${'x'.repeat(1023)}\n`.repeat(1024))
    echo((line) => {
      for (let turn = 0; turn < 16; turn += 1) writeAll(2, log)
      say(line)
    })
  },
  pouring() {
    const lines = Buffer.from(`${'x'.repeat(1023)}\n`.repeat(64))
    for (;;) writeAll(1, lines)
  },
  big() {
    echo(() => {
      const line = Buffer.from(`${'0123456789abcdef'.repeat(1 << 20)}\n`)
      for (let at = 0; at < line.length; at += 16_384) {
        process.stdout.write(line.subarray(at, at + 16_384))
      }
    })
  },
  refuse() {
    process.stdin.once('data', () => {
      process.stderr.write('loading\nfatal: \u001b[31mDEMO_KEY is not set\n')
      process.exitCode = 3
      process.stdin.destroy()
    })
  },
  crash: () => echo(() => process.kill(process.pid, 'SIGKILL')),
  leave: () => process.exit(Number(word)),
  unfinished() {
    process.stdin.once('data', () => {
      process.stdout.write('whole\nlast words')
      process.stdin.destroy()
    })
  },
  // What comes second fits into every system's pipe, so that it can go while nobody reads.
  talkative() {
    process.stdin.once('data', () => {
      say('first')
      process.stdin.once('data', () => {
        writeAll(1, Buffer.from(`${'y'.repeat(99)}\n`.repeat(150)))
        process.exit(0)
      })
    })
  },
  stubborn() {
    deafToSignals()
    say(process.pid)
    process.stdin.resume()
  },
  launcher() {
    const inner = start('stubborn-to-end')
    inner.on('spawn', () => say(inner.pid))
  },
  'stubborn-to-end': stay,
  orphaner() {
    const inner = start('stubborn', { stdio: ['ignore', 'pipe', 'ignore'] })
    // Only when it is deaf to signals it is of use.
    inner.stdout.once('data', () => {
      say(inner.pid)
      process.stdin.resume().on('end', () => process.exit(0))
    })
    if (word === 'now') inner.stdout.once('data', () => setImmediate(() => process.exit(9)))
  },
  holder() {
    const inner = start('stubborn-to-end', { group: false })
    inner.on('spawn', () => process.stdout.write(`${inner.pid}\n`, () => process.exit(0)))
  },
  chatterbox() {
    const inner = start('chatter', { group: false })
    inner.on('spawn', () => process.stdout.write(`${inner.pid}\n`, () => process.exit(0)))
  },
  chatter() {
    process.stdout.on('error', () => process.exit(0))
    setInterval(() => say('chatter'), 5)
  },
  deaf() {
    say('deaf')
    stay()
  },
  'closes-input'() {
    closeSync(0)
    say('closed')
    stay()
  },
  'closes-output'() {
    closeSync(1)
    stay()
  },
  'bad-bytes': () =>
    echo(() =>
      writeAll(1, Buffer.from([0x61, 10, 0xff, 10, ...Buffer.from(`${'z'.repeat(5000)}\nb\n`)])),
    ),
  'odd-errors'() {
    writeAll(2, Buffer.from([0x61, 0xff, 10, ...Buffer.from(`${'e'.repeat(100_000)}\n\nprompt: `)]))
    echo()
  },
}

ways[way]()
