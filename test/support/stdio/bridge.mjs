/**
 * A process whose standard input and output lead to two sockets: `node bridge.mjs <input> <output>`. So a test has both ends
 * of real pipes in its own hands. It ends when the far side of its output does.
 */
import { connect } from 'node:net'

const [inputPath, outputPath] = process.argv.slice(2)
const input = connect({ path: inputPath, allowHalfOpen: true })
const output = connect({ path: outputPath, allowHalfOpen: true })

process.stdin.pipe(input)
output.pipe(process.stdout)
for (const stream of [process.stdin, process.stdout, input, output]) stream.on('error', () => {})
output.on('close', leave)
output.on('end', leave)

function leave() {
  input.destroy()
  output.destroy()
  process.stdin.destroy()
}
