/** The commands over all servers of a configuration, by the built program and with real servers: list, tools and call. */
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calculator, HostFolder, shell } from '../support/cli-host.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: HostFolder
beforeEach(() => void (folder = new HostFolder()))
afterEach(() => folder.remove())

const ADD = 'Add one with: deep-pilot config add NAME -- COMMAND …'
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

describe('list', () => {
  it('tells state and reason of each server, aligned, and then what is wrong with the configuration', async () => {
    const path = folder.configure({
      calculator,
      gone: { command: 'no-such-command-of-ours' },
      off: { command: 'node', disabled: true },
      bad: { args: ['x'] },
    })
    const { stdout, stderr, code } = await folder.run('list', '--config', path)
    const [first, second, third] = stdout.trimEnd().split('\n')
    expect(first).toMatch(
      /^calculator {2}ready {9}1 tool · calculator \d\S* · 2026-07-28 · pid \d+$/,
    )
    expect(second).toMatch(/^gone {8}failed {8}.*there is no command "no-such-command-of-ours"\./)
    expect(third).toMatch(/^off {9}switched off {2}/)
    expect(stderr).toMatch(/config\.json:\d+: server "bad": Neither a command nor an address/)
    expect(code).toBe(4)
  })

  it('says it in Chinese', async () => {
    const path = folder.configure({ calculator, off: { command: 'node', disabled: true } })
    const { stdout } = await folder.runIn('zh', 'list', '--config', path)
    expect(stdout).toMatch(/^calculator {2}就绪 {4}1 个工具 · /)
    expect(stdout).toContain('off         已停用  在配置中已停用')
  })

  it.skipIf(process.platform === 'win32')(
    'advises a version for npx where that server is started, and nowhere else',
    async () => {
      const npx = folder.write('npx', '#!/bin/sh\nexit 1\n')
      chmodSync(npx, 0o755)
      const other = { command: npx, args: ['-y', 'some-package'] }
      const path = folder.configure({ calculator, other })
      const said = async (...words: readonly string[]): Promise<string> =>
        (await folder.run(...words, '--config', path)).stderr
      expect(await said('list')).toContain('some-package')
      for (const words of [
        ['types', 'calculator'],
        ['pin', 'calculator', '--yes'],
        ['policy', 'check'],
      ])
        expect(await said(...words)).not.toContain('some-package')
      expect(await said('call', 'calculator.nothing')).not.toContain('some-package')
    },
  )

  it('leaves lazy servers alone, and starts the others even where a required one fails', async () => {
    const path = folder.configure({
      lazy: { ...shell, deepPilot: { start: 'lazy' } },
      needed: { command: 'no-such-command-of-ours', deepPilot: { start: 'required' } },
      calculator,
    })
    const { stdout, code } = await folder.run('list', '--json', '--config', path)
    const { servers } = JSON.parse(stdout)
    expect(servers.map((one: { state: string }) => one.state)).toEqual(['idle', 'failed', 'ready'])
    expect(servers[1]).toMatchObject({ whyKind: 'cannot-start', error: { family: 'transport' } })
    expect(code).toBe(4)
  })

  it('exits with 0 when all that are wanted are ready, and with 2 for an entry that cannot be read', async () => {
    const off = { command: 'no-such-command-of-ours', disabled: true }
    const lazy = { command: 'no-such-command-of-ours', deepPilot: { start: 'lazy' } }
    const good = folder.configure({ calculator, off, lazy }, {}, 'good.json')
    const bad = folder.configure({ calculator, bad: { args: ['x'] } }, {}, 'bad.json')
    expect((await folder.run('list', '--config', good)).code).toBe(0)
    expect((await folder.run('list', '--config', bad)).code).toBe(2)
  })

  it('finds the files of the folder, and starts nothing of a project that nobody approved', async () => {
    folder.configure({ calculator }, {}, '.mcp.json')
    const { stdout, stderr, code } = await folder.run('list')
    expect(stdout).toMatch(/^calculator {2}not approved {2}/)
    expect(stderr).toContain('deep-pilot config approve')
    expect(code).toBe(0)
  })

  it('says so when no server is configured', async () => {
    const { stdout, stderr, code } = await folder.run('list')
    expect([stdout, stderr, code]).toEqual(['', `No server is configured here. ${ADD}\n`, 0])
  })

  it('pins nothing and writes no lock file', async () => {
    const path = folder.configure({ calculator })
    await folder.run('list', '--config', path)
    await folder.run('tools', '--config', path)
    expect(() => statSync(join(folder.path, 'deep-pilot.lock.json'))).toThrow('ENOENT')
  })
})

