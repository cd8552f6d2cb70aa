/** Files that want to run something: words that a shell would read, commands of projects, packages of strangers, secrets of the parent. */
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { createLogger } from '../../src/base/log.ts'
import type { ServerEntry } from '../../src/config/entry.ts'
import { parseConfig } from '../../src/config/parse.ts'
import type { Problem } from '../../src/config/problem.ts'
import { allowAll } from '../../src/host/consent.ts'
import { Host } from '../../src/host/host.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { resultToText } from '../../src/tools/content.ts'
import { listFiles, readSources } from '../support/sources.ts'
import { project } from '../support/project.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const one of open.splice(0).toReversed()) await one.close()
})

const given = { file: 'servers.json', scope: 'given', env: {} } as const

const kinds = (problems: readonly Problem[]): readonly string[] => problems.map(({ kind }) => kind)

/** Words of other people's attacks, each of which does something in a shell or as an option. */
const HOSTILE = [
  '--upload-pack=touch canary',
  '-x',
  '--config=/etc/passwd',
  '; touch canary',
  '$(touch canary)',
  '`touch canary`',
  '&& touch canary',
  '| touch canary',
  '"&calc&"',
  "'; touch canary; '",
  'a b\tc',
  '$HOME',
  '%PATH%',
  '${OTHER}',
  '\n touch canary\n',
]

describe('what a variable or an input brings', () => {
  it.each(HOSTILE)('is one argument, as it is, and is not read again: %j (A02)', async (word) => {
    const text = JSON.stringify({
      inputs: [{ id: 'i', type: 'promptString', description: 'x' }],
      servers: { s: { type: 'stdio', command: 'node', args: ['a.js', '${V}', '--q=${input:i}'] } },
    })
    const { entries } = await parseConfig(text, {
      ...given,
      file: '.vscode/mcp.json',
      env: { V: word, OTHER: 'read twice' },
      inputs: new Map([['i', word]]),
    })
    expect(entries).toMatchObject([{ command: 'node', args: ['a.js', word, `--q=${word}`] }])
  })

  it('is refused where no system could take it (A02)', async () => {
    const text = JSON.stringify({ mcpServers: { s: { command: 'node', args: ['${V}'] } } })
    const { entries, problems } = await parseConfig(text, { ...given, env: { V: 'a\u0000-x' } })
    expect([entries, kinds(problems)]).toEqual([[], ['nul-character']])
  })
})

