/** The built program as an attacker sees it: what strangers say on every way out of it, what it gives to others, and what it reads from its own folder. */
import { execFile } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { AgentFolder, KEY } from '../support/agent-cli.ts'
import { atTerminal, hasTerminal } from '../support/cli-terminal.ts'
import type { CliRun } from '../support/cli.ts'
import { SEQUENCES } from '../support/terminal-attacks.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

/** What moves a cursor, turns text around, links, or is drawn as nothing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
const LINK = '\u001b]8;;https://evil.example/\u001b\\here\u001b]8;;\u001b\\'
const TURNED = '\u202eexe.\u2066txt\u2069\u200b\u00ad\u{e0041}\u{e0101}\u061c\u115f\ufeff'
/** Each in a text; none with a NUL, which no command line takes. */
const ODD: string = [...SEQUENCES.filter((one) => !one.includes('\u0000')), LINK, TURNED].join('x')

let folder: AgentFolder
beforeEach(() => void (folder = new AgentFolder()))
afterEach(() => folder.end())

const agent = (...words: readonly string[]): Promise<CliRun> => folder.agent(words)
const session = (file = ''): string =>
  join(folder.path, 'home', 'sessions', folder.sessions()[0] ?? '', file)

function expectPlain(what: string, text: string): void {
  for (const line of text.split('\n')) expect(line, what).not.toMatch(UNSEEN)
}

/** A server and a model that say it wherever there is a place for words. */
async function hostile(): Promise<void> {
  const schema = {
    type: 'object',
    title: ODD,
    description: ODD,
    properties: { [ODD]: { type: 'string', enum: [ODD], default: ODD, pattern: ODD } },
  }
  const tools = [
    { name: 't', title: ODD, description: ODD, inputSchema: schema, outputSchema: schema },
    { name: `u${ODD}`, description: ODD, inputSchema: { ...schema, not: {}, format: ODD } },
    { name: 'v', inputSchema: { type: 'object' } },
  ]
  const said = { tools, instructions: ODD, stderr: `${ODD}\n`, info: { name: ODD, version: ODD } }
  folder.configure({ evil: folder.saying('evil', said) }, { policy: { allow: ['evil'] } })
  await folder.play(
    {
      reasoning: ODD,
      text: ODD,
      calls: [
        { name: 'evil__v', args: { file: ODD, [ODD]: ODD } },
        { name: ODD, args: ODD },
      ],
    },
    { text: ODD },
  )
}

const WITH = ['--config', 'config.json'] as const
const TASK = ['run', `Look at ${ODD}.`, ...WITH] as const
/** What shows a session, and a server, to who looks at them afterwards. */
function looks(): readonly (readonly string[])[] {
  const direct = [
    '--',
    process.execPath,
    resolve('test/fixtures/file-server.mjs'),
    'evil.said.json',
  ]
  return [
    ['why'],
    ['why', 't1c1', '--full'],
    ['why', 't1c2'],
    ['why', ODD],
    ['chat', '--list'],
    ['tools', '--for', 'gemini', ...WITH],
    ['types', 'evil', ...WITH],
    ['types', ...direct],
    ['compare', '--tool', ODD],
    ['compare', '--calls', ODD],
  ]
}

