import { describe, expect, it } from 'vitest'
import { hear } from '../../../test/support/chat-stream.ts'
import {
  callItem,
  namedEvents,
  responseEvents,
  saidItem,
  THOUGHT,
} from '../../../test/support/provider-streams.ts'
import type { AssistantMessage, Message } from '../conversation.ts'
import type { ModelRequest, ModelTool } from '../model.ts'
import { responsesCodec } from './responses-codec.ts'

const codec = responsesCodec('gpt-x')
const add: ModelTool = { name: 'add', description: 'Adds.', parameters: { type: 'object' } }
const user: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
const bodyOf = (request: Partial<ModelRequest>, model = codec): Record<string, unknown> =>
  model.encode({ messages: [user], tools: [], ...request }).body
const inputOf = (...messages: Message[]): unknown => bodyOf({ messages })['input']
const said = (message: Partial<AssistantMessage>): AssistantMessage => ({
  role: 'assistant',
  text: '',
  calls: [],
  ...message,
})
const result = (callId: string): Message => ({
  role: 'tool',
  callId,
  name: 'add',
  text: '3',
  failed: false,
})

describe('a request', () => {
  it('keeps nothing at the provider and asks for reasoning that can be sent back', () => {
    const { path, body, text } = codec.encode({ messages: [user], tools: [] })
    expect(path).toBe('/responses')
    expect(JSON.parse(text)).toEqual(body)
    expect(body).toEqual({
      model: 'gpt-x',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    })
    expect(bodyOf({ stream: false })).not.toHaveProperty('stream')
  })

  it.each([
    'gpt-4o',
    'gpt-4.1-mini',
    'gpt-3.5-turbo',
    'chatgpt-4o-latest',
    'ft:gpt-4o:me',
    'gpt-5-chat-latest',
  ])('to %s, which does not reason, asks for no reasoning', (model) => {
    const { body, warnings } = responsesCodec(model).encode({
      messages: [user],
      tools: [],
      effort: 'high',
    })
    expect(body).not.toHaveProperty('include')
    expect(body).not.toHaveProperty('reasoning')
    expect(warnings).toMatchObject([{ kind: 'ignored-option' }])
  })

  it('writes tools flat and holds the model to the schema only where it is to', () => {
    const strict = { ...add, strict: true }
    expect(bodyOf({ tools: [add, strict] })['tools']).toEqual([
      { type: 'function', ...add, strict: false },
      { type: 'function', ...add, strict: true },
    ])
  })

  it.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ name: 'add' }, { type: 'function', name: 'add' }],
  ] as const)('writes the choice %j', (choice, sent) => {
    expect(bodyOf({ tools: [add], choice })['tool_choice']).toEqual(sent)
  })

  it('without tools has no choice of them, and says so where one was forced', () => {
    const asked = { messages: [user], tools: [], choice: 'required', parallel: false } as const
    const { body, warnings } = codec.encode(asked)
    expect(body).not.toHaveProperty('tool_choice')
    expect(body).not.toHaveProperty('parallel_tool_calls')
    expect(warnings).toMatchObject([{ kind: 'ignored-option' }])
  })

  it('writes each limit by its own name', () => {
    const options = { maxOutputTokens: 9, temperature: 0.5, json: true } as const
    const body = bodyOf({ tools: [add], parallel: false, effort: 'max', ...options })
    expect(body).toMatchObject({
      parallel_tool_calls: false,
      max_output_tokens: 9,
      temperature: 0.5,
      reasoning: { effort: 'xhigh', summary: 'auto' },
      text: { format: { type: 'json_object' } },
    })
  })
})

describe('a conversation', () => {
  it('has leading system text as instructions and later ones from the developer', () => {
    const system: Message = { role: 'system', text: 'Be brief.' }
    const body = bodyOf({ messages: [system, user, { role: 'system', text: 'Now in French.' }] })
    expect(body['instructions']).toBe('Be brief.')
    expect(body['input']).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { role: 'developer', content: 'Now in French.' },
    ])
  })

  it('has calls and results as items that share a call_id', () => {
    const calls = [{ id: 'c1', name: 'add', argumentsText: '{"a":1}' }]
    expect(inputOf(said({ text: 'So:', calls }), result('c1'))).toEqual([
      { role: 'assistant', content: 'So:' },
      { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: '3' },
    ])
  })

  it('has images of users and of results', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'QUJD' } as const
    const sent = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,QUJD' }
    const shown: Message = { ...result('c1'), images: [image] } as Message
    expect(inputOf({ role: 'user', parts: [image] }, shown)).toEqual([
      { role: 'user', content: [sent] },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [{ type: 'input_text', text: '3' }, sent],
      },
    ])
  })

  it('sends what was read back as it came, in its order', () => {
    const output = [THOUGHT, saidItem('I add.', { phase: 'commentary' }), callItem('c1', '{}')]
    const { message } = hear(codec, namedEvents(...responseEvents(output))).reply
    expect(inputOf(message, result('c1'))).toEqual([
      THOUGHT,
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I add.', annotations: [] }],
        phase: 'commentary',
      },
      { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: '3' },
    ])
  })

  it('leaves out what another codec kept', () => {
    const kept = { codec: 'anthropic', items: [{ type: 'thinking' }] }
    expect(inputOf(said({ text: 'Yes', kept }))).toEqual([{ role: 'assistant', content: 'Yes' }])
  })

  it('writes ids of other models as the API takes them, each its own', () => {
    const ids = ['functions.add:0', 'x'.repeat(65), 'call_1', 'good-1']
    const calls = ids.map((id) => ({ id, name: 'add', argumentsText: '{}' }))
    const items = inputOf(said({ calls }), ...ids.map((id) => result(id)))
    const sent = (items as { call_id: string }[]).map(({ call_id: id }) => id) // as the input is written above
    expect(new Set(sent).size).toBe(4)
    expect(sent.slice(0, 4)).toEqual(sent.slice(4))
    expect(sent.slice(2, 4)).toEqual(['call_1', 'good-1'])
    for (const id of sent) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })
})