describe('tools of a configuration', () => {
  it('are listed by alias with their server and title; servers that are away are told of', async () => {
    const path = folder.configure({
      calculator,
      shell,
      gone: { command: 'no-such-command-of-ours' },
    })
    const { stdout, stderr, code } = await folder.run('tools', '--config', path)
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^calculator__calculator {2}\[calculator\] Calculator – Works out /)
    expect(lines).toContain(`${'shell__echo'.padEnd(24)}[shell] Says it again.`)
    expect(stderr).toMatch(/^gone is left out \(failed\): /)
    expect(code).toBe(0)
  })

  it('are asked for only where tools are declared', async () => {
    const server = folder.saying('none', {
      capabilities: { prompts: {} },
      fail: { 'tools/list': 'asked' },
    })
    const path = folder.configure({ none: server })
    const { stdout, stderr } = await folder.run('tools', '--config', path)
    expect(stdout + stderr).toBe('The server offers no tools.\n')
  })

  it('show with --schemas what they take, and all of it with --json', async () => {
    const path = folder.configure({ calculator })
    const { stdout } = await folder.run('tools', '--schemas', '--config', path)
    expect(stdout).toContain('        "expr": {\n')
    const json = await folder.run('tools', '--json', '--config', path)
    expect(JSON.parse(json.stdout)).toMatchObject({
      tools: [{ alias: 'calculator__calculator', server: 'calculator', name: 'calculator' }],
      notReady: [],
    })
  })

  it('are held back with the reason when they are not those that were approved', async () => {
    const tool = { name: 'read', description: 'Reads', inputSchema: { type: 'object' } }
    const path = folder.configure({ one: folder.saying('one', { tools: [tool] }) })
    await folder.run('pin', '--yes', '--config', path)
    folder.saying('one', { tools: [{ ...tool, description: 'Reads, and sends it away' }] })
    const { stdout, stderr } = await folder.run('tools', '--config', path)
    expect(stdout).toBe(
      'one__read  [one] held back: its definition is not the one that was approved\n',
    )
    expect(stderr).toContain('1 tool held back until approved.')
    const call = await folder.run('call', 'one.read', '--yes', '--config', path)
    expect(call.stderr).toMatch(/^Not allowed: /)
    expect([call.stdout, call.code]).toEqual(['', 6])
  })
})