describe('what strangers say', () => {
  it.runIf(hasTerminal)(
    'is seen and not obeyed at a terminal, in all that shows it (A54, A55)',
    async () => {
      await hostile()
      const env = { ...folder.env, NO_COLOR: '1' }
      const shown = async (words: readonly string[]): Promise<void> => {
        const run = await atTerminal(words, [], { cwd: folder.path, env })
        // The ends of lines, and what the program itself draws again.
        const text = run.shown.replaceAll('\r\u001b[K', '\n').replaceAll('\r\n', '\n')
        expect(text).not.toBe('')
        expectPlain(words.slice(0, 2).join(' '), text)
      }
      await shown(TASK)
      await Promise.all(looks().map(shown))
    },
  )

  it('is escaped on stderr and in JSON, whoever reads it (A54, A55)', async () => {
    await hostile()
    const run = await agent(...TASK, '--json', '--deltas', '--log-level', 'debug')
    expect(run.code, run.stderr).toBe(EXIT.success)
    expectPlain('run', run.stderr + run.stdout)
    expect(run.stdout).toContain('u202e')
    await Promise.all(
      looks().map(async (words) => {
        // An option of ours behind the words of a server would be one of its own.
        const at = words.includes('--') ? words.indexOf('--') : words.length
        const { stdout, stderr } = await agent(...words.toSpliced(at, 0, '--json'))
        expect(stdout + stderr).not.toBe('')
        expectPlain(words.slice(0, 2).join(' '), stdout + stderr)
      }),
    )
  })

  it('is a comment or a text in declarations, and a compiler takes them (A49, A54)', async () => {
    const words = [
      '*/ export const stolen = process.env; /*',
      '`${process.exit()}`',
      '"; declare const stolen: any; "',
      'a\nexport const stolen = 1',
      'a\u2028export const stolen = 1',
      'a\u2029export const stolen = 1',
      'a\r// @ts-nocheck',
      '</script><!--',
      '/// <reference path="/etc/passwd" />',
      '@ts-ignore',
      '\\u002a/ \\',
      '__proto__',
      'constructor',
      'Tools',
      'never',
      TURNED,
      LINK,
      '\ud800',
      '',
    ]
    const schemaOf = (word: string): object => ({
      type: 'object',
      title: word,
      description: word,
      required: [word],
      properties: { [word]: { enum: [word, { [word]: word }], default: word, description: word } },
      $defs: { [word]: { const: word } },
    })
    const tools = words.map((word) => ({
      name: word,
      title: word,
      description: word,
      inputSchema: schemaOf(word),
      outputSchema: schemaOf(word),
    }))
    const info = { name: words.join(''), version: words.join('') }
    const evil = folder.saying('evil', { tools, info })
    folder.configure({ evil })
    const server = resolve('test/fixtures/file-server.mjs')
    const runs = await Promise.all([
      agent('types', 'evil', ...WITH),
      agent('types', '--', process.execPath, server, 'evil.said.json'),
    ])
    for (const [at, { stdout, code, stderr }] of runs.entries()) {
      expect(code, stderr).toBe(EXIT.success)
      expectPlain('types', stdout + stderr)
      expect(stdout.match(/^ {4}arguments: /gm)?.length).toBeGreaterThan(words.length / 2)
      writeFileSync(join(folder.path, `evil${at}.d.ts`), stdout)
    }
    const user = "import type { Tools } from './evil0.d.ts'\nexport type T = Tools['constructor']\n"
    folder.write('user.ts', user)
    expect(await compiled(folder.path)).toBe('')
    const names = runs.flatMap(({ stdout }) => stdout.match(/^(?!export (type|interface) ).+$/gm))
    // Nothing but types, and what is within them or in comments, begins at the edge.
    for (const line of names) expect(line).toMatch(/^(\/\/ Types of| |\/\*\*|\}|\| )/)
  })
})

/** What the compiler says of all files of the folder. */
function compiled(path: string): Promise<string> {
  const options = { target: 'es2023', module: 'nodenext', strict: true, noEmit: true, types: [] }
  const config = { compilerOptions: options, include: ['*.ts'] }
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(config))
  return new Promise((settle) => {
    execFile(
      process.execPath,
      [resolve('node_modules/typescript/bin/tsc'), '-p', path],
      (_, stdout, stderr) => settle(stdout + stderr),
    )
  })
}

