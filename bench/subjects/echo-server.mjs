/**
 * The base: parses each line and writes it back. No method, no protocol, one write a message
 * (`--joined`: one write a turn of the loop).
 */
import { serverOptions } from './workload.mjs'

const { joined } = serverOptions()
let rest = ''
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  let out = ''
  for (const line of lines) {
    const answer = `${JSON.stringify(JSON.parse(line))}\n`
    if (joined) out += answer
    else process.stdout.write(answer)
  }
  if (joined) process.stdout.write(out)
})
