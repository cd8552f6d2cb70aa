/**
 * The base: a map from id to promise and a split at newlines. `joined` writes once a turn of the loop
 * instead of once a message.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export async function open({ command, args, variant }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const pending = new Map()
  let [lastId, rest, out] = [0, '', '']
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      const message = JSON.parse(line)
      const resolve = pending.get(message.id)
      pending.delete(message.id)
      resolve(message)
    }
  })
  const flush = () => {
    child.stdin.write(out)
    out = ''
  }
  const write =
    variant === 'joined'
      ? (text) => {
          if (out === '') setImmediate(flush)
          out += text
        }
      : (text) => child.stdin.write(text)
  return {
    call(name, params) {
      const id = ++lastId
      write(
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: params } })}\n`,
      )
      return new Promise((resolve) => pending.set(id, resolve))
    },
    async close() {
      child.stdin.end()
      await once(child, 'close')
    },
  }
}