describe('keys in the environment', () => {
  const OTHERS = ['DEEPSEEK', 'OPENAI', 'ANTHROPIC', 'OPENROUTER'].map(
    (name) => [`${name}_API_KEY`, `sk-${name.toLowerCase()}-canary-4711`] as const,
  )
  const SECRETS = [...OTHERS, ['AWS_SECRET_ACCESS_KEY', 'aws-canary-4711'] as const]

  it('are in the environment of no server that a model calls, and nowhere else (A06, A47)', async () => {
    const tells = { command: process.execPath, args: [resolve('test/fixtures/telling-server.mjs')] }
    folder.configure({ tells }, { policy: { allow: ['tells'] } })
    const provider = await folder.play(
      { text: KEY, calls: [{ name: 'tells__tell', args: {} }] },
      { text: `It is ${KEY}.`, reasoning: KEY },
    )
    const env = Object.fromEntries(SECRETS)
    const words = ['--json', '--deltas', '--log-level', 'debug', ...WITH]
    const run = await folder.agent(['run', 'Tell me.', ...words], '', env)
    expect(run.code, run.stderr).toBe(EXIT.success)
    const runs = [
      run,
      await folder.agent(['why', 't1c1', '--full'], '', env),
      await folder.agent(['why', 't1c1', '--json'], '', env),
      await folder.agent(['chat', '--list', '--json'], '', env),
    ]
    expect(provider.requests.at(-1)?.messages.at(-1)?.content).toContain('PATH')
    const all = [
      folder.allText(),
      JSON.stringify(provider.requests.map(({ messages }) => messages)),
      JSON.stringify(provider.requests.map(({ headers }) => headers)).replaceAll(KEY, ''),
      ...runs.map(({ stdout, stderr }) => stdout + stderr),
    ].join('\n')
    expect(all).toContain('tells__tell')
    for (const [name, secret] of [...SECRETS, ['', KEY] as const])
      expect(all.includes(secret), name).toBe(false)
  })

  it('of a proxy or in an address are told to nobody when it is not reached (A47)', async () => {
    const secret = 'canary-0815-0815'
    folder.configure({})
    const env = {
      DEEP_PILOT_API_KEY: KEY,
      HTTPS_PROXY: `http://user:${secret}@127.0.0.1:1`,
      NO_PROXY: '',
    }
    const words = ['run', 'x', ...WITH, '--model', 'compatible:m', '--budget-time', '1']
    const runs = await Promise.all(
      [
        'https://model.invalid/v1',
        `https://user:${secret}@127.0.0.1:1/v1`,
        `http://127.0.0.1:1/v1?api_key=${secret}`,
      ].map((url) => folder.agent([...words, '--base-url', url], '', env)),
    )
    for (const { code, stdout, stderr } of runs) {
      expect(code).not.toBe(EXIT.success)
      expect(stderr).not.toBe('')
      expect((stdout + stderr).includes(secret)).toBe(false)
    }
    expect(folder.allText()).not.toContain(secret)
  })
})

