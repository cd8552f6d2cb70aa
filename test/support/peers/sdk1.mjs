/**
 * A server of the official SDK of version 1, without a transport: echoes, fails, reports progress, asks the client three
 * kinds of questions, changes its list of tools, answers with structured content, and has a resource and a prompt.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

const text = (words) => ({ content: [{ type: 'text', text: words }] })
/** With what reason a call was cancelled, on whatever server of this process. */
let cancelled = ''

export function makeServer() {
  const server = new McpServer(
    { name: 'sdk1', version: '1.0.0' },
    {
      capabilities: { logging: {}, tools: { listChanged: true } },
      instructions: 'Ask me anything.',
    },
  )

  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text: words }) =>
    text(words),
  )

  server.registerTool('fail', {}, () => {
    throw new Error('this tool always fails')
  })

  server.registerTool(
    'sum',
    {
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
    },
    ({ a, b }) => ({ ...text(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }),
  )

  server.registerTool(
    'progress',
    { inputSchema: { steps: z.number() } },
    async ({ steps }, extra) => {
      const { progressToken } = extra._meta
      for (let progress = 1; progress <= steps; progress += 1) {
        const params = { progressToken, progress, total: steps, message: `step ${progress}` }
        await extra.sendNotification({ method: 'notifications/progress', params })
      }
      return text('done')
    },
  )

  /** Says that it runs and waits until it is cancelled; `was-cancelled` tells with what reason that happened. */
  server.registerTool('wait', {}, async (extra) => {
    const params = { progressToken: extra._meta.progressToken, progress: 1 }
    await extra.sendNotification({ method: 'notifications/progress', params })
    await new Promise((resolve) => extra.signal.addEventListener('abort', resolve))
    cancelled = String(extra.signal.reason)
    return text('nobody reads this')
  })
  server.registerTool('was-cancelled', {}, () => text(cancelled))

  server.registerTool('elicit', {}, async () => {
    const requestedSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer' } },
      required: ['name'],
    }
    return text(
      JSON.stringify(await server.server.elicitInput({ message: 'Who?', requestedSchema })),
    )
  })

  server.registerTool('sample', {}, async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say something' } }]
    return text(JSON.stringify(await server.server.createMessage({ messages, maxTokens: 9 })))
  })

  server.registerTool('roots', {}, async () =>
    text(JSON.stringify(await server.server.listRoots())),
  )

  server.registerTool('log', {}, async () => {
    await server.sendLoggingMessage({ level: 'warning', logger: 'peer', data: { n: 1 } })
    return text('logged')
  })

  server.registerResource('text', 'peer://text', {}, ({ href }) => ({
    contents: [{ uri: href, text: 'plain words' }],
  }))
  server.registerPrompt('hello', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  }))

  let extras = 0
  server.registerTool('grow', {}, () => {
    extras += 1
    server.registerTool(`extra-${extras}`, {}, () => text('new'))
    return text('grown')
  })
  return server
}
