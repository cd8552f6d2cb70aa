/** A person asked at a real terminal, with the keys that they press, by the built program. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HostFolder, shell } from '../support/cli-host.ts'
import { atTerminal, hasTerminal, KEYS, type TerminalSteps } from '../support/cli-terminal.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

if (!hasTerminal) console.log('No terminal can be made here; what a person is asked is not tested.')

let folder: HostFolder
beforeEach(() => {
  folder = new HostFolder()
  folder.configure({ shell })
})
afterEach(() => folder.remove())

const QUESTION = 'Call echo of the server shell?'
const env = (): Record<string, string> => ({
  DEEP_PILOT_HOME: join(folder.path, 'home'),
  LANG: 'C.UTF-8',
})
const call = (steps: TerminalSteps, ...words: readonly string[]) => {
  const all = ['call', 'shell.echo', '--config', 'config.json', ...words]
  return atTerminal(all, steps, { cwd: folder.path, env: env() })
}
const audit = (): readonly Record<string, unknown>[] =>
  readFileSync(join(folder.path, 'home/audit.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>) // written by the program a moment ago

describe.skipIf(!hasTerminal)('at a terminal', () => {
  it('Enter alone is a no, and nothing is sent', async () => {
    const { shown, code } = await call([[QUESTION, KEYS.enter]], 'text=hello')
    expect(shown).toContain('"text": "hello"')
    expect(shown).toMatch(/Asked because +No rule is about it\.\r?\n/)
    expect(shown).not.toMatch(/obody can be asked|--yes/)
    expect(shown).toContain('Not allowed: ')
    expect(code).toBe(6)
    expect(audit()).toMatchObject([{ type: 'decision', verdict: 'deny', by: 'person' }])
  })

  it.each([
    ['the word ok', 'ok'],
    ['jjj', 'jjj'],
    ['kkk', 'kkk'],
    ['h and l', 'hhl'],
    ['a y', 'y'],
    ['↑ past the first answer', KEYS.up.repeat(2)],
    ['← and →', '\u001b[D\u001b[C\u001b[C'],
    ['a digit and a blank', '6 '],
  ])('%s and Enter is a no, and grants nothing', async (_, keys) => {
    const { code } = await call([[QUESTION, keys + KEYS.enter]], 'text=a')
    expect(code).toBe(6)
    expect(audit()).toMatchObject([{ type: 'decision', verdict: 'deny', by: 'person' }])
    expect(existsSync(join(folder.path, 'home/grants.json'))).toBe(false)
  })

  it('words typed before the question are no yes', async () => {
    const typed: TerminalSteps = [
      ['"text": "a"', `ok${KEYS.enter}`],
      [QUESTION, KEYS.enter],
    ]
    const { code } = await call(typed, 'text=a')
    expect(code).toBe(6)
    expect(audit()).toMatchObject([{ type: 'decision', verdict: 'deny' }])
  })

  it('↓ past the last answer stays at the last', async () => {
    const keys = KEYS.down.repeat(7) + KEYS.enter
    expect((await call([[QUESTION, keys]], 'text=a')).code).toBe(0)
    expect(existsSync(join(folder.path, 'home/grants.json'))).toBe(true)
  })

  it('in Chinese words and ↑ are no yes either', async () => {
    const zh = { ...env(), LANG: 'zh_CN.UTF-8' }
    const words = ['call', 'shell.echo', '--config', 'config.json', 'text=a']
    const steps: TerminalSteps = [['(↑ ↓ Enter)', `okkkk${KEYS.up}${KEYS.enter}`]]
    const { code } = await atTerminal(words, steps, { cwd: folder.path, env: zh })
    expect(code).toBe(6)
    expect(existsSync(join(folder.path, 'home/grants.json'))).toBe(false)
  })

  it('a yes for once is sent once', async () => {
    const keys = KEYS.down + KEYS.down + KEYS.enter
    const { shown, code } = await call([[QUESTION, keys]], 'text=hello there')
    expect(stripVTControlCharacters(shown)).toMatch(/\nhello there\r?\n/)
    expect(code).toBe(0)
    expect(audit()).toMatchObject([
      { verdict: 'allow', by: 'person' },
      { outcome: 'ok', sends: 1 },
    ])
  })

  it('Ctrl-C is a no, and the end of the command as everywhere', async () => {
    const { shown, code } = await call([[QUESTION, KEYS.interrupt]], 'text=a')
    expect(shown).toContain('Cancelled.')
    expect(code).toBe(130)
    expect(audit()).toMatchObject([{ verdict: 'deny', by: 'person' }])
  })

  it('a reason for a no is told', async () => {
    const steps: TerminalSteps = [
      [QUESTION, KEYS.down + KEYS.enter],
      ['Why not?', `use another tool${KEYS.enter}`],
    ]
    const { shown, code } = await call(steps, 'text=a')
    expect(shown).toMatch(/Not allowed: [^]*use another tool/)
    expect(code).toBe(6)
  })

  it('a yes for always is not asked for again, for the same tool', async () => {
    const always = KEYS.down.repeat(5) + KEYS.enter
    expect((await call([[QUESTION, always]], 'text=a')).code).toBe(0)
    const { shown, code } = await call([], 'text=b')
    expect(shown).not.toContain(QUESTION)
    expect(code).toBe(0)
  })

  it('long arguments come page by page, and the question comes last', async () => {
    const args = { text: 'x'.repeat(6_000), end: 'the very end' }
    folder.write('args.json', args)
    const steps: TerminalSteps = [
      ['Page 1 of 3', KEYS.enter],
      ['Page 2 of 3', KEYS.enter],
      [QUESTION, KEYS.enter],
    ]
    const { shown, code } = await call(steps, '--args', '@args.json')
    expect(shown.indexOf('the very end')).toBeGreaterThan(shown.indexOf('Page 2 of 3'))
    expect(shown.indexOf(QUESTION)).toBeGreaterThan(shown.indexOf('the very end'))
    expect(code).toBe(6)
  })
})

describe.skipIf(!hasTerminal)('what is approved at a terminal', () => {
  const at = (words: readonly string[], steps: TerminalSteps) =>
    atTerminal(words, steps, { cwd: folder.path, env: env() })

  it.each(['yes', 'ok', 'y', KEYS.up, 'k', 'l'])(
    'is no file of a project with the keys %j and Enter',
    async (keys) => {
      folder.configure({ shell }, {}, '.mcp.json')
      const { code } = await at(['config', 'approve'], [['(↑ ↓ Enter)', keys + KEYS.enter]])
      expect(code).toBe(6)
      expect(existsSync(join(folder.path, 'home/approvals.json'))).toBe(false)
    },
  )

  it('is a file of a project with ↓ and Enter', async () => {
    folder.configure({ shell }, {}, '.mcp.json')
    const steps: TerminalSteps = [['(↑ ↓ Enter)', KEYS.down + KEYS.enter]]
    expect((await at(['config', 'approve'], steps)).code).toBe(0)
  })

  it.each([
    ['yes', false],
    ['ok', false],
    [KEYS.up, false],
    [KEYS.down, true],
  ])('with the keys %j and Enter tools are approved: %s', async (keys, isApproved) => {
    const steps: TerminalSteps = [['(↑ ↓ Enter)', keys + KEYS.enter]]
    const { code } = await at(['pin', '--config', 'config.json'], steps)
    expect(code).toBe(isApproved ? 0 : 6)
  })

  it('Ctrl-C approves nothing, asks nothing more, and keeps what was approved before', async () => {
    folder.configure({ one: shell, two: shell, three: shell })
    const steps: TerminalSteps = [
      ['server one offers now? (↑ ↓ Enter)', KEYS.down + KEYS.enter],
      ['server two offers now? (↑ ↓ Enter)', KEYS.interrupt],
    ]
    const { shown, code } = await at(['pin', '--config', 'config.json'], steps)
    expect(shown).not.toContain('server three offers')
    expect(code).toBe(130)
    const lock = readFileSync(join(folder.path, 'deep-pilot.lock.json'), 'utf8')
    expect(Object.keys((JSON.parse(lock) as { servers: object }).servers)).toEqual(['one'])
  })

  it('Ctrl-C ends the approval of a file of a project as well', async () => {
    folder.configure({ shell }, {}, '.mcp.json')
    const { code } = await at(['config', 'approve'], [['(↑ ↓ Enter)', KEYS.interrupt]])
    expect(code).toBe(130)
    expect(existsSync(join(folder.path, 'home/approvals.json'))).toBe(false)
  })
})
