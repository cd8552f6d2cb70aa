import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openApprovals } from './approvals.ts'
import { stateFolder } from './home.ts'
import { findKnownFiles } from './known-files.ts'
import { loadConfig, loadFile, type LoadOptions } from './load.ts'

let root = ''
let options: LoadOptions = { cwd: '', env: {} }

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'deep-pilot-config-'))
  const [cwd, home] = [join(root, 'project'), join(root, 'home')]
  await mkdir(cwd)
  await mkdir(home)
  options = { cwd, env: { HOME: root, DEEP_PILOT_HOME: home, TOKEN: 't' } }
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

const put = (path: string, value: unknown): Promise<void> =>
  writeFile(join(root, path), typeof value === 'string' ? value : JSON.stringify(value))
const servers = (...keys: readonly string[]): unknown => ({
  mcpServers: Object.fromEntries(keys.map((key) => [key, { command: `run-${key}` }])),
})
const kinds = (problems: readonly { readonly kind: string }[]): readonly string[] =>
  problems.map(({ kind }) => kind)

describe('loading', () => {
  it('finds the file of the user, then those of the project', async () => {
    await put('home/config.jsonc', servers('mine'))
    await put('project/.mcp.json', servers('a'))
    await put('project/deep-pilot.jsonc', servers('b'))
    const { entries, files, problems } = await loadConfig(options)
    expect(entries.map(({ key, scope, approved }) => [key, scope, approved])).toEqual([
      ['mine', 'user', true],
      ['a', 'project', false],
      ['b', 'project', false],
    ])
    expect(files.map(({ sha256 }) => sha256.length)).toEqual([64, 64, 64])
    expect(kinds(problems)).toEqual(['unapproved', 'unapproved'])
  })

  it('reads named files alone, which need no approval', async () => {
    await put('home/config.jsonc', servers('mine'))
    await put('project/.mcp.json', servers('a'))
    const { entries } = await loadConfig({ ...options, files: ['.mcp.json'] })
    expect(entries).toMatchObject([{ key: 'a', scope: 'given', approved: true }])
    expect(entries[0]?.place.file).toBe(join(root, 'project/.mcp.json'))
  })

  it('has no servers where there is no file', async () => {
    await expect(loadConfig(options)).resolves.toMatchObject({ entries: [], problems: [] })
  })

  it('rejects when a named file or that of the user is missing or broken', async () => {
    await expect(loadConfig({ ...options, files: ['no.json'] })).rejects.toThrow('does not exist')
    await put('home/config.jsonc', '{')
    await expect(loadConfig(options)).rejects.toMatchObject({ code: 'DP_CONFIG', line: 1 })
  })

  it('goes on without a broken file of a project', async () => {
    await put('home/config.jsonc', servers('mine'))
    await put('project/.mcp.json', '{"mcpServers":\n{')
    const { entries, problems } = await loadConfig(options)
    expect(entries).toHaveLength(1)
    expect(problems).toMatchObject([{ kind: 'syntax', severity: 'error', place: { line: 2 } }])
  })

  it('lets a later file take the place of a server, with a warning that names both', async () => {
    await put('project/one.json', servers('a', 'b'))
    await put('project/two.json', servers('a'))
    const { entries, problems } = await loadConfig({ ...options, files: ['one.json', 'two.json'] })
    expect(entries.map(({ key, place }) => [key, place.file.slice(-8)])).toEqual([
      ['b', 'one.json'],
      ['a', 'two.json'],
    ])
    expect(problems).toMatchObject([{ kind: 'replaced', server: 'a' }])
    expect(problems[0]?.message).toMatch(/two\.json:1: .*one\.json:1/)
  })

  it('keeps a server of the user until the project that renames it is approved', async () => {
    await put('home/config.jsonc', servers('a'))
    await put('project/.mcp.json', { mcpServers: { a: { command: 'evil' } } })
    const before = await loadConfig(options)
    expect(before.entries).toMatchObject([{ command: 'run-a', approved: true }])
    expect(kinds(before.problems)).toEqual(['unapproved', 'kept'])
    const loaded = await loadFile('.mcp.json', 'project', options)
    await openApprovals(join(root, 'home')).approve({ ...loaded.file, entries: loaded.entries })
    const after = await loadConfig(options)
    expect(after.entries).toMatchObject([{ command: 'evil', approved: true }])
  })

  it('carries the policy of the user and that of the project apart', async () => {
    await put('home/config.jsonc', { deepPilot: { policy: { otherwise: 'ask' } } })
    await put('project/deep-pilot.json', {
      deepPilot: { policy: { otherwise: 'allow' }, concurrency: 900, pinning: 'frozen' },
    })
    const { policy, projectPolicy, settings } = await loadConfig(options)
    expect(policy?.value).toEqual({ otherwise: 'ask' })
    expect(projectPolicy?.value).toEqual({ otherwise: 'allow' })
    expect(settings).toEqual({ timeouts: {}, pinning: 'frozen' })
  })

  it('gives every server the limits that are set for all, unless it has its own', async () => {
    await put('home/config.json', {
      mcpServers: { a: { command: 'a' }, b: { command: 'b', deepPilot: { concurrency: 1 } } },
      deepPilot: { concurrency: 3, queue: 7 },
    })
    const { entries } = await loadConfig(options)
    expect(entries).toMatchObject([
      { key: 'a', concurrency: 3, queue: 7 },
      { key: 'b', concurrency: 1, queue: 7 },
    ])
  })

  it('gives every server the waits that are set for all', async () => {
    await put('home/config.json', {
      mcpServers: { a: { command: 'x', timeout: 5000 }, b: { command: 'y' } },
      deepPilot: { totalTimeoutMs: 9000 },
    })
    const env = { ...options.env, MCP_TIMEOUT: '7000', MCP_TOOL_TIMEOUT: 'soon' }
    const { entries } = await loadConfig({ ...options, env })
    expect(entries[0]?.timeouts).toMatchObject({ total: { ms: 5000 } })
    expect(entries[1]?.timeouts).toMatchObject({
      total: { ms: 9000 },
      start: { ms: 7000, setBy: 'MCP_TIMEOUT' },
    })
  })

  it('makes folders absolute from the file on and reads files of variables once approved', async () => {
    await put('project/.env', 'TOKEN_X=secret-x\n')
    const entry = { command: 'x', cwd: 'sub', envFile: '${workspaceFolder}/.env' }
    await put('project/.mcp.json', { mcpServers: { a: entry } })
    const given = await loadConfig({ ...options, files: ['.mcp.json'] })
    expect(given.entries).toMatchObject([
      { cwd: join(root, 'project/sub'), env: { TOKEN_X: 'secret-x' }, secrets: ['secret-x'] },
    ])
    const found = await loadConfig(options)
    expect(found.entries).toMatchObject([{ env: {}, approved: false }])
  })

  it('refuses what is no file, no UTF-8 or too large', async () => {
    const load = (file: string): Promise<unknown> => loadConfig({ ...options, files: [file] })
    await expect(load('.')).rejects.toThrow('it is no file')
    await writeFile(join(root, 'project/bad.json'), Uint8Array.of(0xff, 0xfe, 0x7b))
    await expect(load('bad.json')).rejects.toThrow('no UTF-8')
    await put('project/big.json', ' '.repeat(8 * 1024 * 1024 + 1))
    await expect(load('big.json')).rejects.toThrow('larger than')
  })
})

