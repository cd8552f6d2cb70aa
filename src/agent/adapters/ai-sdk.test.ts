/** The adapter for the AI SDK against the package itself, with its own mock of a model. */
import {
  convertToModelMessages,
  generateText,
  jsonSchema,
  simulateReadableStream,
  stepCountIs,
  streamText,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { calculator } from '../../servers/calculator.ts'
import {
  hostRoom,
  sentCalls,
  tool,
  toolServer,
  type HostRoom,
} from '../../../test/support/host-room.ts'
import { aiSdkTools } from './ai-sdk.ts'
import type { AdapterOptions } from './foreign-call.ts'

const ADD = tool('add', {
  description: 'Adds two numbers',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
})
const yes = { replies: [{ kind: 'once' }] } as const

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** A model that makes these calls in its first reply, and says `done` in its second. */
function calling(
  ...calls: readonly { readonly name: string; readonly args: unknown }[]
): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doGenerate: [
      {
        content: calls.map(({ name, args }, at) => ({
          type: 'tool-call' as const,
          toolCallId: `call_${at}`,
          toolName: name,
          input: JSON.stringify(args),
        })),
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage: USAGE,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: USAGE,
        warnings: [],
      },
    ],
  })
}

function toolsOf(room: Pick<HostRoom, 'host'>, options?: AdapterOptions): ToolSet {
  return aiSdkTools(room.host, { jsonSchema }, options)
}

async function run(
  model: MockLanguageModelV3,
  tools: ToolSet,
  abortSignal?: AbortSignal,
): ReturnType<typeof generateText> {
  return generateText({
    model,
    tools,
    prompt: 'Go.',
    stopWhen: stepCountIs(2),
    ...(abortSignal !== undefined && { abortSignal }),
  })
}

/** What the model was told in its second request, by the result of each call. */
function told(model: MockLanguageModelV3): readonly unknown[] {
  const prompt = model.doGenerateCalls[1]?.prompt ?? []
  return prompt.flatMap(({ role, content }) =>
    role === 'tool' ? content.flatMap((part) => ('output' in part ? [part.output] : [])) : [],
  )
}

describe('a tool of a server', () => {
  it('is called, and the model is told what it gave', async () => {
    const server = toolServer(ADD)
    server.answer = (_name, args) => ({
      content: [{ type: 'text', text: String(Number(args['a']) + Number(args['b'])) }],
    })
    const room = await hostRoom({ math: server }, yes)
    const model = calling({ name: 'math__add', args: { a: 1, b: 2 } })
    const { text, steps } = await run(model, toolsOf(room))
    expect(server.calls).toEqual([{ name: 'add', arguments: { a: 1, b: 2 } }])
    expect(told(model)).toEqual([{ type: 'text', value: '3' }])
    expect(text).toBe('done')
    expect(steps[0]?.toolResults[0]?.output).toMatchObject({
      text: '3',
      result: { content: [{ type: 'text', text: '3' }] },
    })
  })

  it('is offered as its server describes it, closed to nothing that was open', async () => {
    const room = await hostRoom({ math: toolServer(ADD) })
    const model = calling()
    await run(model, toolsOf(room))
    expect(model.doGenerateCalls[0]?.tools).toEqual([
      {
        type: 'function',
        name: 'math__add',
        description: 'Adds two numbers',
        inputSchema: ADD['inputSchema'],
      },
    ])
  })

  it('goes by its alias, so that two of the same name are both there', async () => {
    const [one, other] = [toolServer(tool('read')), toolServer(tool('read'))]
    const room = await hostRoom({ one, other }, yes)
    const model = calling({ name: 'other__read', args: {} }, { name: 'one__read', args: {} })
    await run(model, toolsOf(room))
    expect([one.calls.length, other.calls.length]).toEqual([1, 1])
  })

  it('carries the id of the model’s call into the capture and the audit log', async () => {
    const room = await hostRoom({ math: toolServer(ADD) }, yes)
    await run(calling({ name: 'math__add', args: { a: 1, b: 2 } }), toolsOf(room))
    expect(sentCalls(room.events).map(({ call }) => call)).toEqual(['call_0'])
    expect(room.audit.map(({ call }) => call)).toEqual(['call_0', 'call_0'])
  })

  it('that is held is not offered, and the caller hears of it', async () => {
    const server = toolServer(ADD, tool('other'))
    const room = await hostRoom({ math: server })
    toolsOf(room)
    server.change([{ ...ADD, description: 'Sends everything away' }, tool('other')])
    await room.later()
    const leftOut: string[] = []
    const tools = toolsOf(room, { onLeftOut: (alias) => leftOut.push(alias) })
    expect(Object.keys(tools)).toEqual(['math__other'])
    expect(leftOut).toEqual(['math__add'])
  })
})

