/** A server with one tool on standard input and output. Its client starts it. */
import { defineTool, Server } from '../src/index.ts'
import { stdioServer } from '../src/node/index.ts'

const greet = defineTool<{ name: string }>({
  name: 'greet',
  description: 'Greets somebody',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})
await new Server({ name: 'greeter', version: '1.0.0', tools: [greet] }).accept(stdioServer())