describe('the folder of sessions', () => {
  const chat = (input: string, ...words: readonly string[]): Promise<CliRun> =>
    folder.agent(['chat', ...WITH, ...words], input)

  it('has a session for no name that is a path, a device or a part of one (A38)', async () => {
    folder.configure({})
    await folder.play({ text: 'One.' })
    await chat('Hi.\n')
    const [own = ''] = folder.sessions()
    const home = join(folder.path, 'home')
    mkdirSync(join(home, 'other'))
    writeFileSync(join(home, 'other', 'transcript.jsonl'), 'untouched')
    const planted = ['CON', 'nul', 'aux.jsonl', 'COM1', '__proto__', 'constructor', `${own}.`]
    planted.push(`${own}:x`, `${own} `, own.toUpperCase().replace('-', '_'), '20200101-000000-CON1')
    for (const name of planted) mkdirSync(join(home, 'sessions', name))
    const listed = JSON.parse((await agent('chat', '--list', '--json')).stdout) as { id: string }[] // printed by us
    expect(listed.map(({ id }) => id)).toEqual([own])
    const wishes = ['..', '../other', `${own}/../../other`, 'CON', `${own}:x`, `${own}\n`, ODD]
    const runs = await Promise.all(wishes.map((wish) => chat('x\n', '--resume', wish)))
    for (const [at, { code, stderr }] of runs.entries()) {
      expect([code, stderr.includes('this is a bug')], wishes[at]).toEqual([EXIT.usage, false])
      expectPlain('--resume', stderr)
    }
    expect(readFileSync(join(home, 'other', 'transcript.jsonl'), 'utf8')).toBe('untouched')
    for (const name of planted) expect(readdirSync(join(home, 'sessions', name))).toEqual([])
  })

  it('gives a model nothing that an artifact only links to, and writes through no such link (A35, A38)', async () => {
    const saying = folder.saying('big', { tools: [{ name: 't', inputSchema: { type: 'object' } }] })
    folder.configure({ big: saying }, { policy: { allow: ['big', 'read_artifact'] } })
    const secret = folder.write('secret.txt', 'canary-of-a-file')
    const missing = join(folder.path, 'made.txt')
    const read = (id: string): { name: string; args: object } => ({
      name: 'read_artifact',
      args: { id },
    })
    const provider = await folder.play(
      { text: 'One.' },
      { calls: [{ name: 'big__t', args: { long: 'line\n'.repeat(20_000) } }] },
      { calls: [read('a1'), read('a2'), read('a3'), read('a4')] },
      { text: 'Two.' },
    )
    await chat('Hi.\n')
    const artifacts = session('artifacts')
    mkdirSync(artifacts, { recursive: true })
    symlinkSync(secret, join(artifacts, 'a1.txt'))
    symlinkSync(missing, join(artifacts, 'a2.txt'))
    symlinkSync('/dev/zero', join(artifacts, 'a3.bin'))
    const { stderr } = await chat('Go on.\n', '--resume')
    const told = provider.requests.at(-1)?.messages.slice(-4) ?? []
    expect(told, stderr).toHaveLength(4)
    expect(folder.allText().split('canary-of-a-file')).toHaveLength(2)
    expect(readFileSync(secret, 'utf8')).toBe('canary-of-a-file')
    expect(() => lstatSync(missing)).toThrow('ENOENT')
    const files = readdirSync(artifacts).filter((name) => lstatSync(join(artifacts, name)).isFile())
    expect(files).toHaveLength(1)
    expect(lstatSync(join(artifacts, files[0] ?? '')).mode & 0o777).toBe(0o600)
  })

  it('may hold prices, facts and a lock that are links to what never ends (A27, A38)', async () => {
    folder.configure({})
    await folder.play({ text: 'One.' }, { text: 'Two.' })
    await chat('Hi.\n')
    symlinkSync('/dev/zero', join(folder.path, 'home', 'prices.json'))
    for (const file of ['meta.json', 'lock']) {
      const link = join(folder.path, file)
      symlinkSync('/dev/zero', link)
      rmSync(session(file), { force: true })
      symlinkSync(link, session(file))
    }
    const list = await agent('chat', '--list')
    expect([list.code, list.stdout.includes(folder.sessions()[0] ?? '-')]).toEqual([0, true])
    for (const run of [await chat('Again.\n/cost\n', '--resume'), await agent('run', 'x', ...WITH)])
      expect(run.stderr).not.toContain('this is a bug')
  })

  it('may hold a conversation of any size, of which what can be read is read (A25, A27, A31)', async () => {
    folder.configure({})
    const provider = await folder.play({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' })
    await chat('Hi.\n')
    const path = session('transcript.jsonl')
    const line = (message: object): string => `${JSON.stringify({ type: 'message', message })}\n`
    const call = { id: '__proto__', name: 'constructor', argumentsText: '{"__proto__":{"x":1}}' }
    const text =
      `{"type":"__proto__"}\n{"__proto__":{"type":"cleared"}}\n{"type":"toString"}\n` +
      `${'{}\n'.repeat(200_000)}${'\n'.repeat(200_000)}${'x\n'.repeat(100_000)}` +
      `${'{"a":'.repeat(100_000)}\n${'9'.repeat(1_000_000)}\n` +
      line({ role: '__proto__', parts: [] }) +
      line({ role: 'user', parts: [{ type: 'text', text: 'x'.repeat(20_000_000) }] }) +
      line({ role: 'assistant', text: 'I called.', calls: [call] }) +
      line({ role: 'tool', callId: '__proto__', name: 'hasOwnProperty', text: 'y', failed: false })
    writeFileSync(path, text)
    const run = await chat('Again.\n', '--resume', '--json')
    expect(run.stderr).not.toContain('this is a bug')
    expect([run.code, provider.requests.length]).toEqual([EXIT.success, 2])
    expect(provider.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(provider.requests[1]?.messages[1]?.content).toMatch(/^\[Earlier parts .*\]\n\nAgain\.$/)
    truncateSync(path, 257 * 1024 * 1024)
    const large = await chat('More.\n', '--resume')
    expect([large.code, provider.requests.length]).toEqual([EXIT.usage, 2])
    expect(large.stderr).toMatch(/transcript .* bytes; at most .* Begin a new one\./)
    expect(lstatSync(path).size).toBe(257 * 1024 * 1024)
  })
})
