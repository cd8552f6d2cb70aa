import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { displayWidth } from '../../base/terminal-text.ts'
import { cliHere } from '../../../test/support/cli-in-process.ts'
import type { CliRun } from '../../../test/support/cli.ts'

let root = ''
let path = ''

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-'))
  path = join(root, 'c.json')
  const policy = {
    allow: [{ tools: 'files', when: [{ pointer: '/path', under: '/home' }] }],
    ask: [{ tools: 'web', because: '网络要小心' }],
    deny: [{ tools: 'files', when: [{ pointer: '/a', regex: 'x' }], wen: 1 }],
    native: 'never',
  }
  const servers = {
    files: {
      command: process.execPath,
      args: ['a.js'],
      env: { LEVEL: '3', B: '${UNSET:-b}' },
      cwd: root,
    },
    away: { command: 'no-such-command-anywhere' },
    web: { url: 'https://h.example/mcp', headers: { 'X-Team': 'red team' }, timeout: 5000 },
    odd: { type: 'quic', url: 'https://h.example/mcp' },
  }
  writeFileSync(path, JSON.stringify({ mcpServers: servers, deepPilot: { policy } }, null, 2))
})

afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

function run(words: string, columns?: number): Promise<CliRun> {
  const env = { DEEP_PILOT_HOME: join(root, 'home') }
  const all = [...words.split(' '), '--config', path, '--lang', 'zh']
  return cliHere(all, { env, ...(columns !== undefined && { columns }) })
}

const COMMANDS = [
  'config doctor',
  'config get files',
  'config get web',
  'config explain files',
  'config explain web',
  'policy check',
]

/** English that is no name, no code and no word of a file. */
const ENGLISH =
  /\b(?:timeout|written|default|given|header|means|nothing|condition|when|like|under|and|could|not|everything|is|the|stands)\b/

describe('what commands over a configuration say in Chinese', () => {
  it.each(COMMANDS)('has no English sentence, and no half-width mark of one: %s', async (words) => {
    const { stdout, stderr } = await run(words)
    // Words in quotes and in lists are those of the file, and so is the key that set a wait.
    const text = `${stdout}${stderr}`
      .replaceAll(/["“][^"”]*["”]/g, '')
      .replaceAll(/（[^（）]*timeout）/g, '')
      .replaceAll(/\w+(?:、\w+)+/g, '')
    for (const line of text.split('\n')) {
      expect(line).not.toMatch(ENGLISH)
      expect(line).not.toMatch(/[\p{Script=Han}](?:, |; |: )/u)
    }
  })

  it.each([...COMMANDS, 'config add new --replace --url https://h.example/mcp'])(
    'fits a narrow terminal, and is not cut: %s',
    async (words) => {
      const { stdout, stderr } = await run(words, 40)
      for (const line of `${stdout}${stderr}`.split('\n'))
        expect(displayWidth(line)).toBeLessThanOrEqual(40)
      const whole = await run(words)
      const plain = (text: string): string => text.replaceAll(/\s/g, '')
      expect(plain(stdout)).toBe(plain(whole.stdout))
    },
  )

  it('names the rules of a policy', async () => {
    const { stdout } = await run('policy check')
    expect(stdout).toContain('拒绝 files，条件是（无法读取）（')
    expect(stdout).toContain('允许 files，条件是 /path 在“/home”之下（')
    expect(stdout).toContain('询问 web（')
  })

  it('says what is wrong with a condition', async () => {
    const { stderr } = await run('policy check')
    expect(stderr).toContain('条件无法读取：“regex”在条件中没有含义，已知的有 pointer、is、')
    expect(stderr).toContain('“native”只能是 "allow"、"ask"、"deny"；')
  })
})
