/**
 * A server that is well until something is wrong with it: `node faulty.mjs <way> [word]`. Tools are `echo`, `pid` and, for
 * ways that begin when they are told to, `break`. Floods keep to 20 MB in a second, and wait while nobody reads.
 *
 * `loop` ends as soon as it was asked for its list, `short` before it has answered anything, `mute` never answers, `slow` waits
 * for the file of its word, `stubborn` heeds neither signals nor the end of its input, nor does what it starts.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hear, manners, refused, say, told, words } from './talk.mjs'

const [way = 'steady', word = ''] = process.argv.slice(2)
const stay = () => setInterval(() => {}, 1000)
const tools = { echo: ({ text }) => words(text), pid: () => words(String(process.pid)) }

const PERIOD_MS = 10
const FLOOD_BYTES = 20_000_000 / (1000 / PERIOD_MS)

/** Writes the piece again and again, as fast as is allowed and as the reader takes it. */
function pour(stream, piece) {
  const batch = Buffer.concat(Array(Math.floor(FLOOD_BYTES / piece.length)).fill(piece))
  let full = false
  stream.on('drain', () => (full = false))
  setInterval(() => {
    if (!full) full = !stream.write(batch)
  }, PERIOD_MS)
}

const line = (message) => Buffer.from(`${JSON.stringify(message)}\n`)

/** Bytes of every value, most of them no UTF-8, in lines of all lengths. The same in each run. */
function noise() {
  const bytes = Buffer.alloc(FLOOD_BYTES)
  let seed = 20_261_202
  for (let at = 0; at < bytes.length; at += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = seed >>> 16
  }
  bytes[bytes.length - 1] = 10
  return bytes
}

const broken = {
  hang: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  stdout: () =>
    pour(process.stdout, Buffer.from(`${'log line on the wrong stream '.repeat(35)}\n`)),
  stderr: () => pour(process.stderr, Buffer.from(`${'trace '.repeat(20)}\n`)),
  notifications: () =>
    pour(
      process.stdout,
      line(told('notifications/message', { level: 'info', data: 'x'.repeat(100) })),
    ),
  storm: () => pour(process.stdout, line(told('notifications/tools/list_changed', {}))),
  garbage: () => pour(process.stdout, noise()),
}

/** Answers as a well-behaved server does; `after` runs when an answer was written. */
function serve(after = () => {}) {
  const begin = broken[way]
  const own = begin === undefined ? tools : { ...tools, break: () => words('broken from now on') }
  hear((message) => {
    const answer = manners(message, own)
    if (answer === undefined) return
    if (message.method === 'initialize') {
      answer.result.capabilities = { tools: { listChanged: true }, logging: {} }
      answer.result.serverInfo.name = way
    }
    say(answer)
    if (message.method === 'tools/call' && message.params.name === 'break')
      setImmediate(() => begin())
    after(message)
  })
}

const ways = {
  loop: () => serve(({ method }) => method === 'tools/list' && process.exit(7)),
  short: () => process.exit(7),
  mute: () => hear(() => {}),
  refuse: () => hear(({ id }) => id !== undefined && say(refused(id, -32_603, 'not for you'))),
  slow() {
    const look = setInterval(() => {
      if (!existsSync(word)) return
      clearInterval(look)
      serve()
    }, 20)
  },
  stubborn() {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
    process.stdout.on('error', () => {})
    stay()
    const self = fileURLToPath(import.meta.url)
    const inner = spawn(process.execPath, [self, 'deaf', word], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    tools.pid = () => words(`${process.pid} ${inner.pid}`)
    hear(
      (message) => {
        const answer = manners(message, tools)
        if (answer !== undefined) say(answer)
      },
      () => {},
    )
  },
  deaf() {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
    stay()
  },
}

;(ways[way] ?? serve)()
