import { describe, expect, it } from 'vitest'
import type { Message } from '../conversation.ts'
import type { Effort, ModelRequest, ModelTool } from '../model.ts'
import { chatCodec } from './chat-codec.ts'
import type { ChatFlavour } from './chat-flavour.ts'
import { DEEPSEEK } from './deepseek.ts'
import { COMPATIBLE, LLAMACPP, OPENAI_CHAT, OPENROUTER, VLLM } from './openai-chat.ts'

const say: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
const tools: readonly ModelTool[] = [
  { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } },
]

function encode(flavour: ChatFlavour, request: Partial<ModelRequest> = {}) {
  return chatCodec(flavour, 'm1').encode({ messages: [say], tools: [], ...request })
}

describe('a request of Chat Completions', () => {
  it('asks for a stream with its usage by default', () => {
    const { path, body } = encode(COMPATIBLE)
    expect(path).toBe('/chat/completions')
    expect(body).toEqual({
      model: 'm1',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('says nothing of a stream where none is wanted', () => {
    expect(Object.keys(encode(COMPATIBLE, { stream: false }).body)).toEqual(['model', 'messages'])
  })

  it('is the text of its body, whatever is in it', () => {
    const strange: readonly ModelTool[] = [
      {
        name: 'a',
        description: '"\u2028\ud800</script>',
        parameters: { $ref: '#', 'a"b': [1e21, null] },
      },
    ]
    for (const flavour of [DEEPSEEK, OPENAI_CHAT, OPENROUTER, LLAMACPP, VLLM, COMPATIBLE]) {
      const { text, body } = encode(flavour, {
        tools: strange,
        choice: { name: 'a' },
        maxOutputTokens: 7,
        temperature: 0.5,
        stop: ['x"'],
        effort: 'high',
        parallel: false,
        json: true,
      })
      expect(text).toBe(JSON.stringify(body))
    }
  })

  it('has the same bytes for the same tools in each request', () => {
    const bytes = JSON.stringify(tools.map((tool) => ({ type: 'function', function: tool })))
    const first = encode(DEEPSEEK, { tools }).text
    const second = encode(DEEPSEEK, { tools: [...tools], messages: [say, say] }).text
    expect(first).toContain(`"tools":${bytes}`)
    expect(second).toContain(`"tools":${bytes}`)
  })

  it('holds a tool to its schema only where that was asked for', () => {
    const strict = tools.map((tool) => ({ ...tool, strict: true }))
    const { body } = encode(COMPATIBLE, { tools: [...tools, ...strict] })
    expect(body['tools']).toMatchObject([{}, { function: { strict: true } }])
    expect(JSON.stringify(body['tools'])).toBe(
      JSON.stringify([tools[0], strict[0]].map((tool) => ({ type: 'function', function: tool }))),
    )
  })

  it.each([
    ['max_tokens', DEEPSEEK],
    ['max_tokens', LLAMACPP],
    ['max_completion_tokens', OPENAI_CHAT],
  ])('limits the reply by %s', (name, flavour) => {
    expect(encode(flavour, { maxOutputTokens: 9 }).body[name]).toBe(9)
  })

  it('asks for one JSON object, for stops and a temperature', () => {
    const { body } = encode(COMPATIBLE, { json: true, stop: ['END'], temperature: 0 })
    expect(body).toMatchObject({
      response_format: { type: 'json_object' },
      stop: ['END'],
      temperature: 0,
    })
  })
})

describe('the choice of tools', () => {
  it.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ name: 'add' }, { type: 'function', function: { name: 'add' } }],
  ] as const)('of %j is sent', (choice, sent) => {
    expect(encode(COMPATIBLE, { tools, choice }).body['tool_choice']).toEqual(sent)
  })

  it('is not sent without tools, and a forced one is told', () => {
    const free = encode(COMPATIBLE, { choice: 'none', parallel: true })
    expect([free.body['tool_choice'], free.body['parallel_tool_calls']]).toEqual([
      undefined,
      undefined,
    ])
    expect(free.warnings).toEqual([])
    const forced = encode(COMPATIBLE, { choice: 'required' })
    expect(forced.body['tool_choice']).toBeUndefined()
    expect(forced.warnings.map(({ kind }) => kind)).toEqual(['ignored-option'])
  })

  it.each(['required', { name: 'add' }] as const)(
    'of %j is lowered with DeepSeek, which thinks unless told not to',
    (choice) => {
      for (const effort of [undefined, 'low', 'max'] as const) {
        const { body, warnings } = encode(DEEPSEEK, { tools, choice, ...(effort && { effort }) })
        expect(body['tool_choice']).toBe('auto')
        expect(warnings.map(({ kind }) => kind)).toEqual(['choice-lowered'])
      }
      const calm = encode(DEEPSEEK, { tools, choice, effort: 'none' })
      expect(calm.body['tool_choice']).toBeTruthy()
      expect(calm.body['tool_choice']).not.toBe('auto')
      expect(calm.warnings).toEqual([])
    },
  )

  it('forbids several calls in one reply', () => {
    expect(encode(COMPATIBLE, { tools, parallel: false }).body['parallel_tool_calls']).toBe(false)
  })
})

describe('effort', () => {
  it.each([
    ['none', { thinking: { type: 'disabled' } }],
    ['low', { thinking: { type: 'enabled' }, reasoning_effort: 'low' }],
    ['medium', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['high', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['max', { thinking: { type: 'enabled' }, reasoning_effort: 'max' }],
  ] as const)('of %s in the words of DeepSeek', (effort, members) => {
    expect(encode(DEEPSEEK, { effort }).body).toMatchObject(members)
  })

  it.each([
    ['a template', LLAMACPP, { chat_template_kwargs: { enable_thinking: false } }],
    ['a router', OPENROUTER, { reasoning: { effort: 'none' } }],
    ['others', COMPATIBLE, { reasoning_effort: 'none' }],
  ])('is turned off in the words of %s', (_, flavour, members) => {
    expect(encode(flavour, { effort: 'none' }).body).toMatchObject(members)
  })

  it('that cannot be asked for is told', () => {
    const bare: ChatFlavour = { ...COMPATIBLE, efforts: {} }
    const efforts: readonly Effort[] = ['none', 'max']
    for (const effort of efforts) {
      const { body, warnings } = encode(bare, { effort })
      expect(Object.keys(body)).not.toContain('reasoning_effort')
      expect(warnings.map(({ kind }) => kind)).toEqual(['ignored-option'])
    }
  })

  it('makes DeepSeek deaf to the temperature, which is told', () => {
    const { body, warnings } = encode(DEEPSEEK, { temperature: 0.2 })
    expect(body['temperature']).toBe(0.2)
    expect(warnings.map(({ kind }) => kind)).toEqual(['ignored-option'])
    expect(encode(DEEPSEEK, { temperature: 0.2, effort: 'none' }).warnings).toEqual([])
  })
})

describe('errors', () => {
  it('are read under the name of the provider', () => {
    const answer = { status: 402, body: '{"error":{"message":"Empty"}}', retryAfterMs: undefined }
    expect(chatCodec(DEEPSEEK, 'm').readError(answer)).toMatchObject({
      code: 'DP_MODEL_BALANCE',
      provider: 'deepseek',
      retryable: false,
    })
  })
})