describe('programs', () => {
  /** Where a process may be started, with the words that start it. */
  const STARTERS: Readonly<Record<string, readonly string[]>> = {
    'src/cli/asked/open-page.ts': ['spawn'],
    'src/cli/compare/child.ts': ['spawn'],
    'src/transport/node/process-group.ts': ['spawn'],
    'src/transport/node/server-process.ts': [],
    'src/transport/node/watchdog.ts': ['spawn'],
    'src/host/group-sight.ts': ['execFile'],
    'src/host/process-identity.ts': ['execFileSync'],
  }
  const sources = readSources('src').filter(({ isTest }) => !isTest)

  it('are started in few places, and never by a shell (A01, A02)', () => {
    const starters = sources.filter(({ specifiers }) =>
      specifiers.some((name) => /^(node:)?(child_process|worker_threads|cluster)$/.test(name)),
    )
    expect(starters.map(({ path }) => path).toSorted()).toEqual(Object.keys(STARTERS).toSorted())
    for (const { path, text } of starters) {
      const words = /import \{([^}]*)\} from 'node:child_process'/.exec(text)?.[1] ?? ''
      const imported = words.split(',').filter((word) => !/^\s*(type |$)/.test(word))
      expect(
        imported.map((word) => word.trim()),
        path,
      ).toEqual(STARTERS[path])
      expect(text, path).not.toMatch(/shell: (?!false)|[^.]\bexec(Sync)?\(/)
      const spawns = imported.join('').includes('spawn')
      expect(text.includes('shell: false'), path).toBe(spawns)
    }
  })

  it('are never made of text, here or in a page (A01)', () => {
    for (const { path, text } of sources)
      expect(text, path).not.toMatch(/\beval\(|new Function\(|node:vm'|process\.binding/)
  })

  it('get the words of an entry one by one, whatever a shell would make of them (A02)', async () => {
    const at = await project()
    const code = `require('fs').writeFileSync('seen.json', JSON.stringify(process.argv.slice(1)))`
    const args = ['-e', code, '--', ...HOSTILE.filter((word) => !word.includes('${'))]
    await at.put('.mcp.json', {
      mcpServers: { s: { command: process.execPath, args, cwd: '.' } },
    })
    await at.approve()
    const host = await Host.open(await at.load(), { home: at.home, jobs: false })
    open.push(host)
    await expect.poll(() => at.read('seen.json')).toBeDefined()
    await host.close()
    expect(JSON.parse((await at.read('seen.json')) ?? '')).toEqual(args.slice(3))
    expect(await at.read('canary')).toBeUndefined()
  })
})

const touch = `require('fs').writeFileSync('canary','')`
const CANARIES: readonly (readonly [string, JsonObject])[] = [
  ['node -e', { command: process.execPath, args: ['-e', touch] }],
  ['npx -c', { command: 'npx', args: ['-c', 'touch canary'] }],
  ['python -c', { command: 'python3', args: ['-c', `open('canary','w')`] }],
  ['a shell', { command: '/bin/sh', args: ['-c', 'touch canary'] }],
  ['a list of words', { type: 'local', command: ['/usr/bin/touch', 'canary'] }],
  ['a required one', { command: '/usr/bin/touch', args: ['canary'], deepPilot: { start: 'lazy' } }],
]

describe('a command that comes with a project', () => {
  it.each(CANARIES)('is not run before someone approved the file: %s (A03)', async (_, server) => {
    const at = await project()
    await at.put('.mcp.json', { mcpServers: { s: { ...server, cwd: '.' } } })
    const config = await at.load()
    expect(kinds(config.problems)).toContain('unapproved')
    const host = await Host.open(config, { home: at.home })
    open.push(host)
    host.start('s')
    host.restart('s')
    await host.settled()
    host.turn()
    expect(host.servers()).toMatchObject([{ state: 'disabled', whyKind: 'unapproved' }])
    expect([host.tools(), host.instructions()]).toEqual([[], []])
    await host.reload(await at.load())
    await host.detach('s')
    host.attach(config.entries[0] as ServerEntry) // it has one, as its state says
    await host.close()
    expect(await at.read('canary')).toBeUndefined()
  })

  it('is run once the file was approved, so that the canary is one (A03)', async () => {
    const at = await project()
    await at.put('.mcp.json', { mcpServers: { s: { ...CANARIES[0]?.[1], cwd: '.' } } })
    await at.approve()
    const host = await Host.open(await at.load(), { home: at.home, jobs: false })
    open.push(host)
    await expect.poll(() => at.read('canary')).toBe('')
  })

  it('is split into no words when all of it stands in one text (A03)', async () => {
    const at = await project()
    const command = '/usr/bin/touch canary; /usr/bin/touch canary'
    await at.put('.mcp.json', { mcpServers: { s: { command, cwd: '.' } } })
    await at.approve()
    const host = await Host.open(await at.load(), { home: at.home, jobs: false })
    open.push(host)
    await host.settled()
    expect(host.servers()).toMatchObject([{ state: 'failed' }])
    expect(await at.read('canary')).toBeUndefined()
  })

  it('and an address that does, are reached by nobody, nor is a file read that they name (A03, A05)', async () => {
    const at = await project()
    let hits = 0
    const canary = createServer((_, response) => {
      hits += 1
      response.end()
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    open.push({ close: () => new Promise((resolve) => canary.close(resolve)) })
    const url = `http://127.0.0.1:${Object(canary.address()).port}/\${KEY}`
    await at.put('.env', 'FROM_FILE=read')
    await at.put('.mcp.json', {
      mcpServers: { web: { url }, s: { command: 'node', envFile: '.env' } },
    })
    const config = await at.load({ KEY: 'sk-canary-1234' })
    const host = await Host.open(config, { home: at.home })
    open.push(host)
    host.restart('web')
    await host.settled()
    await host.close()
    expect(hits).toBe(0)
    expect(JSON.stringify(config.entries)).not.toContain('FROM_FILE')
  })

  it('takes no place of a server of the user before it is approved (A05)', async () => {
    const at = await project()
    await writeFile(
      join(at.home, 'config.json'),
      JSON.stringify({ mcpServers: { s: { command: 'mine' } } }),
    )
    await at.put('.mcp.json', { mcpServers: { s: { command: 'theirs' } } })
    const config = await at.load()
    expect(config.entries).toMatchObject([{ command: 'mine', scope: 'user', approved: true }])
    expect(kinds(config.problems)).toContain('kept')
  })
})

describe('a package', () => {
  const fetched: readonly (readonly [string, readonly string[]])[] = [
    ['npx', ['-y', 'postmark-mcp']],
    ['npx', ['-y', 'postmark-mcp@latest']],
    ['npx', ['-y', 'postmark-mcp@^1.0.15']],
    ['npx', ['--package=@a/b', 'b']],
    ['/usr/bin/npx', ['@scope/server']],
    ['cmd', ['/c', 'npx', '-y', 'x']],
    ['npm', ['exec', 'x']],
    ['pnpm', ['dlx', 'x']],
    ['bunx', ['x']],
    ['uvx', ['mcp-server-fetch']],
    ['uvx', ['--from', 'mcp-server-fetch', 'x']],
    ['uv', ['tool', 'run', 'x']],
    ['pipx', ['run', 'x']],
  ]

  it.each(fetched)(
    'that can be another one tomorrow is told of: %s %j (A07)',
    async (command, args) => {
      const text = JSON.stringify({ mcpServers: { s: { command, args } } })
      const { problems } = await parseConfig(text, given)
      expect(problems).toMatchObject([{ kind: 'unpinned', severity: 'warning', server: 's' }])
    },
  )

  it('with its version is not (A07)', async () => {
    for (const [command, name] of [
      ['npx', 'postmark-mcp@1.0.15'],
      ['uvx', 'mcp-server-fetch==2025.4.7'],
    ])
      expect(
        kinds(
          (
            await parseConfig(
              JSON.stringify({ mcpServers: { s: { command, args: [name] } } }),
              given,
            )
          ).problems,
        ),
      ).toEqual([])
  })

  it('or a program that wrote itself into a file of the project is shown, and not started (A07)', async () => {
    const at = await project()
    const own = { command: process.execPath, args: ['-e', ''] }
    await at.put('.mcp.json', { mcpServers: { own } })
    await at.approve()
    expect((await at.load()).entries).toMatchObject([{ key: 'own', approved: true }])
    await at.put('.mcp.json', { mcpServers: { own, rogue: { ...CANARIES[0]?.[1], cwd: '.' } } })
    const config = await at.load()
    expect(config.entries).toMatchObject([{ approved: false }, { key: 'rogue', approved: false }])
    const host = await Host.open(config, { home: at.home })
    open.push(host)
    await host.settled()
    await host.close()
    expect(await at.read('canary')).toBeUndefined()
  })
})

describe('what the parent knows', () => {
  const CANARY = 'canary-of-the-parent-7391'
  const TOKEN = 'canary-of-server-a-5512'
  const SECRETS = [
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'NODE_OPTIONS_X',
    'SSH_AUTH_SOCK',
    'npm_config_token',
  ]
  const telling = { command: process.execPath, args: [resolve('test/fixtures/telling-server.mjs')] }

  it('is not in the environment of a server, nor is what another server was given (A06, A62)', async () => {
    for (const name of SECRETS) vi.stubEnv(name, CANARY)
    const at = await project()
    await at.put('.mcp.json', {
      mcpServers: { a: { ...telling, env: { API_TOKEN: '${TOKEN}', MODE: 'x' } }, b: telling },
    })
    await at.approve()
    const events: WireEvent[] = []
    const lines: string[] = []
    const config = await at.load({ TOKEN, AWS_SECRET_ACCESS_KEY: CANARY })
    const host = await Host.open(config, {
      home: at.home,
      consent: allowAll(),
      wire: (event) => void events.push(event),
      logger: createLogger((line) => void lines.push(JSON.stringify(line)), { level: 'debug' }),
    })
    open.push(host)
    await host.settled()
    host.turn()
    const [a, b] = [await tell(host, 'a__tell'), await tell(host, 'b__tell')]
    expect(Object.keys(b.env).toSorted()).toEqual(
      Object.keys(a.env)
        .filter((name) => name !== 'API_TOKEN' && name !== 'MODE')
        .toSorted(),
    )
    const usual = /^(HOME|LANG|LC_[A-Z]+|LOGNAME|PATH|SHELL|TERM|TMPDIR|USER)$/
    expect(Object.keys(b.env).filter((name) => !usual.test(name))).toEqual([])
    expect(a.env['API_TOKEN']).toBe(TOKEN)
    await host.close()
    const kept = await Promise.all(listFiles(at.home).map((path) => readFile(path, 'utf8')))
    const lock = (await at.read('deep-pilot.lock.json')) ?? ''
    expect(kept.join('')).toContain('"decision"')
    expect(JSON.stringify([events, lines, kept, lock, a, b])).not.toContain(CANARY)
    const ofB = events.filter(({ transport }) => transport === 'b')
    expect(ofB.length).toBeGreaterThan(0)
    expect(JSON.stringify([ofB, kept, lock, b])).not.toContain(TOKEN)
  })
})

interface Told {
  readonly env: Readonly<Record<string, string>>
}

async function tell(host: Host, alias: string): Promise<Told> {
  return JSON.parse(resultToText(await host.callTool(alias))) as Told // what the fixture writes
}
