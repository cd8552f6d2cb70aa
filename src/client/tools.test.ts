import { describe, expect, it } from 'vitest'
import type { PageNote } from './pages.ts'
import { readTools, ToolChecks } from './tools.ts'

function read(items: readonly unknown[]): {
  tools: ReturnType<typeof readTools>
  problems: unknown[]
} {
  const notes: PageNote[] = []
  const tools = readTools(items, (note) => void notes.push(note))
  return { tools, problems: notes.map(({ data }) => data['problem']) }
}

describe('a list of tools', () => {
  it('keeps every usable tool, in the order of the server, with members that nobody knows [TOOL-33]', () => {
    const a = { name: 'a', inputSchema: { type: 'object', 'x-own': 1 }, extra: true }
    const b = { name: 'b', inputSchema: { type: 'object' }, title: 'B' }
    expect(read([a, b])).toEqual({ tools: [a, b], problems: [] })
  })

  it('leaves out what has no name, and says so', () => {
    const { tools, problems } = read([null, 5, {}, { name: 7 }, { name: 'a', inputSchema: {} }])
    expect(tools.map(({ name }) => name)).toEqual(['a'])
    expect(problems).toHaveLength(4)
  })

  it('gives a tool without a usable input schema one that takes anything, and says so [TOOL-04]', () => {
    const { tools, problems } = read([{ name: 'a', inputSchema: null }, { name: 'b' }])
    expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([
      { type: 'object' },
      { type: 'object' },
    ])
    expect(problems).toEqual(['its inputSchema is no object', 'its inputSchema is no object'])
  })

  it('takes the first of two tools with one name, and says so', () => {
    const { tools, problems } = read([
      { name: 'a', inputSchema: {}, title: 'first' },
      { name: 'a', inputSchema: {}, title: 'second' },
    ])
    expect(tools.map(({ title }) => title)).toEqual(['first'])
    expect(problems).toHaveLength(1)
  })

  it('drops members of the wrong type and keeps the tool', () => {
    const odd = {
      name: 'a',
      inputSchema: {},
      title: 5,
      description: [],
      outputSchema: 'x',
      annotations: null,
      icons: {},
    }
    expect(read([odd]).tools).toEqual([{ name: 'a', inputSchema: {} }])
  })
})

describe('checks of calls', () => {
  it('refuse nothing where the schema cannot be used', async () => {
    const checks = new ToolChecks()
    checks.learn([{ name: 'a', inputSchema: { type: 'nonsense' } }])
    await checks.checkArguments('a', { anything: 1 })
    expect(checks.checkArguments('a', { anything: 1 })).toBeUndefined()
  })

  it('forget what an earlier list said', async () => {
    const checks = new ToolChecks()
    checks.learn([{ name: 'a', inputSchema: { type: 'object', required: ['x'] } }])
    await expect(Promise.resolve().then(() => checks.checkArguments('a', {}))).rejects.toThrow(
      /do not fit/,
    )
    checks.learn([])
    expect(checks.checkArguments('a', {})).toBeUndefined()
  })
})
