import { describe, expect, it } from 'vitest'
import type { AssistantMessage, ImagePart, Message } from '../conversation.ts'
import type { ModelTool, ModelWarning } from '../model.ts'
import { chatCodec } from './chat-codec.ts'
import type { ChatFlavour } from './chat-flavour.ts'
import { sendableName } from './chat-messages.ts'
import { DEEPSEEK } from './deepseek.ts'
import { COMPATIBLE, LLAMACPP, OPENAI_CHAT, OPENROUTER, VLLM } from './openai-chat.ts'

const tools: readonly ModelTool[] = [{ name: 'add', parameters: { type: 'object' } }]
const call = { id: 'c1', name: 'add', argumentsText: '{"a":1}' }
const result: Message = { role: 'tool', callId: 'c1', name: 'add', text: '1', failed: false }
const image: ImagePart = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
const asked = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const said = (more: Partial<AssistantMessage>): AssistantMessage => ({
  role: 'assistant',
  text: '',
  calls: [],
  ...more,
})

interface Written {
  readonly messages: unknown
  readonly warnings: readonly ModelWarning['kind'][]
}

function write(flavour: ChatFlavour, messages: readonly Message[], more: object = {}): Written {
  const { body, warnings } = chatCodec(flavour, 'm').encode({ messages, tools, ...more })
  return { messages: body['messages'], warnings: warnings.map(({ kind }) => kind) }
}

describe('reasoning', () => {
  const turns: readonly Message[] = [
    asked('One'),
    said({ reasoning: 'Think 1', calls: [call] }),
    result,
    said({ text: 'It is 1.', reasoning: 'Think 2' }),
    asked('Two'),
    said({ text: 'It is 2.', reasoning: 'Think 3' }),
    asked('Three'),
  ]

  it('of all turns goes back to DeepSeek unchanged, also of turns without a call', () => {
    expect(write(DEEPSEEK, turns).messages).toEqual([
      { role: 'user', content: 'One' },
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'Think 1',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '1' },
      { role: 'assistant', content: 'It is 1.', reasoning_content: 'Think 2' },
      { role: 'user', content: 'Two' },
      { role: 'assistant', content: 'It is 2.', reasoning_content: 'Think 3' },
      { role: 'user', content: 'Three' },
    ])
  })

  it.each([
    ['reasoning_content', LLAMACPP],
    ['reasoning', VLLM],
    ['reasoning', OPENROUTER],
  ])('goes back as %s', (member, flavour) => {
    expect(write(flavour, turns).messages).toMatchObject([
      {},
      { [member]: 'Think 1' },
      {},
      {},
      {},
      {},
      {},
    ])
  })

  it('does not go to a provider that has no member for it', () => {
    expect(JSON.stringify(write(OPENAI_CHAT, turns))).not.toContain('Think')
    expect(JSON.stringify(write(COMPATIBLE, turns))).not.toContain('Think')
  })

  it('is empty for DeepSeek in turns with calls that came without, while it thinks', () => {
    const plain = [said({ calls: [call] }), result, said({ text: 'Done.' })]
    expect(write(DEEPSEEK, plain).messages).toMatchObject([{ reasoning_content: '' }, {}, {}])
    const members = write(DEEPSEEK, plain, { effort: 'none' })
    expect(JSON.stringify(members)).not.toContain('reasoning_content')
    expect(JSON.stringify(write(DEEPSEEK, plain, { tools: [] }))).not.toContain('reasoning_content')
    // A turn without calls was accepted without it.
    expect(JSON.stringify(write(DEEPSEEK, [plain[2] ?? result]))).not.toContain('reasoning_content')
  })

  it('in signed pieces goes back in these pieces, to whom they are from', () => {
    const items = [{ type: 'reasoning.encrypted', data: 'x' }]
    const ours = said({ text: 'a', reasoning: 'R', kept: { codec: 'openai-chat', items } })
    const others = said({ text: 'a', reasoning: 'R', kept: { codec: 'other', items } })
    expect(write(OPENROUTER, [ours, others]).messages).toEqual([
      { role: 'assistant', content: 'a', reasoning_details: items },
      { role: 'assistant', content: 'a', reasoning: 'R' },
    ])
    expect(write(DEEPSEEK, [ours]).messages).toEqual([
      { role: 'assistant', content: 'a', reasoning_content: 'R' },
    ])
  })
})

