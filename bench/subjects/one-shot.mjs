/**
 * What one tool call from a shell needs at least: `node one-shot.mjs tool key=value … -- command …`
 * starts the server, calls, prints the text and stops the server. About 40 lines.
 */
import { spawn } from 'node:child_process'

const [tool, ...words] = process.argv.slice(2)
const [command, ...args] = words.splice(words.indexOf('--')).slice(1)
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const pending = new Map()
let [lastId, rest] = [0, '']
child.stdout.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id, result, error } = JSON.parse(line)
    pending.get(id)?.(error ?? result)
  }
})

function request(method, params) {
  const id = ++lastId
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  return new Promise((resolve) => pending.set(id, resolve))
}

await request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'one-shot', version: '1.0.0' },
})
child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
const reply = await request('tools/call', {
  name: tool,
  arguments: Object.fromEntries(words.map((word) => word.split('='))),
})
console.log(reply.content.map(({ text }) => text).join('\n'))
process.exitCode = reply.isError ? 1 : 0
child.stdin.end()
