/** What the commands over a configuration say where it has no server: that it has none, and how to add one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cliHere } from '../../test/support/cli-in-process.ts'
import type { CliRun } from '../../test/support/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-no-servers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'empty.json')
writeFileSync(file, '{"mcpServers": {}}')
const ADD = 'Add one with: deep-pilot config add NAME -- COMMAND …'
const env = { DEEP_PILOT_HOME: join(folder, 'home'), HOME: folder, LANG: 'C' }
const run = (...words: readonly string[]): Promise<CliRun> => cliHere(words, { env })

describe('a server that is named where none is configured', () => {
  it.each(['types', 'doctor', 'pin', 'verify'])('is told so by %s', async (command) => {
    const { stderr, code } = await run(command, 'nosuch', '--config', file)
    expect(stderr).toBe(`Error: There is no server "nosuch": none is configured. ${ADD}\n`)
    expect(code).toBe(1)
  })

  it('is told so by types also without any file', async () => {
    expect((await run('types', 'nosuch')).stderr).toContain(`none is configured. ${ADD}`)
  })

  it('is told so in Chinese', async () => {
    const { stderr } = await run('doctor', 'nosuch', '--config', file, '--lang', 'zh')
    expect(stderr).toMatch(
      /^错误：没有服务器“nosuch”：尚未配置任何服务器。添加：deep-pilot config add/,
    )
  })

  it('makes a call exit with 5, as for any tool that there is not', async () => {
    const { stderr, code } = await run('call', 'nosuch.tool', '--config', file)
    expect(stderr).toBe(`Error: There is no tool "nosuch.tool": no server is configured. ${ADD}\n`)
    expect(code).toBe(5)
  })
})

describe('a file without servers', () => {
  it.each(['list', 'tools', 'doctor', 'pin', 'verify'])('is told of by %s', async (command) => {
    const { stdout, stderr, code } = await run(command, '--config', file)
    expect(stderr).toBe(`There is no server that can be used in "${file}". ${ADD}\n`)
    expect([stdout, code]).toEqual(['', 0])
  })
})
