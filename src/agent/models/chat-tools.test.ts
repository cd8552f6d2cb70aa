import { describe, expect, it } from 'vitest'
import type { ModelTool } from '../model.ts'
import { chatTools } from './chat-tools.ts'

const tools: readonly ModelTool[] = [
  { name: 'a', description: 'A.', parameters: { type: 'object' } },
  { name: 'b', parameters: { type: 'object', properties: { x: { const: '"' } } }, strict: true },
]

describe('written tools', () => {
  it('are the same object for the same array', () => {
    expect(chatTools(tools)).toBe(chatTools(tools))
  })

  it('are written once for each list, and read no more afterwards', () => {
    let reads = 0
    const counted: ModelTool = {
      name: 'c',
      parameters: {
        get type() {
          reads += 1
          return 'object'
        },
      },
    }
    const list = [...tools, counted]
    const texts = [chatTools(list).text, chatTools(list).text]
    expect([reads, texts[1] === texts[0]]).toEqual([1, true])
  })

  it('are the same bytes in whatever list they stand, which caches of providers go by', () => {
    const [first] = tools
    const alone = chatTools(first === undefined ? [] : [first]).text
    expect(chatTools([...tools]).text.startsWith(alone.slice(0, -1))).toBe(true)
  })

  it('have the text of their value', () => {
    const { value, text } = chatTools([...tools])
    expect(text).toBe(JSON.stringify(value))
  })
})
