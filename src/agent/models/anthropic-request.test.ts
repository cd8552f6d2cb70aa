import { describe, expect, it } from 'vitest'
import { hear } from '../../../test/support/chat-stream.ts'
import { messageEvents, namedEvents } from '../../../test/support/provider-streams.ts'
import type { AssistantMessage, Message } from '../conversation.ts'
import type { ModelRequest, ModelTool } from '../model.ts'
import { anthropicCodec } from './anthropic-codec.ts'

const codec = anthropicCodec('claude-sonnet-4-5')
const add: ModelTool = { name: 'add', description: 'Adds.', parameters: { type: 'object' } }
const user: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
const cache = { cache_control: { type: 'ephemeral' } }
const bodyOf = (request: Partial<ModelRequest>, model = codec): Record<string, unknown> =>
  model.encode({ messages: [user], tools: [], ...request }).body
const messagesOf = (...messages: Message[]): unknown => bodyOf({ messages })['messages']
const said = (message: Partial<AssistantMessage>): AssistantMessage => ({
  role: 'assistant',
  text: '',
  calls: [],
  ...message,
})
const result = (callId: string, failed = false): Message => ({
  role: 'tool',
  callId,
  name: 'add',
  text: '3',
  failed,
})

describe('a request', () => {
  it('tells the version, the length of a reply, and where caches may begin', () => {
    const system: Message = { role: 'system', text: 'Be brief.' }
    const other = { ...add, name: 'sub' }
    const tools = [add, other]
    const { path, body, text, headers } = codec.encode({ messages: [system, user], tools })
    expect(path).toBe('/messages')
    expect(headers).toEqual({ 'anthropic-version': '2023-06-01' })
    expect(JSON.parse(text)).toEqual(body)
    expect(body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: expect.any(Number),
      system: [{ type: 'text', text: 'Be brief.', ...cache }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...cache }] }],
      tools: [
        { name: 'add', description: 'Adds.', input_schema: { type: 'object' } },
        { name: 'sub', description: 'Adds.', input_schema: { type: 'object' }, ...cache },
      ],
      stream: true,
    })
    expect(bodyOf({ stream: false })).not.toHaveProperty('stream')
  })

  it.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ name: 'add' }, { type: 'tool', name: 'add' }],
  ] as const)('writes the choice %j', (choice, sent) => {
    expect(bodyOf({ tools: [add], choice })['tool_choice']).toEqual(sent)
  })

  it('forbids several calls at once beside the choice, and not where none is made', () => {
    const choiceOf = (more: Partial<ModelRequest>): unknown =>
      bodyOf({ tools: [add], parallel: false, ...more })['tool_choice']
    expect(choiceOf({})).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(choiceOf({ choice: 'required' })).toEqual({
      type: 'any',
      disable_parallel_tool_use: true,
    })
    expect(choiceOf({ choice: 'none' })).toEqual({ type: 'none' })
  })

  it('that thinks forces no call and chooses no temperature, and says so', () => {
    const asked = { effort: 'low', choice: 'required', temperature: 1 } as const
    const { body, warnings } = codec.encode({ messages: [user], tools: [add], ...asked })
    expect(body).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 2048 },
      tool_choice: { type: 'auto' },
    })
    expect(body).not.toHaveProperty('temperature')
    expect(warnings.map(({ kind }) => kind)).toEqual(['choice-lowered', 'ignored-option'])
  })

  it('leaves room for the reply beside the thinking', () => {
    expect(bodyOf({ effort: 'max', maxOutputTokens: 4000 })).toMatchObject({
      max_tokens: 4000,
      thinking: { budget_tokens: 2976 },
    })
    expect(bodyOf({ effort: 'max', maxOutputTokens: 1500 })).not.toHaveProperty('thinking')
  })

  it.each([
    ['claude-opus-4-6', true],
    ['claude-opus-5-5-20260901', true],
    ['claude-of-tomorrow', true],
    ['claude-sonnet-4-20250514', false],
    ['claude-opus-4-1', false],
    ['claude-haiku-4-5-20251001', false],
    ['claude-3-7-sonnet-20250219', false],
    ['somebody-elses-5', false],
  ])('to %s lets it weigh its thinking itself: %s', (model, weighs) => {
    const { thinking, output_config: config } = bodyOf({ effort: 'high' }, anthropicCodec(model))
    expect(thinking).toEqual(
      weighs
        ? { type: 'adaptive', display: 'summarized' }
        : { type: 'enabled', budget_tokens: 15_360 },
    )
    expect(config).toEqual(weighs ? { effort: 'high' } : undefined)
  })

  it('goes by what is known of a model and not by its name', () => {
    const old = anthropicCodec('claude-opus-5-5', { thinkingLevels: false })
    expect(bodyOf({ effort: 'low' }, old)['thinking']).toMatchObject({ type: 'enabled' })
    const other = anthropicCodec('glm-9', { thinkingLevels: true })
    expect(bodyOf({ effort: 'low' }, other)['thinking']).toMatchObject({ type: 'adaptive' })
  })

  it('turns thinking off where it is to be off', () => {
    expect(bodyOf({ effort: 'none' })['thinking']).toEqual({ type: 'disabled' })
  })
})

