/** The adapter for LangChain against `@langchain/core` itself, with its own fake of a model. */
import { AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { FakeStreamingChatModel } from '@langchain/core/utils/testing'
import { describe, expect, it } from 'vitest'
import { calculator } from '../../servers/calculator.ts'
import { weather } from '../../servers/weather.ts'
import {
  hostRoom,
  sentCalls,
  tool,
  toolServer,
  type HostRoom,
} from '../../../test/support/host-room.ts'
import type { AdapterOptions } from './foreign-call.ts'
import { langChainTools } from './langchain.ts'

const ADD = tool('add', {
  description: 'Adds two numbers',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
})
const yes = { replies: [{ kind: 'once' }] } as const

function toolsOf(
  room: Pick<HostRoom, 'host'>,
  options?: AdapterOptions,
): StructuredToolInterface[] {
  return langChainTools(room.host, { DynamicStructuredTool, ToolMessage }, options)
}

function call(
  name: string,
  args: Record<string, unknown>,
): {
  type: 'tool_call'
  id: string
  name: string
  args: Record<string, unknown>
} {
  return { type: 'tool_call', id: 'call_1', name, args }
}

async function invoke(
  tools: readonly StructuredToolInterface[],
  name: string,
  args: Record<string, unknown>,
): Promise<ToolMessage> {
  const found = tools.find((one) => one.name === name)
  const message: unknown = await found?.invoke(call(name, args))
  if (!ToolMessage.isInstance(message)) throw new Error('no tool message')
  return message
}

describe('a tool of a server', () => {
  it('is called, and the message has its text, its id and the whole result', async () => {
    const server = toolServer(ADD)
    server.answer = () => ({
      content: [{ type: 'text', text: '3' }],
      structuredContent: { sum: 3 },
    })
    const room = await hostRoom({ math: server }, yes)
    const message = await invoke(toolsOf(room), 'math__add', { a: 1, b: 2 })
    expect(server.calls).toEqual([{ name: 'add', arguments: { a: 1, b: 2 } }])
    expect(message).toMatchObject({
      content: '3',
      status: 'success',
      tool_call_id: 'call_1',
      name: 'math__add',
      artifact: { structuredContent: { sum: 3 } },
    })
  })

  it('is offered to a provider under its alias with its own schema', async () => {
    const room = await hostRoom({ math: toolServer(ADD) })
    expect(toolsOf(room).map((one) => convertToOpenAITool(one))).toEqual([
      {
        type: 'function',
        function: {
          name: 'math__add',
          description: 'Adds two numbers',
          parameters: ADD['inputSchema'],
        },
      },
    ])
  })

  it('serves a whole round with the fake model of the package', async () => {
    const room = await hostRoom({ math: toolServer(ADD) }, yes)
    const tools = toolsOf(room)
    const model = new FakeStreamingChatModel({
      chunks: [
        new AIMessageChunk({ content: '', tool_calls: [call('math__add', { a: 1, b: 2 })] }),
      ],
    }).bindTools(tools as never)
    const reply = await model.invoke([new HumanMessage('Go.')])
    const messages = await Promise.all(
      (reply.tool_calls ?? []).map(({ name, args }) => invoke(tools, name, args)),
    )
    expect(messages.map(({ content }) => content)).toEqual(['done'])
  })

  it('carries the id of the model’s call into the capture and the audit log', async () => {
    const room = await hostRoom({ math: toolServer(ADD) }, yes)
    await invoke(toolsOf(room), 'math__add', { a: 1, b: 2 })
    expect(sentCalls(room.events).map((sent) => sent.call)).toEqual(['call_1'])
    expect(room.audit.map((record) => record.call)).toEqual(['call_1', 'call_1'])
  })

  it('gives images as blocks to models that take them', async () => {
    const server = toolServer(tool('look'))
    server.answer = () => ({
      content: [{ type: 'image', data: 'iVBORw0KGgoAAAANSUhEUg==', mimeType: 'image/png' }],
    })
    const room = await hostRoom({ eye: server }, yes)
    const message = await invoke(toolsOf(room, { images: true }), 'eye__look', {})
    expect(message.content).toEqual([
      { type: 'text', text: expect.any(String) },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUg==' },
    ])
  })
})

describe('what goes wrong', () => {
  it('is a message of status error for a call that nobody allowed', async () => {
    const server = toolServer(ADD)
    const room = await hostRoom(
      { math: server },
      { replies: [{ kind: 'deny', reason: 'not today' }] },
    )
    const message = await invoke(toolsOf(room), 'math__add', { a: 1, b: 2 })
    expect(server.calls).toEqual([])
    expect(message).toMatchObject({ status: 'error', tool_call_id: 'call_1' })
    expect(message.content).toMatch(/^math__add was not called\. .*not today/)
  })

  it('is a message of status error with the result for a tool that failed', async () => {
    const server = toolServer(ADD)
    server.answer = () => ({ content: [{ type: 'text', text: 'out of numbers' }], isError: true })
    const room = await hostRoom({ math: server }, yes)
    const message = await invoke(toolsOf(room), 'math__add', { a: 1, b: 2 })
    expect(message).toMatchObject({
      status: 'error',
      content: 'Error from tool math__add: out of numbers',
      artifact: { isError: true },
    })
  })

  it('is thrown where no call of a model waits for an answer', async () => {
    const room = await hostRoom({ math: toolServer(ADD) })
    const [add] = toolsOf(room)
    await expect(add?.invoke({ a: 1, b: 2 })).rejects.toMatchObject({ code: 'DP_POLICY_DENIED' })
  })

  it('is thrown where the class of messages was not handed in', async () => {
    const room = await hostRoom({ math: toolServer(ADD) })
    const [add] = langChainTools(room.host, { DynamicStructuredTool })
    await expect(add?.invoke(call('math__add', { a: 1, b: 2 }))).rejects.toMatchObject({
      code: 'DP_POLICY_DENIED',
    })
  })

  it('says which argument does not fit, before anybody is asked', async () => {
    const server = toolServer(ADD)
    const room = await hostRoom({ math: server }, yes)
    const [add] = toolsOf(room)
    await expect(add?.invoke(call('math__add', { a: 'one', b: 2 }))).rejects.toThrow('a')
    expect([server.calls, room.asked, room.audit]).toEqual([[], [], []])
  })

  it('leaves what another checker could hang with to the checker of this project', async () => {
    const server = toolServer(
      tool('trap', {
        inputSchema: {
          type: 'object',
          properties: { text: { type: 'string', pattern: '^(a+)+$' } },
        },
      }),
    )
    const room = await hostRoom({ bad: server }, yes)
    const message = await invoke(toolsOf(room), 'bad__trap', { text: `${'a'.repeat(50)}!` })
    expect(message.status).toBe('error')
    expect(message.content).toContain('/text')
    expect([server.calls, room.asked]).toEqual([[], []])
  })

  it('is not a schema that would keep another checker busy for ever', async () => {
    const double = (next: string): object => ({ allOf: [{ $ref: next }, { $ref: next }] })
    const levels = Array.from({ length: 40 }, (_, at) => [`d${at}`, double(`#/$defs/d${at + 1}`)])
    const inputSchema = {
      type: 'object',
      properties: { bomb: { $ref: '#/$defs/d0' }, list: { uniqueItems: true } },
      $defs: { ...Object.fromEntries(levels), d40: true },
    } as const
    const server = toolServer(tool('trap', { inputSchema }))
    const room = await hostRoom({ bad: server }, yes)
    await invoke(toolsOf(room), 'bad__trap', {
      bomb: 1,
      list: Array.from({ length: 20_000 }, () => ({})),
    })
    expect(room.asked.length).toBeLessThanOrEqual(1)
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
    const [add] = toolsOf(room)
    const controller = new AbortController()
    const running = add?.invoke(call('math__add', { a: 1, b: 2 }), { signal: controller.signal })
    await called
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    expect(
      room.events.some(
        (event) => event.type === 'message' && event.text.includes('notifications/cancelled'),
      ),
    ).toBe(true)
  })
})

it('calls the demo tools in the same way', async () => {
  const room = await hostRoom({}, yes)
  room.host.mount([calculator(), weather({ offline: true })])
  const tools = toolsOf(room)
  const [calculate, tellWeather] = tools
  expect(await calculate?.invoke({ expr: '23*7' })).toBe('161')
  expect(await tellWeather?.invoke({ city: '北京' })).toContain('北京 今天晴，25℃（mock）')
})
