/** A server for clients nobody here wrote: tools for everything that a tool may do. */
import type { WireSink } from '../../src/jsonrpc/wire.ts'
import type { Revision } from '../../src/protocol/revision.ts'
import { Server } from '../../src/server/server.ts'
import { elicit, listRoots, sample } from '../../src/tools/context.ts'
import { defineTool, ToolError } from '../../src/tools/define.ts'

/** Serves all revisions when none is named. `wire` hears everything. */
export function welcomingServer(revisions: readonly Revision[], wire: WireSink): Server {
  const numbers = {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  }

  const echo = defineTool<{ text: string }>({
    name: 'echo',
    description: 'Says it again',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true },
    run: ({ text }) => text,
  })

  const sum = defineTool<{ a: number; b: number }>({
    name: 'sum',
    title: 'Sum',
    input: numbers,
    output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    run: ({ a, b }) => ({ sum: a + b }),
  })

  const fail = defineTool({
    name: 'fail',
    run() {
      throw new ToolError('this tool always fails')
    },
  })

  // The steps are told one by one, each when the client has called `proceed`: a client may drop what it reads in one
  // piece with the answer.
  let proceed: () => void = () => {}
  const progress = defineTool<{ steps: number }>({
    name: 'progress',
    input: { type: 'object', properties: { steps: { type: 'integer' } }, required: ['steps'] },
    async run({ steps }, context) {
      for (let step = 1; step <= steps; step += 1) {
        const heard = new Promise<void>((resolve) => {
          proceed = resolve
        })
        context.progress({ progress: step, total: steps, message: `step ${step}` })
        await heard
      }
      return 'done'
    },
  })
  const proceeding = defineTool({ name: 'proceed', run: () => proceed() })

  let gaveUp = 'not yet'
  const wait = defineTool({
    name: 'wait',
    async run(_args, context) {
      const { signal } = context
      await new Promise<void>((resolve) => {
        // At once: the question about it may be in the same piece of input.
        const stop = (): void => {
          gaveUp = String(signal.reason)
          resolve()
        }
        signal.addEventListener('abort', stop, { once: true })
        context.progress({ progress: 1 })
      })
      return 'nobody reads this'
    },
  })
  const wasCancelled = defineTool({ name: 'was-cancelled', run: () => gaveUp })

  const askPerson = defineTool({
    name: 'elicit',
    async run(_args, context) {
      const properties = { name: { type: 'string' }, age: { type: 'integer' } } as const
      const requestedSchema = { type: 'object', properties, required: ['name'] } as const
      const answer = await context.ask('who', elicit({ message: 'Who?', requestedSchema }))
      return JSON.stringify(answer)
    },
  })

  const askTwice = defineTool({
    name: 'ask-twice',
    async run(_args, context) {
      const { roots } = await context.ask('where', listRoots())
      const messages = [
        { role: 'user' as const, content: { type: 'text' as const, text: 'what?' } },
      ]
      const { content } = await context.ask('what', sample({ messages, maxTokens: 9 }))
      return JSON.stringify({ roots, content })
    },
  })

  const grow = defineTool({
    name: 'grow',
    run() {
      server.tools.add(defineTool({ name: `extra-${server.tools.size}`, run: () => 'new' }))
      return 'grown'
    },
  })

  const leave = defineTool({
    name: 'leave',
    run() {
      setTimeout(() => void server.close(), 50)
      return 'bye'
    },
  })

  const server = new Server({
    name: 'strangers-welcome',
    version: '1.0.0',
    instructions: 'Ask me anything.',
    tools: [
      echo,
      sum,
      fail,
      progress,
      proceeding,
      wait,
      wasCancelled,
      askPerson,
      askTwice,
      grow,
      leave,
    ],
    ...(revisions.length === 0 ? {} : { revisions }),
    wire,
  })
  return server
}