describe('a conversation', () => {
  it('has results first and the next question in one message, failures marked', () => {
    const calls = ['t1', 't2'].map((id) => ({ id, name: 'add', argumentsText: '{"a":1}' }))
    const talk = messagesOf(
      user,
      said({ text: 'So:', calls }),
      result('t1'),
      result('t2', true),
      user,
    )
    expect(talk).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'So:' },
          { type: 'tool_use', id: 't1', name: 'add', input: { a: 1 } },
          { type: 'tool_use', id: 't2', name: 'add', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: '3' },
          { type: 'tool_result', tool_use_id: 't2', content: '3', is_error: true },
          { type: 'text', text: 'Hi', ...cache },
        ],
      },
    ])
  })

  it('has images of users and of results', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'QUJD' } as const
    const source = { type: 'base64', media_type: 'image/png', data: 'QUJD' }
    const shown: Message = { ...result('t1'), images: [image] } as Message
    expect(messagesOf({ role: 'user', parts: [image] }, said({ text: 'x' }), shown)).toMatchObject([
      { content: [{ type: 'image', source }] },
      {},
      {
        content: [
          {
            content: [
              { type: 'text', text: '3' },
              { type: 'image', source },
            ],
          },
        ],
      },
    ])
  })

  it('has no empty text beside the images of a result, which is refused', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'QUJD' } as const
    const shown: Message = { ...result('t1'), text: ' ', images: [image] } as Message
    expect(messagesOf(shown)).toMatchObject([{ content: [{ content: [{ type: 'image' }] }] }])
  })

  it('leaves out what another codec kept', () => {
    const kept = { codec: 'openai-responses', items: [{ type: 'reasoning' }] }
    expect(messagesOf(said({ text: 'Yes', kept }))).toMatchObject([
      { content: [{ type: 'text', text: 'Yes' }] },
    ])
  })

  it('without tools has no choice of them, and says so where one was forced', () => {
    const { body, warnings } = codec.encode({ messages: [user], tools: [], choice: 'required' })
    expect(body).not.toHaveProperty('tool_choice')
    expect(warnings).toMatchObject([{ kind: 'ignored-option' }])
  })

  it('sends thinking back as it came, at its place', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm ☃.', signature: 'Eq==' },
      { type: 'redacted_thinking', data: 'Em==' },
      { type: 'text', text: 'I add.' },
      { type: 'tool_use', id: 't1', name: 'add', input: { a: 1 } },
      { type: 'thinking', thinking: 'More.', signature: 'Er==' },
      { type: 'tool_use', id: 't2', name: 'add', input: {} },
    ]
    const { message } = hear(codec, namedEvents(...messageEvents(content, 'tool_use'))).reply
    expect(messagesOf(message, result('t1'), result('t2'))).toMatchObject([
      { role: 'assistant', content },
      { role: 'user' },
    ])
  })

  it('ends no message with thinking, which is refused', () => {
    const content = [
      { type: 'text', text: 'So.' },
      { type: 'thinking', thinking: 'Hm', signature: '' },
    ]
    const { message } = hear(codec, namedEvents(...messageEvents(content, 'max_tokens'))).reply
    expect(messagesOf(message)).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'So.' }] },
    ])
  })

  it('has no message for one that said nothing, and no text that is blank', () => {
    expect(messagesOf(said({ text: ' \n' }), user)).toMatchObject([{ role: 'user' }])
  })

  it('has an object for arguments that are none', () => {
    const calls = [{ id: 't1', name: 'add', argumentsText: '{"a":' }]
    expect(messagesOf(said({ calls }))).toMatchObject([{ content: [{ id: 't1', input: {} }] }])
  })

  it('writes ids of other models as the API takes them, in calls and results alike', () => {
    const calls = [{ id: 'functions.add:0', name: 'add', argumentsText: '{}' }]
    expect(messagesOf(said({ calls }), result('functions.add:0'))).toMatchObject([
      { content: [{ id: 'call_1' }] },
      { content: [{ tool_use_id: 'call_1' }] },
    ])
  })
})
