/**
 * Work that takes its time: it tells how far it has come, and stops when nobody waits for it any more. Server and client stand in
 * one program here; over a pipe or HTTP it is the same.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { CancelledError, connect, defineTool, memoryPair, Server } from '../src/index.ts'

const count = defineTool<{ to: number }>({
  name: 'count',
  description: 'Counts, ten a second.',
  input: {
    type: 'object',
    properties: { to: { type: 'integer', minimum: 1, maximum: 1000 } },
    required: ['to'],
  },
  async run({ to }, { progress, signal }) {
    signal.addEventListener('abort', () => console.log('server: given up'))
    for (let done = 1; done <= to; done += 1) {
      await pause(100, undefined, { signal }) // throws when the client gives up: nobody hears of it
      progress({ progress: done, total: to, message: `at ${done}` })
    }
    return 'Counted.'
  },
})

const [near, far] = memoryPair()
const served = new Server({ name: 'counter', version: '1.0.0', tools: [count] }).accept(far)
const client = await connect(near)

// The client asks for progress by listening to it.
const result = await client.callTool(
  'count',
  { to: 3 },
  { onProgress: ({ progress, total }) => console.log(`client: ${progress} of ${total}`) },
)
console.log('client:', result.content)

// And gives up by a signal: here at the first sign of life.
const enough = new AbortController()
const { signal } = enough
const onProgress = (): void => enough.abort()
try {
  await client.callTool('count', { to: 1000 }, { signal, onProgress })
} catch (error) {
  if (!(error instanceof CancelledError)) throw error
  console.log('client: cancelled')
}
await client.close()
await served