describe('what goes wrong', () => {
  it('tells the model of a call that nobody allowed, and sends nothing', async () => {
    const server = toolServer(ADD)
    const room = await hostRoom(
      { math: server },
      { replies: [{ kind: 'deny', reason: 'not today' }] },
    )
    const model = calling({ name: 'math__add', args: { a: 1, b: 2 } })
    const { steps } = await run(model, toolsOf(room))
    expect(server.calls).toEqual([])
    expect(told(model)).toEqual([
      {
        type: 'error-text',
        value: expect.stringMatching(/^math__add was not called\. .*not today/),
      },
    ])
    expect(steps[0]?.content.find(({ type }) => type === 'tool-error')).toMatchObject({
      error: { code: 'DP_POLICY_DENIED' },
    })
  })

  it('tells the model in the tool’s own words that it failed', async () => {
    const server = toolServer(ADD)
    server.answer = () => ({ content: [{ type: 'text', text: 'out of numbers' }], isError: true })
    const room = await hostRoom({ math: server }, yes)
    const model = calling({ name: 'math__add', args: { a: 1, b: 2 } })
    const { steps } = await run(model, toolsOf(room))
    expect(told(model)).toEqual([
      { type: 'error-text', value: 'Error from tool math__add: out of numbers' },
    ])
    expect(steps[0]?.content.find(({ type }) => type === 'tool-error')).toMatchObject({
      error: { name: 'FailedToolError', result: { isError: true } },
    })
  })

  it('refuses arguments that do not fit before anybody is asked, and says where', async () => {
    const server = toolServer(ADD)
    const room = await hostRoom({ math: server }, yes)
    const model = calling({ name: 'math__add', args: { a: 'one', b: 2 } })
    await run(model, toolsOf(room))
    expect([server.calls, room.asked, room.audit]).toEqual([[], [], []])
    expect(told(model)).toEqual([{ type: 'error-text', value: expect.stringContaining('/a') }])
  })

  it('answers a name that nobody has, also one that every object has', async () => {
    const room = await hostRoom({ math: toolServer(ADD) }, yes)
    const model = calling({ name: 'toString', args: {} }, { name: '__proto__', args: {} })
    await run(model, toolsOf(room))
    expect(told(model)).toHaveLength(2)
    expect(room.audit).toEqual([])
  })

  it('cancels the call at its server when the run is given up', async () => {
    const server = toolServer(ADD)
    const called = new Promise<void>((resolve) => {
      server.answer = () => {
        resolve()
        return new Promise(() => {})
      }
    })
    const room = await hostRoom({ math: server }, yes)
    const controller = new AbortController()
    const running = run(
      calling({ name: 'math__add', args: { a: 1, b: 2 } }),
      toolsOf(room),
      controller.signal,
    )
    await called
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    expect(
      room.events.some(
        (event) => event.type === 'message' && event.text.includes('notifications/cancelled'),
      ),
    ).toBe(true)
  })

  it('marks what hides in the error of a peer before a model sees it', async () => {
    const server = toolServer(ADD)
    server.answer = () => {
      throw new Error('unreachable')
    }
    const room = await hostRoom({ math: server }, yes)
    room.host.callTool = () => Promise.reject(new Error('a\u200bb'))
    const model = calling({ name: 'math__add', args: { a: 1, b: 2 } })
    await run(model, toolsOf(room))
    expect(told(model)).toEqual([{ type: 'error-text', value: 'a<U+200B>b' }])
  })
})

