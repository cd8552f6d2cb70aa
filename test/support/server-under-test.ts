/**
 * The server that hostile clients are let loose on, as a program: four plain tools over standard input and output.
 * `bundleFile` makes one module of it. Words on the command line add behaviour: `chatty` prints to standard
 * output, `busy` keeps a timer that would hold the process open, `narrow` takes messages of up to 1 MiB.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Server } from '../../src/server/server.ts'
import { defineTool, ToolError } from '../../src/tools/define.ts'
import { stdioServer } from '../../src/transport/node/stdio-server.ts'

const words = process.argv.slice(2)
const chatty = words.includes('chatty')
if (words.includes('busy')) setInterval(() => {}, 1 << 30)

const echo = defineTool<{ text: string }>({
  name: 'echo',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run({ text }) {
    if (chatty) console.log('a stray word', text)
    return text
  },
})

const now = defineTool({ name: 'now', run: () => new Date().toISOString() })

const slow = defineTool<{ ms: number }>({
  name: 'slow',
  input: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
  async run({ ms }, { signal }) {
    await sleep(ms, undefined, { signal })
    return 'slow'
  },
})

const fail = defineTool({
  name: 'fail',
  run() {
    throw new ToolError('this tool always fails')
  },
})

const server = new Server({
  name: 'under-test',
  version: '1.0.0',
  tools: [echo, now, slow, fail],
  ...(words.includes('narrow') ? { maxMessageBytes: 1 << 20 } : {}),
})
await server.accept(stdioServer())
