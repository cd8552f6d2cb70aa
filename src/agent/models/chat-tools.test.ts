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

  it('are written once for each tool, in whatever array it stands', () => {
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
    const texts = [[counted], [counted], [...tools, counted]].map((list) => chatTools(list).text)
    expect(reads).toBe(1)
    expect(texts[2]).toContain(texts[0]?.slice(1, -1))
  })

  it('have the text of their value', () => {
    const { value, text } = chatTools([...tools])
    expect(text).toBe(JSON.stringify(value))
  })
})
