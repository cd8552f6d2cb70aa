/**
 * A server with everything a row of the table may need, the same over every transport. What a test must bring about on
 * the server's side it brings about by calling a tool, so that the server may be another process.
 */

import { Server } from '../../../src/server/server.ts'
import type { ServerOptions } from '../../../src/server/options.ts'
import { elicit, listRoots, sample, type CompletionContext } from '../../../src/tools/context.ts'
import { defineTool, reply, ToolError, type ToolDefinition } from '../../../src/tools/define.ts'
import { definePrompt } from '../../../src/tools/prompt.ts'
import { defineResource } from '../../../src/tools/resource.ts'
import { defineTemplate } from '../../../src/tools/template.ts'

/** One pixel, and a few samples of silence. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

const FORM = {
  message: 'Who is there?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      age: { type: 'integer', minimum: 0 },
      member: { type: 'boolean', default: true },
    },
    required: ['name'],
  },
} as const

/** What the server remembers for a test to look at. */
interface Memory {
  cancelled: number
  waiting: number
  rootsChanged: number
}

export function tableServer(options: Partial<ServerOptions> = {}): Server {
  const memory: Memory = { cancelled: 0, waiting: 0, rootsChanged: 0 }
  const server: Server = new Server({
    name: 'table',
    title: 'The table',
    version: '1.0.0',
    instructions: 'For tests.',
    logging: true,
    pageSize: 7,
    tasks: { pollIntervalMs: 50 },
    ...options,
    tools: [
      ...plainTools(),
      ...workTools(memory),
      ...askingTools(),
      ...changingTools(() => server),
    ],
    resources: [
      defineResource({
        uri: 'table://text',
        name: 'text',
        mimeType: 'text/plain',
        annotations: { audience: ['user'], priority: 0.5 },
        read: () => 'plain words',
      }),
      defineResource({
        uri: 'table://bytes',
        name: 'bytes',
        mimeType: 'image/png',
        read: () => ({ blob: PNG, mimeType: 'image/png' }),
      }),
      defineResource({
        uri: 'table://asks',
        name: 'asks',
        read: async (_uri, ctx) => {
          const answer = await ctx.ask('who', elicit(FORM))
          return `for ${String(answer.content?.['name'])}`
        },
      }),
    ],
    templates: [
      defineTemplate({
        uriTemplate: 'table://item/{id}',
        name: 'item',
        complete: { id: (value) => ['one', 'two', 'three'].filter((id) => id.startsWith(value)) },
        read: (_uri, { id }) => `item ${String(id)}`,
      }),
    ],
    prompts: [
      definePrompt({ name: 'plain', description: 'Says hello.', get: () => 'Hello' }),
      definePrompt({
        name: 'letter',
        arguments: [
          { name: 'to', required: true },
          {
            name: 'tone',
            complete: (value: string, ctx: CompletionContext) =>
              ['formal', 'friendly', ctx.arguments['to'] ?? 'nobody'].filter((tone) =>
                tone.startsWith(value),
              ),
          },
        ],
        get: ({ to, tone }) => [
          { role: 'user', content: `Write to ${to}, ${tone ?? 'plainly'}.` },
          {
            role: 'assistant',
            content: {
              type: 'resource',
              resource: { uri: 'table://text', mimeType: 'text/plain', text: 'plain words' },
            },
          },
        ],
      }),
      definePrompt({
        name: 'asks',
        get: async (_args, ctx) => {
          const answer = await ctx.ask('who', elicit(FORM))
          return `Hello ${String(answer.content?.['name'])}`
        },
      }),
    ],
  })
  server.onNotification((method) => {
    if (method === 'notifications/roots/list_changed') memory.rootsChanged += 1
  })
  return server
}