describe('approvals', () => {
  const path = (): string => join(root, 'project/.mcp.json')
  const store = () => openApprovals(join(root, 'home/state'))

  beforeEach(() => put('project/.mcp.json', servers('a')))

  it('hold for the bytes that were seen and no others', async () => {
    const load = { ...options, approvals: store() }
    const { file, entries } = await loadFile('.mcp.json', 'project', load)
    await store().approve({ ...file, entries })
    await expect(store().isApproved(path(), file.sha256)).resolves.toBe(true)
    const text = await readFile(path(), 'utf8')
    for (const [from, to] of [
      ['run-a', 'run-b'],
      ['"a"', '"b"'],
      ['}', ' }'],
    ] as const) {
      await writeFile(path(), text.replace(from, to))
      await expect(loadConfig(load), from).resolves.toMatchObject({
        entries: [{ approved: false }],
      })
    }
    await writeFile(path(), text)
    await expect(loadConfig(load)).resolves.toMatchObject({ entries: [{ approved: true }] })
  })

  it('hold for the file behind a link', async () => {
    await symlink(path(), join(root, 'link.json'))
    await store().approve({ path: join(root, 'link.json'), sha256: 'x', entries: [] })
    await expect(store().isApproved(path(), 'x')).resolves.toBe(true)
  })

  it('can be taken back', async () => {
    await store().approve({ path: path(), sha256: 'x', entries: [] })
    await store().approve({ path: path(), sha256: 'y', entries: [] })
    await expect(store().revoke(path())).resolves.toBe(2)
    await expect(store().isApproved(path(), 'y')).resolves.toBe(false)
    await expect(store().latest(path())).resolves.toBeUndefined()
  })

  it('are for the user alone, and a store that others may write to approves nothing', async () => {
    await store().approve({ path: path(), sha256: 'x', entries: [] })
    const file = join(root, 'home/state/approvals.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await chmod(file, 0o666)
    await expect(store().isApproved(path(), 'x')).resolves.toBe(false)
  })

  it('that are broken approve nothing', async () => {
    await store().approve({ path: path(), sha256: 'x', entries: [] })
    const file = join(root, 'home/state/approvals.json')
    for (const text of ['', '{', '[]', '{"version":2,"files":[]}', '{"version":1,"files":[1]}']) {
      await writeFile(file, text)
      await expect(store().isApproved(path(), 'x'), text).resolves.toBe(false)
    }
  })

  it('keep no more than they must', async () => {
    const file = join(root, 'home/state/approvals.json')
    const old = { path: '/old', sha256: 'x', at: '', launches: {} }
    await mkdir(join(root, 'home/state'))
    const files = Array.from({ length: 1500 }, (_, at) => ({ ...old, sha256: `${at}` }))
    await writeFile(file, JSON.stringify({ version: 1, files }), { mode: 0o600 })
    await store().approve({ path: path(), sha256: 'x', entries: [] })
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'))
    expect(Object(kept)).toHaveProperty('files.length', 1000)
    await expect(store().isApproved(path(), 'x')).resolves.toBe(true)
  })
})

describe('places', () => {
  it('of state are named by the environment or lie in the home folder', () => {
    expect(stateFolder({ DEEP_PILOT_HOME: '/s' })).toBe('/s')
    expect(stateFolder({ HOME: '/h', DEEP_PILOT_HOME: '' })).toBe('/h/.deep-pilot')
  })

  it('of other hosts are found where they are', async () => {
    await mkdir(join(root, '.codex'))
    await put('.codex/config.toml', '')
    await mkdir(join(root, 'project/.vscode'))
    await put('project/.vscode/mcp.json', '{}')
    const { cwd, env } = options
    await expect(findKnownFiles({ cwd, env, platform: 'linux' })).resolves.toEqual([
      { host: 'vscode', title: 'VS Code', path: join(root, 'project/.vscode/mcp.json') },
      { host: 'codex', title: 'Codex', path: join(root, '.codex/config.toml') },
    ])
    await expect(findKnownFiles({ cwd, env, host: 'codex' })).resolves.toHaveLength(1)
  })
})
