/** Tools that reach for what decides over them: configuration, approvals, pins, grants and logs, by every way to a file. */
import { mkdir, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { MAX_FOLLOWED, ProtectedPaths } from '../../src/host/protected-paths.ts'
import { DEFAULT_POLICY, type Policy } from '../../src/policy/policy.ts'
import { attackRoom, obedientModel } from '../support/attack-room.ts'
import { tool, toolServer } from '../support/host-room.ts'
import { project, type Project } from '../support/project.ts'

const ALLOW: Policy = { ...DEFAULT_POLICY, rules: [{ effect: 'allow', tools: 'fs' }] }
const VICTIMS: readonly ((at: Project) => string)[] = [
  (at) => at.path('.mcp.json'),
  (at) => at.path('deep-pilot.lock.json'),
  (at) => join(at.home, 'config.json'),
  (at) => join(at.home, 'approvals.json'),
  (at) => join(at.home, 'grants.json'),
  (at) => join(at.home, 'audit.jsonl'),
  (at) => join(at.home, 'jobs', 'new'),
  (at) => at.home,
]

async function room(): Promise<
  Awaited<ReturnType<typeof attackRoom>> & { at: Project; fs: ReturnType<typeof toolServer> }
> {
  const at = await project()
  await at.put('.mcp.json', { mcpServers: {} })
  const fs = toolServer(tool('write'))
  const config = await at.load()
  const open = await attackRoom(
    { fs },
    {
      policy: ALLOW,
      home: at.home,
      config: { files: config.files },
      entries: { fs: { cwd: at.folder } },
    },
  )
  return { ...open, at, fs }
}

/** Ways to write the path of a file that a server may follow. */
const SPELLINGS: Readonly<Record<string, (path: string, at: Project) => unknown>> = {
  'its name': (path) => ({ path }),
  'deep inside': (path) => ({ edits: [{ to: { file: [path] } }] }),
  'the name of a member': (path) => ({ files: { [path]: 'x' } }),
  relative: (path, at) => ({ path: relative(at.folder, path) }),
  'with dots': (path) => ({ path: path.replace(/\/([^/]+)$/, '/./x/../$1') }),
  'with more slashes': (path) => ({ path: path.replaceAll('/', '//') }),
  'a file: address': (path) => ({ uri: pathToFileURL(path).href }),
  'an encoded address': (path) => ({
    uri: `file://${pathToFileURL(path).pathname.replaceAll('e', '%65')}`,
  }),
  'an address with a host': (path) => ({ uri: `FILE://localhost${path}` }),
  'an address with another host': (path) => ({ uri: `file://elsewhere${path}` }),
  'an address with encoded slashes': (path) => ({
    uri: `file:///${path.slice(1).replaceAll('/', '%2F')}`,
  }),
  'an address encoded twice': (path) => ({ uri: `file://${path.replaceAll('e', '%2565')}` }),
  'an address with a query': (path, at) => ({
    uri: `file://${at.folder}/x/../${relative(at.folder, path)}?raw#1`,
  }),
  'an address of another kind': (path) => ({
    uri: `note://docs${path.replace(/\/([^/]+)$/, '/%2e/$1')}`,
  }),
  'a way that is long': (path) => ({
    path: path.replace(/\/([^/]+)$/, `${'/.'.repeat(2_500)}/$1`),
  }),
  'what stands before a NUL': (path) => ({ path: `${path.replaceAll('/', '/./')}\0.txt` }),
  'a word of an option': (path) => ({ args: [`--output=${path}`] }),
  'within a command': (path) => ({ command: `echo '{}' > "${path}"; true` }),
  'beside others': (path) => ({ paths: `/tmp/a\n${path}` }),
}

describe('a file that decides what a host may do', () => {
  it.each(Object.keys(SPELLINGS))(
    'is out of the reach of tools that may do anything: %s (A05)',
    async (way) => {
      const { host, at, fs, decisions } = await room()
      for (const victim of VICTIMS) {
        const args = SPELLINGS[way]?.(victim(at), at)
        await expect(host.callTool('fs__write', args), JSON.stringify(args)).rejects.toMatchObject({
          code: 'DP_POLICY_DENIED',
        })
      }
      expect(fs.calls).toEqual([])
      expect(decisions().map(({ verdict, reason }) => `${verdict} ${reason}`)).toEqual(
        VICTIMS.map(() => 'deny protected-file'),
      )
    },
  )

  it('is not reached through links, whatever they are called and whenever they were laid (A05)', async () => {
    const { host, at, fs } = await room()
    await symlink(at.path('.mcp.json'), at.path('harmless.txt'))
    await symlink(at.home, at.path('notes'))
    await symlink('notes', at.path('more'))
    await symlink(join(at.home, 'not-there-yet'), at.path('dangling'))
    await mkdir(at.path('sub'))
    await symlink(at.folder, at.path('sub/up'))
    const ways = [
      'harmless.txt',
      './harmless.txt',
      'notes/config.json',
      'more/x/y',
      'dangling',
      'sub/up/.mcp.json',
      'sub/../harmless.txt',
      'notes/../home/config.json',
    ]
    for (const path of ways)
      await expect(host.callTool('fs__write', { path }), path).rejects.toMatchObject({
        code: 'DP_POLICY_DENIED',
      })
    expect(fs.calls).toEqual([])
    await host.callTool('fs__write', { path: 'sub/own.txt', note: `${at.path('.mcp.json')}.bak` })
    expect(fs.calls).toHaveLength(1)
  })

  it('is not reached by a link that is laid while a person reads the question (A05)', async () => {
    const at = await project()
    await at.put('.mcp.json', { mcpServers: {} })
    const fs = toolServer(tool('write'))
    const { files } = await at.load()
    const open = await attackRoom(
      { fs },
      {
        config: { files },
        entries: { fs: { cwd: at.folder } },
        consent: {
          async ask() {
            await symlink(at.path('.mcp.json'), at.path('late'))
            return { kind: 'once' }
          },
        },
      },
    )
    await expect(open.host.callTool('fs__write', { path: 'late' })).rejects.toMatchObject({
      code: 'DP_POLICY_DENIED',
    })
    expect(fs.calls).toEqual([])
  })

  it('is not reached behind more texts than anyone looks through (A05)', async () => {
    const { host, at, fs } = await room()
    await symlink(at.path('.mcp.json'), at.path('last'))
    for (const count of [1_000, MAX_FOLLOWED + 1]) {
      const paths = [...Array.from({ length: count }, (_, index) => `x${index}`), 'last']
      await expect(host.callTool('fs__write', { paths })).rejects.toMatchObject({
        code: 'DP_POLICY_DENIED',
      })
    }
    expect(fs.calls).toEqual([])
  })

  it('in the home folder is known by the sign for that (A05)', async () => {
    const paths = await ProtectedPaths.of({ files: [], folders: [join(homedir(), '.deep-pilot')] })
    for (const path of ['~/.deep-pilot/config.json', '~/.deep-pilot', '~/x/../.deep-pilot/a'])
      expect(await paths.find({ path }), path).toEqual({ text: path })
    for (const path of [
      '~',
      '~x/.deep-pilot',
      '~/.deep-pilot-notes/a',
      `${homedir()}/.deep-pilot2/a`,
    ])
      expect(await paths.find({ path }), path).toBeUndefined()
  })

  it('is not written by an obedient model, whose words then name it (A05, A57)', async () => {
    const { host, at, fs, asked } = await room()
    const order = `do[fs__write {"path":"${at.path('.mcp.json')}","text":"x"}]`
    const model = obedientModel(host)
    await model.obey(order)
    expect(model.heard.join()).toContain('decides what this host may do')
    expect([fs.calls, asked]).toEqual([[], []])
  })
})
