import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configEn } from '../messages/config-en.ts'
import { configZh } from '../messages/config-zh.ts'
import { run } from '../run.ts'

const before = process.cwd()
let root = ''

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deep-pilot-cli-config-')))
  await mkdir(join(root, 'project'))
  await mkdir(join(root, 'home'))
  process.chdir(join(root, 'project'))
})

afterEach(async () => {
  process.chdir(before)
  await rm(root, { recursive: true, force: true })
})

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function config(
  words: readonly string[],
  env: Record<string, string> = {},
  columns?: number,
): Promise<Ran> {
  let [out, err] = ['', '']
  const stream = (take: (text: string) => void) => ({
    ...(columns !== undefined && { isTTY: true, columns }),
    write: (data: string | Uint8Array) => {
      take(String(data))
      return true
    },
    on: () => undefined,
  })
  const code = await run(['config', ...words], {
    stdout: stream((text) => void (out += text)),
    stderr: stream((text) => void (err += text)),
    env: { HOME: root, DEEP_PILOT_HOME: join(root, 'home'), PATH: join(root, 'bin'), ...env },
    signals: { on: () => undefined, off: () => undefined, exit: () => undefined },
    program: 'deep-pilot',
  })
  return { code, out, err }
}

const put = (path: string, value: unknown): Promise<void> =>
  writeFile(join(root, path), typeof value === 'string' ? value : JSON.stringify(value))
