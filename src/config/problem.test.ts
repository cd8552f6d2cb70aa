import { describe, expect, it } from 'vitest'
import { makeProblem, whereText } from './problem.ts'
import { PROBLEM_WORDS } from './problem-words.ts'

const place = { file: 'f.json', pointer: '/a', line: 3, column: 5 }

describe('a problem', () => {
  it('of every kind says what is wrong in a whole sentence', () => {
    const values = { ms: 5, count: 1, limit: 9, least: 1, most: 2 }
    for (const [kind, sentence] of Object.entries(PROBLEM_WORDS))
      expect(sentence(values), kind).toMatch(/^["A-Z\w].{20,}[.…}v:a-z]/)
  })

  it('names file, line and server', () => {
    const { message } = makeProblem({ severity: 'error', kind: 'no-target', place, server: 's' })
    expect(message).toMatch(/^f\.json:3: server "s": Neither a command nor an address is given\./)
  })

  it('names the file and the key where there is no line', () => {
    expect(whereText({ file: 'c.toml', pointer: '/mcp_servers/a' })).toBe('c.toml (/mcp_servers/a)')
    expect(whereText({ file: 'c.toml', pointer: '' })).toBe('c.toml')
  })

  it('shows names of strangers escaped and cut', () => {
    const key = `\u202e\u001b[2J${'x'.repeat(1000)}`
    const { message, values } = makeProblem({
      severity: 'warning',
      kind: 'unsupported',
      place: { ...place, file: 'a\nb' },
      server: key,
      values: { key },
    })
    expect(message).toContain('a\\nb:3: server "\\u202e\\u001b[2Jx')
    expect(message.length).toBeLessThan(700)
    expect(values['key']).toMatch(/x…$/)
  })
})