describe('call by the host', () => {
  it('goes by server.tool or by alias, and --yes says that it answered', async () => {
    const path = folder.configure({ calculator, shell })
    const { stdout, stderr, code } = await folder.run(
      'call',
      'calculator.calculator',
      'expr=23*7',
      '--yes',
      '--config',
      path,
    )
    expect(stdout).toBe('161\n')
    expect(stderr).toBe(
      'Call calculator of the server calculator? Yes, says --yes; nobody looked at it.\n',
    )
    expect(code).toBe(0)
    const words = ['call', 'shell.echo', 'text=a', '--yes', '--json', '--config', path]
    expect(JSON.parse((await folder.run(...words)).stderr)).toEqual({
      answered: { kind: 'call', server: 'shell', tool: 'echo', answer: 'once', by: 'flag' },
    })
    const alias = await folder.run('call', 'shell__typed', 'count=3', '--yes', '--config', path)
    expect(alias.stdout).toBe('{"count":3}\n')
  })

  it('is refused where nobody can be asked, with exit code 6, and it stands in the audit log', async () => {
    const path = folder.configure({ shell })
    const { stdout, stderr, code } = await folder.run(
      'call',
      'shell.echo',
      'text=a',
      '--config',
      path,
    )
    expect(stderr).toMatch(/^Not allowed: .*Nobody answered: there is no terminal to ask at\.$/m)
    expect(stderr.match(/--yes/g)).toHaveLength(1)
    expect(lastLine(stderr)).toBe('Allow it by a rule of the policy, or give --yes.')
    expect([stdout, code]).toEqual(['', 6])
    const log = join(folder.path, 'home/audit.jsonl')
    const records = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records).toMatchObject([
      { type: 'decision', verdict: 'deny', tool: 'echo', by: 'nobody' },
    ])
    expect(statSync(log).mode & 0o777).toBe(0o600)
  })

  it('says that arguments do not fit before anybody is asked', async () => {
    const path = folder.configure({ shell })
    const words = ['call', 'shell.echo', 'foo=1', '--config', path]
    for (const more of [[], ['--yes']]) {
      const { stderr, code } = await folder.run(...words, ...more)
      expect(stderr).toContain('do not fit its schema')
      expect(stderr).not.toMatch(/--yes|needs a yes/)
      expect(code).toBe(1)
    }
    expect(readFileSync(join(folder.path, 'home/audit.jsonl'), 'utf8')).toBe('')
  })

  it('follows the rules: what is allowed is not asked, what is denied is refused in spite of --yes', async () => {
    const policy = { allow: ['shell__echo'], deny: [{ tools: 'shell__exit', because: 'it ends' }] }
    const path = folder.configure({ shell }, { policy })
    const allowed = await folder.run('call', 'shell.echo', 'text=a', '--config', path)
    expect(allowed).toEqual({ stdout: 'a\n', stderr: '', code: 0 })
    const denied = await folder.run('call', 'shell.exit', '--yes', '--json', '--config', path)
    expect(JSON.parse(lastLine(denied.stderr))).toMatchObject({
      error: { code: 'DP_POLICY_DENIED', exitCode: 6 },
    })
  })

  it('ends with 5 for a failed tool and for one that there is not', async () => {
    const path = folder.configure({ shell })
    const failed = await folder.run('call', 'shell.fail', '--yes', '--config', path)
    expect([failed.stdout, failed.code]).toEqual(['it cannot be done\n', 5])
    const none = await folder.run('call', 'shell.ehco', '--config', path)
    expect(none.stderr).toMatch(
      /^Error: There is no tool "shell\.ehco"\. Near to it: "shell\.echo", /,
    )
    expect(none.code).toBe(5)
  })

  it('ends with 4 and the reason when the server cannot be started or is switched off', async () => {
    const off = { ...shell, disabled: true }
    const path = folder.configure({ gone: { command: 'no-such-command-of-ours' }, off })
    const gone = await folder.run('call', 'gone.x', '--config', path)
    expect(gone.stderr).toContain('there is no command "no-such-command-of-ours"')
    const not = await folder.run('call', 'off.echo', '--config', path)
    expect(not.stderr).toContain('The server "off" is switched off in the configuration.')
    expect([gone.code, not.code]).toEqual([4, 4])
  })

  it('starts nothing of a project that nobody approved, with exit code 6', async () => {
    folder.configure({ shell }, {}, '.mcp.json')
    const { stderr, code } = await folder.run('call', 'shell.echo', 'text=a', '--yes')
    expect(stderr).toContain('Look at it with: deep-pilot config approve')
    expect(code).toBe(6)
  })

  it('starts only the server that is meant', async () => {
    const other = folder.saying('other', { stderr: 'started\n' })
    const path = folder.configure({ shell, other }, { policy: { allow: ['shell'] } })
    const words = ['call', 'shell.echo', 'text=a', '--config', path, '--log-level', 'info']
    const { stderr } = await folder.run(...words)
    expect(stderr).not.toContain('started')
  })

  it('records the decision between the messages', async () => {
    const path = folder.configure({ shell }, { policy: { allow: ['shell'] } })
    await folder.run('call', 'shell.echo', 'text=a', '--config', path, '--capture', 'wire.jsonl')
    const { stdout } = await folder.run('captures', 'show', '--json', 'wire.jsonl')
    expect(stdout).toMatch(/"kind":"decision".*"verdict":"allow"[^]*tools\/call/)
  })
})

describe('one server or all', () => {
  it.each([
    [
      ['call', 'x.y', '--era', 'legacy', '--config', 'c.json'],
      'by --url. Servers of a configuration have no such setting: leave it out.',
    ],
    [
      ['call', 'x.y', '--cwd', '/', '--config', 'c.json'],
      'Write it into the configuration instead.',
    ],
    [['call', 'x.y', '--no-check', '--config', 'c.json'], '--no-check is for a server'],
    [
      ['tools', '--config', 'c.json', '--', 'node'],
      '--config is for the servers of a configuration',
    ],
    [['call', 'x', '--yes', '--', 'node'], '--yes is for the servers of a configuration'],
    [['call', 'x.y'], '(or configure servers with "deep-pilot config add"'],
    [['list', '--', 'node'], 'deep-pilot list starts no server'],
    [['list', '--config', 'none.json'], 'none.json'],
  ])('is told apart, and what does not fit is a mistake: %j', async (words, message) => {
    const { stdout, stderr, code } = await folder.run(...words)
    expect(stderr).toContain(message)
    expect([stdout, code]).toEqual(['', 1])
  })
})