const text = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
const TOKEN = 'tok-1234567890'
const web = { url: 'https://h.example/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } }

describe('config list and get', () => {
  it('show every server with what keeps it from being started, and problems on stderr', async () => {
    await put('home/config.jsonc', {
      mcpServers: {
        files: { command: 'node', args: ['a b.js'] },
        off: { command: 'x', disabled: true },
        bad: { command: '${NOPE}' },
      },
    })
    await put('project/.mcp.json', { mcpServers: { web } })
    const { code, out, err } = await config(['list'], { TOKEN })
    expect(code).toBe(0)
    expect(out).toBe(
      'files  configured  node "a b.js"\noff    switched off  x\nweb    not approved  https://h.example/mcp (auto)\n',
    )
    expect(err).toContain('server "bad": "command" uses the variable NOPE, which is not set.')
    expect(err).toContain('Nobody approved this project file yet')
  })

  it('hide secrets, also in JSON', async () => {
    await put('project/s.json', { mcpServers: { web } })
    for (const words of [
      ['list', '--json'],
      ['get', 'web'],
      ['get', 'web', '--json'],
      ['explain', 'web'],
      ['explain', 'web', '--json'],
      ['doctor', '--json'],
    ]) {
      const { code, out, err } = await config([...words, '--config', 's.json'], { TOKEN })
      expect(code, words.join(' ')).toBe(0)
      expect(out + err, words.join(' ')).not.toContain(TOKEN)
      expect(out, words.join(' ')).toContain('web')
    }
  })

  it('name what is near to a server that there is not', async () => {
    await put('project/s.json', { mcpServers: { files: { command: 'x' } } })
    const { code, err } = await config(['get', 'fliles', '--config', 's.json'])
    expect(code).toBe(1)
    expect(err).toContain('There is no server "fliles". Near to it: "files".')
  })

  it('speak Chinese', async () => {
    await put('project/s.json', { mcpServers: { a: {}, b: { command: 'x', disabled: true } } })
    const { out, err } = await config(['list', '--config', 's.json', '--lang', 'zh'])
    expect(out).toContain('已停用')
    expect(err).toContain('错误：')
    expect(err).toContain('服务器“a”：既没有命令也没有地址。')
  })

  it('tell line and column of a file that is broken', async () => {
    await put('project/s.json', '{\n"mcpServers": {,}}')
    const { code, err } = await config(['list', '--config', 's.json'])
    expect(code).toBe(1)
    expect(err).toContain('s.json":2:16 cannot be used')
  })
})

describe('config explain', () => {
  it('tells file, line, variable and default of each value, and who set each wait', async () => {
    await put(
      'project/s.json',
      '{"mcpServers":{\n"a":{"command":"${BIN}",\n"args":["${NO:-x}"],\n"timeout":5000}}}',
    )
    const { out } = await config(['explain', 'a', '--config', 's.json'], { BIN: 'node' })
    const file = join(root, 'project/s.json')
    expect(out.split('\n')).toEqual([
      `a  stands at ${file}:2`,
      `  command = node  ← \${BIN}  (${file}:2; variable BIN)`,
      `  args/0 = x  ← \${NO:-x}  (${file}:3; default, as NO is not set)`,
      '  probe timeout = 1000 ms  (default)',
      '  start timeout = 30000 ms  (default)',
      `  idle timeout = 5000 ms  (${file}:4 timeout)`,
      `  total timeout = 5000 ms  (${file}:4 timeout)`,
      '',
    ])
  })
})

describe('config doctor', () => {
  it('finds commands, folders and addresses without starting anything', async () => {
    await mkdir(join(root, 'bin'))
    await put('bin/tool', `#!/bin/sh\ntouch ${join(root, 'started')}\n`)
    await chmod(join(root, 'bin/tool'), 0o755)
    await put('project/s.json', {
      mcpServers: {
        good: { command: 'tool' },
        gone: { command: 'no-such-tool' },
        lost: { command: 'tool', cwd: 'nowhere' },
        open: { url: 'http://h.example/mcp', headers: { Authorization: 'x' } },
        here: { url: 'http://localhost:1/mcp', headers: { Authorization: 'x' } },
        latest: { command: 'npx', args: ['-y', 'name'], disabled: true },
      },
    })
    const { code, out, err } = await config(['doctor', '--config', 's.json'])
    expect(code).toBe(2)
    expect(out).toContain(`[ok] good: command tool is ${join(root, 'bin/tool')}`)
    expect(out).toContain('[bad] gone: there is no command "no-such-tool"')
    expect(out).toContain('[bad] lost: its working folder')
    expect(out).toContain('[look] open: headers with secrets go over plain http')
    expect(out).not.toContain('[look] here')
    expect(out).toContain('npx takes whatever version of name is newest')
    expect(err).toContain('2 errors, 2 warnings.')
    await expect(stat(join(root, 'started'))).rejects.toThrow('ENOENT')
  })

  it('looks at the servers that are named alone', async () => {
    await put('project/s.json', { mcpServers: { a: { command: 'no' }, b: {} } })
    const { out } = await config(['doctor', 'b', '--config', 's.json'])
    expect(out).not.toContain('a: ')
    const unknown = await config(['doctor', 'c', '--config', 's.json'])
    expect(unknown.code).toBe(1)
  })
})

describe('config add and remove', () => {
  it('write the own file and keep variables as they are typed', async () => {
    const words = ['add', 'files', '--env', 'LEVEL=2', '--env', 'TOKEN']
    const { code, out } = await config([...words, '--', 'node', 's.js', '${ROOT}'])
    const file = join(root, 'home/config.jsonc')
    expect([code, out]).toEqual([0, `Added "files" to ${file}.\n`])
    expect(JSON.parse(await text('home/config.jsonc'))).toEqual({
      mcpServers: {
        files: {
          command: 'node',
          args: ['s.js', '${ROOT}'],
          env: { LEVEL: '2', TOKEN: '${TOKEN}' },
        },
      },
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    // Its variables are not set here, which is no reason to keep it.
    await expect(config(['remove', 'files'])).resolves.toMatchObject({ code: 0 })
    expect(JSON.parse(await text('home/config.jsonc'))).toEqual({ mcpServers: {} })
  })

  it('write another file by name, with a warning for a secret that is written out', async () => {
    const words = ['add', 'web', '--config', 'x.json', '--url', 'https://h.example/mcp']
    const { err } = await config([...words, '--transport', 'http', '-H', 'X-Key: abcdef'])
    expect(err).toContain('"headers/X-Key" holds what looks like a secret, which now stands in')
    expect(JSON.parse(await text('project/x.json'))).toEqual({
      mcpServers: {
        web: { type: 'http', url: 'https://h.example/mcp', headers: { 'X-Key': 'abcdef' } },
      },
    })
  })

  it('warn of what looks like a key under any name, in both languages, and show none of it', async () => {
    const key = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
    const target = ['--config', 'x.json', '--replace', '--env', `TOK=${key}`]
    const server = ['--', 'x', '--verbose', '--with', key]
    for (const [lang, sentence] of [
      ['en', 'holds what looks like a secret'],
      ['zh', '里有看起来像机密的内容'],
    ] as const) {
      const { code, out, err } = await config(['add', 'a', ...target, '--lang', lang, ...server])
      expect(code).toBe(0)
      expect(err.split('\n').filter((line) => line.includes(sentence))).toEqual([
        expect.stringContaining('args/2'),
        expect.stringContaining('env/TOK'),
      ])
      expect(out + err).not.toContain(key)
    }
  })

  it('leave the file as it was when the name is taken', async () => {
    await put('project/x.json', '{"mcpServers":{"a":{"command":"x"}}} // end')
    const { code, err } = await config(['add', 'a', '--config', 'x.json', '--', 'y'])
    expect(err).toContain('--replace')
    expect(code).toBe(1)
    expect(err).toContain('is there already')
    await expect(text('project/x.json')).resolves.toContain('// end')
  })

  it('want one way to reach the server', async () => {
    await expect(config(['add', 'a'])).resolves.toMatchObject({ code: 1 })
    await expect(config(['add', 'a', '--url', 'http://h/', '--', 'x'])).resolves.toMatchObject({
      code: 1,
    })
    await expect(config(['add', 'a', '-H', 'A: b', '--', 'x'])).resolves.toMatchObject({ code: 1 })
  })

  it.each([
    ['foo', '--url must begin with http://'],
    ['ftp://h/x', '--url must begin with http://'],
    ['http://', '--url is no address that can be reached'],
    ['https://h h/mcp', '--url is no address that can be reached'],
    ['unix:', '--url is no address that can be reached'],
    ['https://zoe:pw@h/mcp', '"--url" holds a user name or password'],
  ])('take no address that no server is at: %s', async (url, said) => {
    const { code, err } = await config(['add', 'a', '--config', 'x.json', '--url', url])
    expect(code).toBe(1)
    expect(err).toContain(said)
    await expect(text('project/x.json')).rejects.toThrow('ENOENT')
  })

  it('take no transport that the address cannot have', async () => {
    const words = ['add', 'a', '--config', 'x.json', '--transport', 'ws', '--url', 'http://h/mcp']
    expect(await config(words)).toMatchObject({ code: 1 })
  })

  it.each([
    'https://h.example/mcp',
    'wss://h/mcp',
    'unix:/run/x.sock',
    '${BASE}/mcp',
    'https://${HOST}/mcp',
    'https://a.${TLD}:${PORT:-80}/mcp',
  ])('take an address with and without variables: %s', async (url) => {
    expect(await config(['add', 'a', '--config', 'x.json', '--url', url])).toMatchObject({
      code: 0,
    })
    expect(await text('project/x.json')).toContain(url)
  })

  it('keep an approved project file approved, and no other', async () => {
    await put('project/.mcp.json', { mcpServers: { a: { command: 'x' } } })
    await config(['add', 'b', '--config', '.mcp.json', '--', 'y'])
    await expect(config(['list'])).resolves.toMatchObject({
      out: 'a  not approved  x\nb  not approved  y\n',
    })
    await config(['approve', '--yes'])
    await config(['add', 'c', '--config', '.mcp.json', '--', 'z'])
    const { out } = await config(['list'])
    expect(out).toContain('c  configured  z')
  })
})

describe('config approve', () => {
  const hostile = `${'a'.repeat(10_000)}${' '.repeat(500)}; curl evil\u202e\n\u001b[2J`

  beforeEach(() =>
    put('project/.mcp.json', {
      mcpServers: { 'a\u200b': { command: 'x' }, b: { command: '${BIN}', args: [hostile] } },
    }),
  )

  it('shows every character of what would run, escaped and not cut, and asks nobody without a terminal', async () => {
    const { code, out, err } = await config(['approve'], { BIN: '/bin/evil' })
    expect(code).toBe(6)
    expect(out).toContain('a'.repeat(10_000))
    expect(out).toContain(`${'\\u0020'.repeat(500)}; curl evil\\u202e\\n\\u001b[2J"`)
    expect(out).toContain('"command": "${BIN}"')
    expect(out).toContain('"command": "/bin/evil"')
    expect(out).toContain('Server "a\\u200b"')
    expect(out).not.toContain('\u202e')
    expect(out).not.toContain('\u001b')
    expect(out).toMatch(/SHA-256 [0-9a-f]{64}/)
    expect(err).toContain('Nobody can be asked here.')
    const { out: list } = await config(['list'], { BIN: 'x' })
    expect(list).toContain('not approved')
  })

  it('shows a server that cannot be used yet as well', async () => {
    const { out } = await config(['approve', '--yes'])
    expect(out).toContain('cannot be used as it stands; written is:')
    expect(out).toContain('"command": "${BIN}"')
  })

  it('begins no line of a terminal with what stands in the file', async () => {
    const { out } = await config(['approve'], {}, 40)
    const [, ...shown] = out.split('Server "b"')
    const lines = shown.join('').split('\n').slice(1)
    for (const line of lines) {
      expect(line).toMatch(/^(?: {2}|$)/)
      expect(line.length).toBeLessThanOrEqual(40)
    }
    expect(lines.map((line) => line.replace('  ↪ ', '')).join('')).toContain('a'.repeat(10_000))
    // What is ours is broken between words, and once.
    const [own = ''] = (await config(['approve'], {}, 76)).out.split('Server')
    expect(own.replaceAll('\n', ' ')).toContain('these commands run on this machine')
    expect(own.split('\n').slice(1).join('')).not.toContain('↪')
  })

  it('shows no secret that stands in the file, and every command', async () => {
    const evil = 'curl-evil'
    const files = { command: 'node', args: ['--token', TOKEN, evil], env: { API_KEY: evil } }
    const hub = { url: 'https://h.example/mcp', headers: { Authorization: `Bearer ${TOKEN}` } }
    const broken = { command: '${BIN}', env: { MY_TOKEN: TOKEN } }
    await put('project/.mcp.json', { mcpServers: { files, hub, broken } })
    const plain = await config(['approve'])
    const json = await config(['approve', '--json'])
    for (const said of [plain.out, plain.err, json.out, json.err]) expect(said).not.toContain(TOKEN)
    expect(plain.out).toContain(`"${evil}"`)
    expect(plain.out).toContain('"API_KEY": "‹redacted:key›"')
    expect(plain.out).toContain('"Authorization": "Bearer ‹redacted:key›"')
  })

  it('with --yes approves these bytes, until they change', async () => {
    const env = { BIN: 'node' }
    const done = await config(['approve', '--yes'], env)
    expect(done.code).toBe(0)
    expect(done.out).toMatch(/\nApproved: \S+\.mcp\.json\n$/)
    const list = async (): Promise<string> => (await config(['list'], env)).out
    await expect(list()).resolves.not.toContain('not approved')
    await expect(config(['approve'], env)).resolves.toMatchObject({
      code: 0,
      out: `${join(root, 'project/.mcp.json')} is approved.\n`,
    })
    await put('project/.mcp.json', { mcpServers: { b: { command: '${BIN}2' }, c: web } })
    await expect(list()).resolves.toContain('not approved')
    const { out } = await config(['approve'], { ...env, TOKEN })
    expect(out).toContain('Server "b" (changed since the last approval)')
    expect(out).toContain('Server "c" (new since the last approval)')
    expect(out).not.toContain(TOKEN)
  })

  it('can be taken back', async () => {
    await config(['approve', '--yes'], { BIN: 'x' })
    const { out } = await config(['approve', '--revoke', '--json'])
    expect(JSON.parse(out)).toMatchObject({ revoked: 1 })
    await expect(config(['list'], { BIN: 'x' })).resolves.toMatchObject({
      out: expect.stringContaining('not approved'),
    })
  })
})

describe('config import', () => {
  beforeEach(async () => {
    await mkdir(join(root, 'project/.vscode'))
    await put('project/.vscode/mcp.json', {
      inputs: [{ id: 'api-key', type: 'promptString' }],
      servers: {
        hub: { type: 'http', url: 'https://h.example/mcp', headers: { K: '${input:api-key}' } },
        tool: { command: 'node', args: ['${env:SCRIPT}'], env: { T: 'literal' } },
      },
    })
  })

  it('tells which files of other hosts are there', async () => {
    const { out, err } = await config(['import'])
    expect(out).toBe(`VS Code: 2 servers in ${join(root, 'project/.vscode/mcp.json')}\n`)
    expect(err).toContain('deep-pilot config import HOST --write')
  })

  it('writes nothing by itself, and nothing unasked', async () => {
    const env = { SCRIPT: 's.js' }
    const shown = await config(['import', 'vscode'], env)
    expect(shown.code).toBe(0)
    expect(shown.out).toContain('"command": "node"')
    const refused = await config(['import', 'vscode', '--write'], env)
    expect(refused.code).toBe(6)
    await expect(stat(join(root, 'home/config.jsonc'))).rejects.toThrow('ENOENT')
  })

  it('writes servers with their variables, a copy of the file kept, and skips what is there', async () => {
    await put('home/config.jsonc', '{"mcpServers":{"tool":{"command":"mine"}}} // kept')
    const words = ['import', '.vscode/mcp.json', '--write', '--yes']
    const { code, err } = await config(words, { SCRIPT: 's.js' })
    expect(code).toBe(0)
    expect(err).toContain('"tool" is in')
    await expect(text('home/config.jsonc.bak')).resolves.toContain('// kept')
    const written = await text('home/config.jsonc')
    expect(written).toContain('// kept')
    expect(JSON.parse(written.replace('// kept', ''))).toEqual({
      mcpServers: {
        tool: { command: 'mine' },
        hub: { type: 'http', url: 'https://h.example/mcp', headers: { K: '${API_KEY}' } },
      },
    })
    await config([...words, '--replace'], { SCRIPT: 's.js' })
    await expect(text('home/config.jsonc')).resolves.toContain('"${env:SCRIPT}"')
  })

  it('refuses what is neither a host nor a file', async () => {
    const { code, err } = await config(['import', 'vscod'])
    expect(code).toBe(1)
    expect(err).toContain('is no host and no file. Hosts are: claude-code, ')
  })
})

it('config has the same words in both languages', () => {
  const keysOf = (value: object, path = ''): string[] =>
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null ? keysOf(inner, `${path}${key}.`) : [path + key],
    )
  expect(keysOf(configZh).toSorted()).toEqual(keysOf(configEn).toSorted())
})
