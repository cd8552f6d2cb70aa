import { describe, expect, it } from 'vitest'
import type { Message } from '../conversation.ts'
import type { ModelRequest, ModelTool } from '../model.ts'
import { ollamaCodec, type OllamaOptions } from './ollama-codec.ts'

const tools: readonly ModelTool[] = [{ name: 'add', parameters: { type: 'object' } }]
const say: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }

function encode(
  request: Partial<ModelRequest>,
  { model = 'qwen3:4b', ...options }: OllamaOptions & { readonly model?: string } = {},
) {
  return ollamaCodec(model, options).encode({ messages: [say], tools: [], ...request })
}

describe('a request of Ollama', () => {
  it('always says whether it wants a stream', () => {
    expect(encode({}).path).toBe('/api/chat')
    expect(encode({}).body).toEqual({
      model: 'qwen3:4b',
      messages: [{ role: 'user', content: 'Hi' }],
      options: {},
      stream: true,
    })
    expect(encode({ stream: false }).body['stream']).toBe(false)
  })

  it('has its limits among the options, the window too', () => {
    const request = { maxOutputTokens: 5, temperature: 0.1, stop: ['x'] }
    expect(encode(request, { contextTokens: 32_768 }).body['options']).toEqual({
      num_ctx: 32_768,
      num_predict: 5,
      temperature: 0.1,
      stop: ['x'],
    })
  })

  it('has arguments as objects and results by the names of their tools', () => {
    const messages: readonly Message[] = [
      { role: 'system', text: 'S' },
      say,
      {
        role: 'assistant',
        text: '',
        reasoning: 'R',
        calls: [
          { id: 'c1', name: 'add', argumentsText: '{"a":1}' },
          { id: 'c2', name: 'a.b', argumentsText: '{"a"' },
        ],
      },
      { role: 'tool', callId: 'c1', name: 'add', text: '1', failed: false },
      { role: 'tool', callId: 'c2', name: 'a.b', text: 'no JSON', failed: true },
    ]
    expect(encode({ messages }).body['messages']).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: '',
        thinking: 'R',
        tool_calls: [
          { type: 'function', function: { name: 'add', arguments: { a: 1 } } },
          { type: 'function', function: { name: 'a_b', arguments: {} } },
        ],
      },
      { role: 'tool', content: '1', tool_name: 'add' },
      { role: 'tool', content: 'no JSON', tool_name: 'a_b' },
    ])
  })

  it.each([
    ['Thoughts\n</think>\n\nAnswer', { content: 'Answer', thinking: 'Thoughts' }],
    ['<think>\nThoughts\n</think>Answer', { content: 'Answer', thinking: 'Thoughts' }],
    ['<think></think>Answer', { content: 'Answer' }],
    ['Answer', { content: 'Answer' }],
  ])('has thoughts apart that a model wrote into its text: %j', (text, members) => {
    const messages: readonly Message[] = [{ role: 'assistant', text, calls: [] }]
    expect(encode({ messages }).body['messages']).toEqual([{ role: 'assistant', ...members }])
  })

  it('leaves a text alone whose reasoning came apart', () => {
    const text = 'The tag is </think>.'
    const messages: readonly Message[] = [{ role: 'assistant', text, reasoning: 'R', calls: [] }]
    expect(encode({ messages }).body['messages']).toEqual([
      { role: 'assistant', content: text, thinking: 'R' },
    ])
  })

  it('has images as bytes beside the text, those of results behind the results', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const messages: readonly Message[] = [
      { role: 'user', parts: [{ type: 'text', text: 'Look' }, image] },
      { role: 'assistant', text: '', calls: [{ id: 'c', name: 'add', argumentsText: '{}' }] },
      { role: 'tool', callId: 'c', name: 'add', text: 'a chart', images: [image], failed: false },
    ]
    expect(encode({ messages }).body['messages']).toMatchObject([
      { role: 'user', content: 'Look', images: ['AAAA'] },
      { role: 'assistant' },
      { role: 'tool', content: 'a chart' },
      { role: 'user', images: ['AAAA'] },
    ])
  })

  it('is told of no tools when none is to be called', () => {
    expect(encode({ tools, choice: 'none' }).body['tools']).toBeUndefined()
    expect(encode({ tools }).body['tools']).toEqual([
      { type: 'function', function: { name: 'add', parameters: { type: 'object' } } },
    ])
  })

  it('tells what it cannot ask for', () => {
    const kinds = ({ warnings }: ReturnType<typeof encode>): readonly string[] =>
      warnings.map(({ kind }) => kind)
    expect(kinds(encode({ tools, choice: 'required' }))).toEqual(['choice-lowered'])
    expect(kinds(encode({ tools, choice: { name: 'add' } }))).toEqual(['choice-lowered'])
    expect(kinds(encode({ tools, parallel: false }))).toEqual(['ignored-option'])
  })

  it.each([
    ['qwen3:4b', 'none', false],
    ['qwen3:4b', 'max', true],
    ['gpt-oss:20b', 'none', 'low'],
    ['gpt-oss:20b', 'medium', 'medium'],
    ['gpt-oss:20b', 'max', 'high'],
  ] as const)('asks %s for the effort %s with %s', (model, effort, think) => {
    expect(encode({ effort }, { model }).body['think']).toBe(think)
  })

  it('is the text of its body', () => {
    const { text, body } = encode({ tools, json: true, effort: 'low' })
    expect(text).toBe(JSON.stringify(body))
    expect(body['format']).toBe('json')
  })
})
