/**
 * A server whose messages are right and whose lines are not. The word says how: `banner` mixes prose and other
 * JSON into its output, `marked` puts a byte order mark before each line, `blank` ends lines as Windows does and
 * sends empty ones, `crumbs` writes byte by byte, `nobody` adds errors that belong to no request.
 */
import { say, serve, words } from './talk.mjs'

const TEXT = 'żółć 漢字 🦉 \uFEFF \u2028 a\r\nb'
const tools = { speak: () => words(TEXT) }
const raw = (text) => process.stdout.write(text)

const ways = {
  banner(message) {
    raw(`INFO about to answer {"${message.id}"\n[1,2]\n"text"\n`)
    say(message)
    raw('17\nnull\n{"event":"answered"}\n')
  },
  marked: (message) => raw(`\uFEFF${JSON.stringify(message)}\n`),
  blank: (message) => raw(`\r\n\n \t\r\n  ${JSON.stringify(message)}  \r\n\n`),
  crumbs(message) {
    const bytes = Buffer.from(`${JSON.stringify(message)}\r\n`)
    crumbs.push(...bytes)
    pump()
  },
  nobody(message) {
    say({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'which request?' } })
    say({ jsonrpc: '2.0', error: { code: -32603, message: 'whose?' } })
    say(message)
  },
}

/** One byte a turn of the event loop, so that reads cut characters and line ends apart. */
const crumbs = []
let pumping = false
function pump() {
  if (pumping) return
  pumping = true
  const next = () => {
    const byte = crumbs.shift()
    if (byte === undefined) {
      pumping = false
      return
    }
    process.stdout.write(Buffer.of(byte), () => setImmediate(next))
  }
  next()
}

const way = process.argv[2]
if (way === 'banner') raw('*** starting ***\n{"ready":true}\n')
serve(tools, ways[way])
