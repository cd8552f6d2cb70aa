/** `verify --frozen` by the built program, as a machine for checks runs it: a fresh home, and the files that are committed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calculator, HostFolder } from '../support/cli-host.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: HostFolder
beforeEach(() => void (folder = new HostFolder()))
afterEach(() => folder.remove())

describe('verify --frozen', () => {
  const servers = { calculator }
  const check = (...words: readonly string[]): ReturnType<HostFolder['run']> =>
    folder.run('verify', '--frozen', ...words)
  const pinned = async (): Promise<void> => {
    folder.configure(servers, {}, '.mcp.json')
    await folder.run('config', 'approve', '--yes')
    expect((await folder.run('pin', '--yes')).code).toBe(0)
    folder.home = 'another-home'
  }

  it('lets no server pass whose file nobody approved there, and says how to go on', async () => {
    await pinned()
    const { stdout, stderr, code } = await check()
    expect(stdout).toMatch(/^calculator {2}cannot be compared: Nobody has approved /)
    expect(stderr).not.toContain('all as approved')
    expect(stderr).toContain('deep-pilot config approve --yes')
    expect(code).toBe(2)
    const json = await check('--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      servers: [{ server: 'calculator', state: 'away', ok: false }],
    })
    expect(json.code).toBe(2)
  })

  it('needs no more than the two files that are committed, when the configuration is named', async () => {
    await pinned()
    const { stdout, stderr, code } = await check('--config', '.mcp.json')
    expect([stdout, stderr, code]).toEqual([
      'calculator  1 tool as approved\n',
      '1 server, all as approved.\n',
      0,
    ])
  })

  it('passes once the file is approved there with --yes', async () => {
    await pinned()
    expect((await folder.run('config', 'approve', '--yes')).code).toBe(0)
    expect((await check()).code).toBe(0)
  })

  it('fails without any server, and says where it looked', async () => {
    const { stdout, stderr, code } = await check()
    expect([stdout, code]).toEqual(['', 2])
    expect(stderr).toContain('There is nothing to verify: no server is configured here.')
    const json = await check('--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      servers: [],
      problems: [{ kind: 'no-servers' }],
    })
  })

  it('fails without a lock file, and names the one that is missing', async () => {
    const path = folder.configure(servers)
    const { stdout, stderr, code } = await check('--config', path)
    expect(stdout).toContain('calculator  never approved, 1 tool\n')
    expect(stderr).toMatch(/deep-pilot\.lock\.json.* is not there, or holds nothing/)
    expect(code).toBe(2)
    const json = await check('--json', '--config', path)
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, problems: [{ kind: 'no-lock' }] })
  })

  it('fails for an entry that cannot be read, as that server is not looked at', async () => {
    const path = folder.configure(servers)
    await folder.run('pin', '--yes', '--config', path)
    folder.configure({ ...servers, keyed: { command: 'node', args: ['${NO_SUCH_VARIABLE}'] } })
    const { stderr, code } = await check('--config', path)
    expect(stderr).toContain('NO_SUCH_VARIABLE')
    expect(stderr).not.toContain('all as approved')
    expect(code).toBe(2)
    const json = await check('--json', '--config', path)
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      problems: [{ kind: 'config', server: 'keyed' }],
    })
  })

  it('passes over a server that is switched off, and says so', async () => {
    const path = folder.configure(servers)
    await folder.run('pin', '--yes', '--config', path)
    folder.configure({ ...servers, off: { command: 'node', disabled: true } })
    const { stdout, stderr, code } = await check('--config', path)
    expect(stdout).toContain('off  switched off, and not compared\n')
    expect([stderr, code]).toEqual(['1 server, all as approved.\n', 0])
    const json = await check('--json', '--config', path)
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, servers: [{}, { ok: true }] })
  })

  it('says that a server which is away is not well, with exit code 4', async () => {
    const path = folder.configure({ ...servers })
    await folder.run('pin', '--yes', '--config', path)
    folder.configure({ ...servers, gone: { command: 'no-such-command-of-ours' } })
    const { stdout, code } = await check('--json', '--config', path)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      servers: [
        { server: 'calculator', ok: true },
        { server: 'gone', ok: false },
      ],
    })
    expect(code).toBe(4)
  })

  it('is 6 without --frozen where nobody approved the file, for pin as well', async () => {
    folder.configure(servers, {}, '.mcp.json')
    for (const words of [['verify'], ['pin', '--yes']]) {
      const { stderr, code } = await folder.run(...words)
      expect(stderr).toContain('Nothing of calculator was ')
      expect(stderr).toContain('deep-pilot config approve')
      expect(stderr).not.toContain('all as approved')
      expect(code).toBe(6)
    }
  })
})
