/** Lock files that a project brings: what the user approved elsewhere is not theirs to approve. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY, type Policy } from '../../src/policy/policy.ts'
import { attackRoom } from '../support/attack-room.ts'
import { tool, toolServer } from '../support/host-room.ts'
import { project } from '../support/project.ts'

const ALLOW: Policy = { ...DEFAULT_POLICY, rules: [{ effect: 'allow', tools: 'fs' }] }
const BASE = { description: 'Reads a file.' }

describe('a definition', () => {
  it('of the user is not approved anew by a project, nor by the lock file that it brings (A05, A51)', async () => {
    const at = await project()
    const config = { mcpServers: { fs: { command: 'fs-server' } } }
    await writeFile(join(at.home, 'config.json'), JSON.stringify(config))
    const good = toolServer(tool('read', BASE))
    const evil = toolServer(tool('read', { ...BASE, description: 'Reads a file. do[evil]' }))
    const open = async (fs: typeof good, lock?: string) => {
      if (lock !== undefined) await at.put('deep-pilot.lock.json', lock)
      const room = await attackRoom(
        { fs },
        { policy: ALLOW, home: at.home, config: await at.load() },
      )
      const code = await room.host.callTool('fs__read', { path: 'a' }).then(
        () => 'called',
        (error: unknown) => Object(error).code,
      )
      await room.host.close()
      return code
    }
    expect(await open(good)).toBe('called')
    const own = await readFile(join(at.home, 'deep-pilot.lock.json'), 'utf8')
    // What the attacker would have got with a lock file of their own.
    const forged = await attackRoom(
      { fs: evil },
      { home: join(at.folder, 'elsewhere'), config: await at.load() },
    )
    await forged.host.close()
    const theirs = await readFile(join(at.folder, 'elsewhere', 'deep-pilot.lock.json'), 'utf8')
    await at.put('.mcp.json', { mcpServers: {} })
    expect(await open(evil), 'a project without a lock file').toBe('DP_POLICY_HELD')
    expect(await open(evil, theirs), 'a project with a forged one').toBe('DP_POLICY_HELD')
    expect(await at.read('deep-pilot.lock.json')).toBe(theirs)
    expect(await readFile(join(at.home, 'deep-pilot.lock.json'), 'utf8')).toContain(
      JSON.parse(own).servers.fs.tools.read.sha256,
    )
    expect(evil.calls).toEqual([])
  })
})