function plainTools(): readonly ToolDefinition[] {
  return [
    defineTool<{ text: string }>({
      name: 'echo',
      description: 'Says it again.',
      input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      annotations: { readOnlyHint: true },
      run: ({ text }) => text,
    }),
    defineTool<{ a: number; b: number }>({
      name: 'sum',
      input: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      run: ({ a, b }) => ({ sum: a + b }),
    }),
    defineTool({
      name: 'list',
      output: { type: 'array', items: { type: 'integer' } },
      run: () => [1, 2],
    }),
    defineTool({
      name: 'blocks',
      run: () =>
        reply({
          content: [
            { type: 'text', text: 'words' },
            { type: 'image', data: PNG, mimeType: 'image/png' },
            { type: 'audio', data: WAV, mimeType: 'audio/wav' },
            {
              type: 'resource',
              resource: { uri: 'table://text', mimeType: 'text/plain', text: 'plain words' },
            },
            { type: 'resource_link', uri: 'table://bytes', name: 'bytes' },
          ],
        }),
    }),
    defineTool({
      name: 'fail',
      run: () => {
        throw new ToolError('out of paper')
      },
    }),
    defineTool({
      name: 'break',
      run: () => {
        throw new Error('secret of the house')
      },
    }),
  ]
}

function workTools(memory: Memory): readonly ToolDefinition[] {
  return [
    defineTool<{ count: number }>({
      name: 'steps',
      input: { type: 'object', properties: { count: { type: 'integer' } } },
      async run({ count }, ctx) {
        for (let step = 1; step <= count; step += 1) {
          ctx.progress({ progress: step, total: count, message: `step ${step}` })
          // Lets each step reach the wire, as real work would.
          await new Promise((resolve) => setTimeout(resolve, 60))
        }
        return 'done'
      },
    }),
    defineTool({
      name: 'chatter',
      run(_args, ctx) {
        ctx.log('debug', 'small')
        ctx.log('warning', { big: true }, 'table')
        return 'said'
      },
    }),
    defineTool({
      name: 'wait',
      async run(_args, ctx) {
        memory.waiting += 1
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
        memory.cancelled += 1
        return 'given up'
      },
    }),
    defineTool({
      name: 'job',
      task: 'optional',
      async run(_args, ctx) {
        const answer = await ctx.ask('who', elicit(FORM))
        return `done for ${String(answer.content?.['name'])}`
      },
    }),
    defineTool({ name: 'memory', run: () => ({ ...memory }) }),
    defineTool({
      name: 'trace',
      run: (_args, ctx) => ({ traceparent: ctx.trace?.traceparent ?? null, meta: ctx.meta }),
    }),
  ]
}

function askingTools(): readonly ToolDefinition[] {
  return [
    defineTool({
      name: 'ask_form',
      async run(_args, ctx) {
        const answer = await ctx.ask('who', elicit(FORM))
        return answer.action === 'accept' ? JSON.stringify(answer.content) : answer.action
      },
    }),
    defineTool({
      name: 'ask_twice',
      async run(_args, ctx) {
        const first = await ctx.ask('first', elicit(FORM))
        const second = await ctx.ask('second', elicit(FORM))
        return [first, second].map(({ content }) => String(content?.['name'])).join(' and ')
      },
    }),
    defineTool({
      name: 'ask_url',
      async run(_args, ctx) {
        const question = elicit({
          mode: 'url',
          message: 'Please sign',
          url: 'https://example.com/sign',
        })
        const answer = await ctx.ask('sign', question)
        return answer.action
      },
    }),
    defineTool({
      name: 'ask_model',
      async run(_args, ctx) {
        const message = { role: 'user', content: { type: 'text', text: 'A word?' } } as const
        const answer = await ctx.ask('word', sample({ messages: [message], maxTokens: 10 }))
        const block = Array.isArray(answer.content) ? answer.content[0] : answer.content
        return block?.type === 'text' ? block.text : 'no text'
      },
    }),
    defineTool({
      name: 'ask_roots',
      async run(_args, ctx) {
        const { roots } = await ctx.ask('roots', listRoots())
        return roots.map(({ uri }) => uri).join(' ')
      },
    }),
  ]
}

function changingTools(server: () => Server): readonly ToolDefinition[] {
  return [
    defineTool<{ what: string }>({
      name: 'change',
      input: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      run({ what }) {
        const { tools, prompts, resources } = server()
        if (what === 'tools' && !tools.remove('extra'))
          tools.add(defineTool({ name: 'extra', run: () => 'more' }))
        if (what === 'prompts' && !prompts.remove('extra'))
          prompts.add(definePrompt({ name: 'extra', get: () => 'more' }))
        if (what === 'resources' && !resources.remove('table://extra'))
          resources.add(defineResource({ uri: 'table://extra', name: 'extra', read: () => 'more' }))
        if (what === 'resource') server().resourceUpdated('table://text')
        return 'changed'
      },
    }),
  ]
}
