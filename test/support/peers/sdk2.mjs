/**
 * A server of the official SDK of version 2, without a transport, for both eras: what `sdk1.mjs` offers, with questions
 * that travel by request or inside results as the era wants. `onGrown` hears that the list of tools has changed.
 */
import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const text = (words) => ({ content: [{ type: 'text', text: words }] })
const json = (value) => text(JSON.stringify(value))
const state = createRequestStateCodec({ key: new Uint8Array(32).fill(7) })
let cancelled = ''

export function makeServer(onGrown = () => {}) {
  const server = new McpServer(
    { name: 'sdk2', version: '1.0.0' },
    {
      capabilities: { logging: {}, tools: { listChanged: true } },
      instructions: 'Ask me anything.',
      requestState: { verify: (sealed, ctx) => state.verify(sealed, ctx) },
    },
  )
  addPlainTools(server)
  addQuestions(server)
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
    onGrown()
    return text('grown')
  })
  return server
}

function addPlainTools(server) {
  const words = z.object({ text: z.string() })
  server.registerTool('echo', { inputSchema: words }, (args) => text(args.text))

  server.registerTool('fail', {}, () => {
    throw new Error('this tool always fails')
  })

  const numbers = z.object({ a: z.number(), b: z.number() })
  const outputSchema = z.object({ sum: z.number() })
  server.registerTool('sum', { inputSchema: numbers, outputSchema }, ({ a, b }) => ({
    ...json({ sum: a + b }),
    structuredContent: { sum: a + b },
  }))

  const inputSchema = z.object({ steps: z.number() })
  server.registerTool('progress', { inputSchema }, async ({ steps }, { mcpReq }) => {
    const { progressToken } = mcpReq._meta
    for (let progress = 1; progress <= steps; progress += 1) {
      const params = { progressToken, progress, total: steps, message: `step ${progress}` }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    return text('done')
  })

  server.registerTool('wait', {}, async ({ mcpReq }) => {
    const params = { progressToken: mcpReq._meta.progressToken, progress: 1 }
    await mcpReq.notify({ method: 'notifications/progress', params })
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve))
    cancelled = String(mcpReq.signal.reason)
    return text('nobody reads this')
  })
  server.registerTool('was-cancelled', {}, () => text(cancelled))

  server.registerTool('log', {}, async ({ mcpReq }) => {
    await mcpReq.log('warning', { n: 1 }, 'peer')
    return text('logged')
  })
}

/** A tool for each kind of question, and one that asks two, the second after the first, with signed state. */
function addQuestions(server) {
  const form = {
    message: 'Who?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer' } },
      required: ['name'],
    },
  }
  const messages = [{ role: 'user', content: { type: 'text', text: 'Say something' } }]
  const questions = {
    elicit: inputRequired.elicit(form),
    sample: inputRequired.createMessage({ messages, maxTokens: 9 }),
    roots: inputRequired.listRoots(),
  }
  for (const [name, question] of Object.entries(questions)) {
    server.registerTool(name, {}, ({ mcpReq }) => {
      const { kind, ...answer } = inputResponse(mcpReq.inputResponses, 'q')
      if (kind === 'missing') return inputRequired({ inputRequests: { q: question } })
      return json(kind === 'sampling' ? answer.result : answer)
    })
  }
  server.registerTool('ask-twice', {}, async (ctx) => {
    const { mcpReq } = ctx
    const first = inputResponse(mcpReq.inputResponses, 'first')
    const second = inputResponse(mcpReq.inputResponses, 'second')
    const known = mcpReq.requestState()
    if (second.kind !== 'missing') return json({ first: known, second: second.roots })
    const inputRequests =
      first.kind === 'missing' ? { first: questions.elicit } : { second: questions.roots }
    const requestState = await state.mint(first.kind === 'missing' ? 'none' : first.content, ctx)
    return inputRequired({ inputRequests, requestState })
  })
}