describe('content beside calls', () => {
  it('is an empty text with DeepSeek and left out with OpenAI', () => {
    expect(write(DEEPSEEK, [said({ calls: [call] }), result]).messages).toMatchObject([
      { content: '' },
      {},
    ])
    const [first] = [write(OPENAI_CHAT, [said({ calls: [call] }), result]).messages].flat()
    expect(first).toEqual({
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
    })
  })

  it('is there in an empty turn without calls', () => {
    expect(write(OPENAI_CHAT, [said({})]).messages).toEqual([{ role: 'assistant', content: '' }])
  })
})

describe('calls', () => {
  it.each(['', '{"a":', '[1]', '"x"', '['.repeat(200)])(
    'with the arguments %j go back as they were, or empty where the server would refuse them',
    (argumentsText) => {
      const turn = [said({ calls: [{ ...call, argumentsText }] }), result]
      const sent = (flavour: ChatFlavour): string => JSON.stringify(write(flavour, turn).messages)
      expect(sent(DEEPSEEK)).toContain(`"arguments":${JSON.stringify(argumentsText)}`)
      expect(sent(OPENAI_CHAT)).toContain(`"arguments":${JSON.stringify(argumentsText)}`)
      expect(sent(LLAMACPP)).toContain('"arguments":"{}"')
      expect(sent(VLLM)).toContain('"arguments":"{}"')
    },
  )

  it('have names that each provider takes, so that one wrong call refuses no later request', () => {
    expect(sendableName('functions.add')).toBe('functions_add')
    expect(sendableName('a/b c\u0000\u202e')).toBe('a_b_c__')
    expect(sendableName('')).toBe('unnamed')
    expect(sendableName('x'.repeat(300))).toHaveLength(64)
    expect(sendableName('fs__read-file_1')).toBe('fs__read-file_1')
  })
})

describe('images', () => {
  const look: Message = { role: 'user', parts: [{ type: 'text', text: 'Look' }, image] }

  it('of users are parts where they are taken', () => {
    expect(write(COMPATIBLE, [look]).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ])
  })

  it('of users are told in their place where they are not taken', () => {
    const { messages, warnings } = write(DEEPSEEK, [look])
    expect(messages).toEqual([
      { role: 'user', content: 'Look\n[image image/png, left out: it cannot be read here]' },
    ])
    expect(warnings).toEqual(['dropped-part'])
  })

  it('of results come behind all results of the turn', () => {
    const two = { ...call, id: 'c2' }
    const messages: readonly Message[] = [
      said({ calls: [call, two] }),
      { ...result, images: [image] },
      { ...result, callId: 'c2', images: [image] },
      said({ text: 'Fine.' }),
    ]
    const roles = [write(COMPATIBLE, messages).messages].flat().map((one) => (one as Message).role)
    expect(roles).toEqual(['assistant', 'tool', 'tool', 'user', 'assistant'])
    expect(JSON.stringify(write(COMPATIBLE, messages.slice(0, 2)))).toContain(
      'Images in the result of add:',
    )
  })

  it('of results are dropped with a word where they are not taken', () => {
    const { messages, warnings } = write(DEEPSEEK, [
      said({ calls: [call] }),
      { ...result, images: [image] },
    ])
    expect(JSON.stringify(messages)).not.toContain('AAAA')
    expect(warnings).toEqual(['dropped-part'])
  })
})

describe('texts of users', () => {
  it('are one text, for every server takes that', () => {
    const parts = ['a', 'b'].map((text) => ({ type: 'text', text }) as const)
    expect(write(OPENAI_CHAT, [{ role: 'user', parts }]).messages).toEqual([
      { role: 'user', content: 'a\nb' },
    ])
  })

  it('stand in the order of the conversation, behind the system', () => {
    const messages: readonly Message[] = [
      { role: 'system', text: 'S' },
      asked('U'),
      said({ text: 'A' }),
    ]
    expect(write(COMPATIBLE, messages).messages).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'U' },
      { role: 'assistant', content: 'A' },
    ])
  })
})
