/** The built program as a process: every command, every kind of failure with its exit code, both languages. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { cli, finished, program, shellServer, startCli } from '../support/cli.ts'

// Each test starts two processes or more, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const shell = ['--', ...shellServer]
const calculator = ['--', process.execPath, program, 'serve', 'calculator']
const error = (stderr: string): unknown => JSON.parse(stderr.trim().split('\n').at(-1) ?? '')

describe('tools', () => {
  it('lists names and first lines, uncut where no terminal shows them', async () => {
    const { stdout, stderr, code } = await cli(['tools', ...shell, '--many', '1'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toBe('echo      Says it again.')
    expect(lines).toContain('fail      总是失败')
    expect(lines).toContain('hostile   \\u001b[2JClears\\u202e')
    expect(lines.at(-1)).toBe(`more-0    ${'x'.repeat(200)}`)
    expect([stderr, code]).toEqual(['', 0])
  })

  it('prints the tools as JSON, whole and harmless', async () => {
    const { stdout, code } = await cli(['tools', '--json', ...shell])
    // What JSON.parse gives, looked at below.
    const tools = JSON.parse(stdout) as readonly { name: string; description: string }[]
    expect(tools.map(({ name }) => name)).toContain('typed')
    expect(tools.find(({ name }) => name === 'hostile')?.description).toBe('\u001b[2JClears\u202e')
    expect(stdout).not.toMatch(/\u202e/)
    expect(code).toBe(0)
  })

  it('says so on stderr when there are none, in either language', async () => {
    const none = await cli(['tools', ...shell, '--none'])
    expect(none).toEqual({ stdout: '', stderr: 'The server offers no tools.\n', code: 0 })
    const zh = await cli(['tools', ...shell, '--none'], { env: { LANG: 'zh_CN.UTF-8' } })
    expect(zh.stderr).toBe('服务器没有提供任何工具。\n')
    expect((await cli(['tools', '--json', ...shell, '--none'])).stdout).toBe('[]\n')
  })

  it('is quiet when nobody reads its output', async () => {
    const child = startCli(['tools', ...shell, '--many', '2000'])
    child.stdout.destroy()
    const { stderr, code } = await finished(child)
    expect([stderr, code]).toEqual(['', 0])
  })
})

describe('call', () => {
  it('prints the text of the result', async () => {
    const run = await cli(['call', 'echo', 'text=你好 C:\\Users', ...shell])
    expect(run).toEqual({ stdout: '你好 C:\\Users\n', stderr: '', code: 0 })
  })

  it('prints the whole result as JSON', async () => {
    const { stdout, code } = await cli(['call', 'calculator', 'expr=23*7', '--json', ...calculator])
    expect(JSON.parse(stdout)).toMatchObject({
      content: [{ type: 'text', text: '161' }],
      structuredContent: { value: 161 },
    })
    expect(code).toBe(0)
  })

  it('turns words into what the schema wants', async () => {
    const pairs = ['count=3', 'flag=true', 'list=a', 'list=b', 'filter={"x":1}', 'more:=[null]']
    const { stdout } = await cli(['call', 'typed', ...pairs, ...shell])
    const sent = { count: 3, flag: true, list: ['a', 'b'], filter: { x: 1 }, more: [null] }
    expect(JSON.parse(stdout)).toEqual(sent)
  })

  it('takes arguments from JSON, a file or standard input', async () => {
    const file = join(folder, 'args.json')
    writeFileSync(file, '{"text":"from a file"}')
    const called = async (option: string, input?: string): Promise<string> =>
      (
        await cli(
          ['call', 'echo', '--args', option, ...shell],
          input === undefined ? {} : { input },
        )
      ).stdout
    expect(await called('{"text":"inline"}')).toBe('inline\n')
    expect(await called(`@${file}`)).toBe('from a file\n')
    expect(await called('-', '{"text":"京"}')).toBe('京\n')
  })

  it('hands text on exactly into a pipe', async () => {
    const { stdout } = await cli(['call', 'hostile', ...shell])
    expect(stdout).toBe('\u001b]0;owned\u0007\u202eend\n')
  })

  it('shows every kind of content, if only by a placeholder', async () => {
    const { stdout } = await cli(['call', 'mixed', ...shell])
    expect(stdout).toMatch(
      /^one\n\[image image\/png, 3 B\]\n\[content of unknown kind "hologram"\]/,
    )
    expect(stdout).toContain('{"a":1}')
  })

  it('exits with 5 when the tool reports an error, its words being the result', async () => {
    const run = await cli(['call', 'fail', ...shell])
    const stderr = 'The tool reported an error.\n'
    expect(run).toEqual({ stdout: 'it cannot be done\n', stderr, code: 5 })
    const json = await cli(['call', 'fail', '--json', ...shell])
    expect(JSON.parse(json.stdout)).toMatchObject({ isError: true })
    expect([json.stderr, json.code]).toEqual(['', 5])
  })

  it('exits with 5 for an unknown tool and names those that are near', async () => {
    const { stdout, stderr, code } = await cli(['call', 'eccho', 'text=x', ...shell])
    expect([stdout, code]).toEqual(['', 5])
    expect(stderr).toBe('Error: There is no tool "eccho". Near to it: "echo".\n')
    const far = await cli(['call', 'zzz', '--lang', 'zh', ...shell])
    expect(far.stderr).toMatch(/^错误：没有工具“zzz”。服务器提供 12 个工具，例如“echo”、/)
  })

  it('leaves an unknown tool to the server with --no-check, and still exits with 5', async () => {
    const { stderr, code } = await cli(['call', 'eccho', '--no-check', ...shell])
    expect(stderr).toContain('There is no tool "eccho"')
    expect(code).toBe(5)
  })

  it('exits with 1 when arguments do not fit, and sends nothing', async () => {
    const { stderr, code } = await cli(['call', 'typed', 'count:=-1', '--trace', ...shell])
    expect(stderr).toContain('The value does not fit the schema: The arguments of typed')
    expect(stderr).not.toContain('tools/call {')
    expect(code).toBe(1)
    const unchecked = await cli(['call', 'typed', 'count:=-1', '--no-check', ...shell])
    expect(unchecked).toMatchObject({ stdout: '{"count":-1}\n', code: 0 })
  })

  it('exits with 8 for an error of the server', async () => {
    const { stderr, code } = await cli(['call', 'refuse', ...shell])
    expect(stderr).toBe('The server answered with an error (-32001): not today\n')
    expect(code).toBe(8)
    const json = await cli(['call', 'refuse', '--json', ...shell])
    expect(error(json.stderr)).toMatchObject({
      error: { family: 'rpc', rpcCode: -32001, exitCode: 8 },
    })
  })

  it('exits with 7 when the server does not answer in time', async () => {
    const { stderr, code } = await cli(['call', 'hang', '--timeout', '200', '--json', ...shell])
    expect(error(stderr)).toMatchObject({ error: { code: 'DP_TIMEOUT', timer: 'idle', ms: 200 } })
    expect(code).toBe(7)
  })

  it('exits with 7 when the whole call takes too long', async () => {
    const words = ['call', 'hang', '--total-timeout', '300', '--json', ...shell]
    expect(error((await cli(words)).stderr)).toMatchObject({ error: { timer: 'total', ms: 300 } })
  })

  it('exits with 4 when the server ends, with its last words', async () => {
    const { stderr, code } = await cli(['call', 'exit', 'code=3', ...shell])
    expect(stderr).toContain('No connection to the server: ')
    expect(stderr).toContain('exit code 3')
    expect(stderr).toContain('The server said on stderr:\n  first words\n  last words\n')
    expect(code).toBe(4)
  })
})

describe('the server', () => {
  it('gets the variables and the folder that it was given, and no others', async () => {
    const env = { MINE: 'mine', OTHER: 'other' }
    const value = async (name: string): Promise<string> => {
      const words = [
        'call',
        'variable',
        `name=${name}`,
        '--env',
        'A=1=2',
        '--env',
        'MINE',
        ...shell,
      ]
      return (await cli(words, { env })).stdout
    }
    expect(await value('A')).toBe('1=2\n')
    expect(await value('MINE')).toBe('mine\n')
    expect(await value('OTHER')).toBe('(unset)\n')
    const words = ['call', 'words', '--cwd', folder, '--', process.execPath, '-e']
    const script = `process.chdir; import(${JSON.stringify(shellServer[1])}); console.error(process.cwd())`
    const run = await cli([...words, script], { env: { DEEP_PILOT_LOG_LEVEL: 'info' } })
    expect(run.stderr).toContain(`info server: ${folder}`)
  })

  it('gets its words as they are, without a shell', async () => {
    const odd = ['$HOME', '`id`', 'a b', '--', '*', '; true', '']
    const { stdout } = await cli(['call', 'words', ...shell, ...odd])
    expect(JSON.parse(stdout)).toEqual(odd)
  })

  it('may print a banner, which is warned of and does no harm', async () => {
    const { stdout, stderr, code } = await cli(['call', 'echo', 'text=x', ...shell, '--banner'])
    expect([stdout, code]).toEqual(['x\n', 0])
    expect(stderr).toContain('Welcome to this server!')
  })

  it('can be spoken to in either era and in a given revision', async () => {
    const spoken = async (...words: readonly string[]): Promise<string> =>
      (await cli(['tools', '--trace', ...words, ...calculator])).stderr
    expect(await spoken('--era', 'legacy')).not.toContain('server/discover')
    expect(await spoken('--era', 'modern')).not.toContain('initialize')
    expect(await spoken('--revision', '2024-11-05')).toContain('"protocolVersion":"2024-11-05"')
    const refused = await cli(['tools', '--era', 'modern', ...shell])
    expect(refused.code).toBe(8)
  })
})

describe('what was typed wrong', () => {
  it.each([
    [
      ['tools'],
      'No server was named. Put its command after "--": deep-pilot tools -- node server.js',
    ],
    [['tools', '--'], 'Nothing stands after "--".'],
    [
      ['tools', 'node', 'x.js'],
      '"node" was not expected here. Put the server\'s command after "--"',
    ],
    [['call', 'echo', 'a=b', 'node'], '"node" was not expected here.'],
    [['call'], 'TOOL is missing.'],
    [['call', 'echo', 'hello', '--', 'x'], '"hello" is no argument of a tool.'],
    [
      ['call', 'echo', 'a:={x}', '--', 'x'],
      'a:= is no valid JSON: line 1, column 2: "x" stands where a name',
    ],
    [['call', 'echo', '--args', '@/no/such.json', '--', 'x'], 'There is no file "/no/such.json".'],
    [['call', 'echo', '--args', '[]', '--', 'x'], '--args must be a JSON object'],
    [
      ['call', 'echo', '--tiemout', '1', '--', 'x'],
      'There is no option --tiemout. Did you mean --timeout?',
    ],
    [
      ['tools', 'npx', '-y', 'a-server'],
      'There is no option -y. If it belongs to the server\'s command, put "--" before that command: deep-pilot tools -- COMMAND …',
    ],
    [['tools', '--timeout', 'soon', '--', 'x'], '--timeout cannot be "soon".'],
    [['tools', '--timeout', '--', 'x'], 'needs a value'],
    [
      ['tools', '--era', 'new', '--', 'x'],
      '--era cannot be "new". Use one of: auto, legacy, modern.',
    ],
    [['tools', '--revision', '1', '--', 'x'], '--revision cannot be "1".'],
    [['tools', '--env', '=x', '--', 'x'], '--env cannot be "=x".'],
    [['tools', '--env', 'UNSET', '--', 'x'], '--env UNSET cannot be passed on'],
    [['tools', '--lang', 'fr', '--', 'x'], '--lang cannot be "fr". Use en or zh.'],
    [['tools', '--log-level', 'loud', '--', 'x'], '--log-level cannot be "loud".'],
    [['serve', 'news'], 'serve cannot be "news". Use one of: calculator, weather.'],
    [['demo', '--', 'x'], 'deep-pilot demo starts no server of yours.'],
    [['tolls'], 'There is no command "tolls". Did you mean tools?'],
    [['captures', 'show', '/no/such.jsonl'], 'Cannot read the capture "/no/such.jsonl"'],
  ])('is told in one line, with exit code 1: %j', async (words, message) => {
    const { stdout, stderr, code } = await cli(words)
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect([stdout, code]).toEqual(['', 1])
  })

  it('is told as one JSON line with --json, and in Chinese where that is spoken', async () => {
    const { stderr } = await cli(['tools', '--json', '--lang', 'zh'])
    expect(error(stderr)).toMatchObject({
      error: {
        family: 'usage',
        code: 'DP_USAGE',
        exitCode: 1,
        message: expect.stringContaining('没有指定服务器'),
      },
    })
  })

  it('is a command that does not exist, with exit code 4', async () => {
    const { stderr, code } = await cli(['tools', '--', 'no-such-program'])
    expect(stderr).toMatch(/^No connection to the server: .*there is no command "no-such-program"/)
    expect(code).toBe(4)
    const zh = await cli(['tools', '--', 'no-such-program'], { env: { LC_ALL: 'zh_CN' } })
    expect(zh.stderr).toMatch(/^无法连接服务器：/)
  })

  it('is no command at all, which shows the help on stderr', async () => {
    const { stdout, stderr, code } = await cli([])
    expect(stderr).toContain('Usage: deep-pilot COMMAND')
    expect([stdout, code]).toEqual(['', 1])
  })
})

describe('help', () => {
  const commands = [
    [],
    ['demo'],
    ['compare'],
    ['tools'],
    ['call'],
    ['resources'],
    ['read'],
    ['prompts'],
    ['prompt'],
    ['complete'],
    ['discover'],
    ['ping'],
    ['listen'],
    ['raw'],
    ['serve'],
    ['captures'],
    ['captures', 'show'],
    ['list'],
    ['doctor'],
    ['policy'],
    ['policy', 'check'],
    ['policy', 'test'],
    ['pin'],
    ['verify'],
    ['ps'],
    ['config'],
  ]

  it.each(commands)('of "%s %s" is in both languages, on standard output', async (...words) => {
    const typed = words.filter((word) => word !== undefined)
    const en = await cli([...typed, '--help'])
    const zh = await cli([...typed, '--help', '--lang', 'zh'])
    expect([en.code, en.stderr, zh.code, zh.stderr]).toEqual([0, '', 0, ''])
    expect(en.stdout).toMatch(/^Usage: deep-pilot/)
    expect(en.stdout).not.toMatch(/\p{Script=Han}/u)
    expect(zh.stdout).toMatch(/^用法：deep-pilot/)
    // All that is said in English is said in Chinese: no line of words is the same.
    const same = en.stdout
      .split('\n')
      .filter((line) => /^ *(-|[a-z]+ {2})/.test(line) && zh.stdout.includes(`${line}\n`))
    expect(same).toEqual([])
  })

  it('gives the version', async () => {
    const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(`${Object(manifest).version}\n`).toBe((await cli(['--version'])).stdout)
  })
})

describe('serve', () => {
  it('answers in the newest revision, offline where wanted', async () => {
    const words = [
      'call',
      'weather',
      'city=Berlin',
      '--era',
      'modern',
      '--json',
      '--',
      process.execPath,
    ]
    const { stdout } = await cli([...words, program, 'serve', 'weather', '--offline'])
    expect(JSON.parse(stdout)).toMatchObject({
      structuredContent: { city: 'Berlin', sample: true },
    })
  })

  it('ends when its client goes', async () => {
    expect(await cli(['serve', 'calculator'])).toEqual({ stdout: '', stderr: '', code: 0 })
  })
})