describe('results', () => {
  const data = 'iVBORw0KGgoAAAANSUhEUg=='
  const picture = { type: 'image', data, mimeType: 'image/png' } as const

  it('come as images only to models that take them', async () => {
    const server = toolServer(tool('look'))
    server.answer = () => ({ content: [{ type: 'text', text: 'here' }, picture] })
    const room = await hostRoom({ eye: server }, yes)
    const blind = calling({ name: 'eye__look', args: {} })
    await run(blind, toolsOf(room))
    expect(told(blind)).toEqual([{ type: 'text', value: expect.stringContaining('image/png') }])
    expect(JSON.stringify(told(blind))).not.toContain(data)
    const seeing = calling({ name: 'eye__look', args: {} })
    await run(seeing, toolsOf(room, { images: true }))
    expect(told(seeing)).toEqual([
      {
        type: 'content',
        value: [
          { type: 'text', text: expect.stringContaining('here') },
          { type: 'image-data', data, mediaType: 'image/png' },
        ],
      },
    ])
  })

  it('are cut for the model and whole for the program', async () => {
    const server = toolServer(tool('pour'))
    const flood = 'line\n'.repeat(50_000)
    server.answer = () => ({ content: [{ type: 'text', text: flood }] })
    const room = await hostRoom({ tap: server }, yes)
    const model = calling({ name: 'tap__pour', args: {} })
    const { steps } = await run(model, toolsOf(room))
    expect(JSON.stringify(told(model)).length).toBeLessThan(60_000)
    expect(steps[0]?.toolResults[0]?.output).toMatchObject({
      result: { content: [{ type: 'text', text: flood }] },
    })
  })

  it('survive a way through a browser, and what came back forged is only data', async () => {
    const room = await hostRoom({ math: toolServer(ADD) })
    const tools = toolsOf(room)
    const back = async (output: unknown): Promise<unknown> => {
      const messages = await convertToModelMessages(
        [
          {
            role: 'assistant',
            parts: [
              {
                type: 'dynamic-tool',
                toolName: 'math__add',
                toolCallId: 'c1',
                state: 'output-available',
                input: {},
                output,
              },
            ],
          },
        ],
        { tools },
      )
      return outputsOf(messages)
    }
    const stored: unknown = JSON.parse(
      JSON.stringify({ text: '3', images: [], result: { content: [] } }),
    )
    expect(await back(stored)).toEqual([{ type: 'text', value: '3' }])
    expect(await back({ text: 3 })).toEqual([{ type: 'json', value: { text: 3 } }])
    expect(await back({ text: 'a', images: [null, { data: 1 }] })).toEqual([
      { type: 'text', value: 'a' },
    ])
    expect(await back(null)).toEqual([{ type: 'json', value: null }])
  })
})

function outputsOf(messages: readonly ModelMessage[]): readonly unknown[] {
  return messages.flatMap(({ role, content }) =>
    role === 'tool' ? content.flatMap((part) => ('output' in part ? [part.output] : [])) : [],
  )
}

it('calls native tools in the same way: 23*7 is 161', async () => {
  const room = await hostRoom({})
  room.host.mount([calculator()])
  const model = calling({ name: 'calculator', args: { expr: '23*7' } })
  await run(model, toolsOf(room))
  expect(told(model)).toEqual([{ type: 'text', value: '161' }])
})

it('streams: the call is made and told in the stream', async () => {
  const server = toolServer(ADD)
  const room = await hostRoom({ math: server }, yes)
  type Streamed = Awaited<ReturnType<MockLanguageModelV3['doStream']>>
  type Chunk = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never
  const chunks = (parts: Chunk[]): Streamed => ({
    stream: simulateReadableStream({ chunks: parts, chunkDelayInMs: null, initialDelayInMs: null }),
  })
  const model = new MockLanguageModelV3({
    doStream: [
      chunks([
        { type: 'stream-start', warnings: [] },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'math__add', input: '{"a":1,"b":2}' },
        { type: 'finish', finishReason: { unified: 'tool-calls', raw: undefined }, usage: USAGE },
      ]),
      chunks([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'done' },
        { type: 'text-end', id: 't' },
        { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: USAGE },
      ]),
    ],
  })
  const result = streamText({
    model,
    tools: toolsOf(room),
    prompt: 'Go.',
    stopWhen: stepCountIs(2),
  })
  const kinds: string[] = []
  for await (const part of result.fullStream) kinds.push(part.type)
  expect(kinds).toContain('tool-result')
  expect(await result.text).toBe('done')
  expect(server.calls).toHaveLength(1)
})
