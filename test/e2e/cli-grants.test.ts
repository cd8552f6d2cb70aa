/** What was granted for longer than a session, listed and taken back by the built program. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HostFolder, shell } from '../support/cli-host.ts'
import { atTerminal, hasTerminal, KEYS } from '../support/cli-terminal.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: HostFolder
let path: string
beforeEach(() => {
  folder = new HostFolder()
  path = folder.configure({ shell })
})
afterEach(() => folder.remove())

const HASH = '61d2f00d'.repeat(8)
const FAR = Date.UTC(2100, 0, 2, 3, 4, 5)
const bound = { scope: 'always', pin: 'aa', launch: 'ff', until: FAR }
const kept = [
  { ...bound, server: 'shell', tool: 'echo' },
  { ...bound, server: 'shell', tool: 'typed', argumentsHash: HASH },
  { ...bound, server: 'away', tool: 'evil\u001b[2J\nname' },
  { ...bound, tool: 'read_artifact' },
  { ...bound, server: 'shell', tool: 'old', until: 1 },
]

function keep(grants: readonly object[] = kept): void {
  mkdirSync(join(folder.path, 'home'), { recursive: true })
  folder.write('home/grants.json', { version: 1, grants })
}

function tools(): readonly unknown[] {
  const text = readFileSync(join(folder.path, 'home/grants.json'), 'utf8')
  const { grants } = JSON.parse(text) as { grants: readonly { tool: string }[] } // written by the program
  return grants.map(({ tool }) => tool)
}

describe('policy grants', () => {
  it('lists what holds: until when, for which arguments, which tool; escaped', async () => {
    keep()
    const { stdout, stderr, code } = await folder.run('policy', 'grants', '--config', path)
    expect(stdout).toBe(
      [
        'UNTIL                 FOR                          TOOL',
        '2100-01-02T03:04:05Z  any arguments                shell.echo',
        '2100-01-02T03:04:05Z  arguments 61d2f00d61d2f00d…  shell.typed',
        '2100-01-02T03:04:05Z  any arguments                away.evil\\u001b[2J\\nname (its server is not configured here)',
        '2100-01-02T03:04:05Z  any arguments                read_artifact (built in)',
        '',
      ].join('\n'),
    )
    expect(stderr).toContain('deep-pilot policy revoke SERVER.TOOL')
    expect(code).toBe(0)
  })

  it('gives the same as JSON', async () => {
    keep()
    const { stdout } = await folder.run('policy', 'grants', '--json', '--config', path)
    const { file, grants } = JSON.parse(stdout) as { file: string; grants: readonly object[] } // printed by us
    expect(file).toBe(join(folder.path, 'home/grants.json'))
    expect(grants).toHaveLength(4)
    expect(grants).toMatchObject([
      { server: 'shell', tool: 'echo', scope: 'always', argumentsHash: null, configured: true },
      { tool: 'typed', argumentsHash: HASH, until: '2100-01-02T03:04:05Z' },
      { server: 'away', configured: false },
      { server: null, tool: 'read_artifact', configured: true },
    ])
  })

  it('has no blank before a Chinese mark', async () => {
    keep()
    const { stdout } = await folder.runIn('zh', 'policy', 'grants', '--config', path)
    expect(stdout).toContain('read_artifact（自带）')
    expect(stdout).not.toContain(' （')
  })

  it('says that nothing is granted, in both languages', async () => {
    const en = await folder.run('policy', 'grants')
    expect([en.stdout, en.code]).toEqual(['', 0])
    expect(en.stderr).toContain('Nothing is granted')
    expect((await folder.runIn('zh', 'policy', 'grants')).stderr).toContain('没有任何长期同意')
  })

  it('does not take a file that cannot be read for an empty one', async () => {
    mkdirSync(join(folder.path, 'home'))
    folder.write('home/grants.json', '{"version":1,')
    for (const words of [['grants'], ['revoke', '--all']]) {
      const { stderr, code } = await folder.run('policy', ...words)
      expect(stderr).toContain('grants.json" cannot be read')
      expect(code).not.toBe(0)
    }
    const text = readFileSync(join(folder.path, 'home/grants.json'), 'utf8')
    expect(text).toBe('{"version":1,')
  })
})

describe('policy revoke', () => {
  it.each([
    ['shell.echo', ['typed', kept[2]?.tool, 'read_artifact']],
    ['shell', [kept[2]?.tool, 'read_artifact']],
    ['read_artifact', ['echo', 'typed', kept[2]?.tool]],
    [String.raw`away.evil\u001b[2J\nname`, ['echo', 'typed', 'read_artifact']],
    ['--all', []],
  ])('takes back %s and nothing else', async (name, left) => {
    keep()
    const { stdout, stderr, code } = await folder.run('policy', 'revoke', name)
    expect(stdout).toMatch(/^\d grants? taken back\.\n$/)
    expect(stderr).toContain('A host that is running')
    expect(code).toBe(0)
    expect(tools()).toEqual(left)
  })

  it('tells how many as JSON', async () => {
    keep()
    const { stdout } = await folder.run('policy', 'revoke', 'shell', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ revoked: 2 })
  })

  it.each([[['shell.nothing']], [['shel']], [[]], [['shell', '--all']]])(
    'refuses %j, and takes nothing back',
    async (words) => {
      keep()
      const { stderr, code } = await folder.run('policy', 'revoke', ...words)
      expect(stderr).not.toBe('')
      expect(code).toBe(1)
      expect(tools()).toHaveLength(kept.length)
    },
  )

  it.skipIf(!hasTerminal)('makes a tool be asked about again', async () => {
    const env = { DEEP_PILOT_HOME: join(folder.path, 'home'), LANG: 'C.UTF-8' }
    const call = ['call', 'shell.echo', '--config', path, 'text=a']
    const always = KEYS.down.repeat(5) + KEYS.enter
    await atTerminal(call, [['Call echo', always]], { cwd: folder.path, env })
    expect((await folder.run('policy', 'grants', '--config', path)).stdout).toContain('shell.echo')
    expect((await folder.run(...call)).code).toBe(0)
    await folder.run('policy', 'revoke', 'shell.echo')
    expect((await folder.run(...call)).code).toBe(6)
    expect(existsSync(join(folder.path, 'home/grants.json'))).toBe(true)
  })
})
