/** A server that takes calls and whose list of tools cannot be read: every command that shows or needs tools names it, and why. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentFolder } from '../support/agent-cli.ts'
import { calculator } from '../support/cli-host.ts'
import { cli } from '../support/cli.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: AgentFolder
beforeEach(() => void (folder = new AgentFolder()))
afterEach(() => folder.end())

/** A schema of so many levels. */
function nested(levels: number): object {
  let schema: object = { type: 'string' }
  for (let level = 0; level < levels; level++)
    schema = { type: 'object', properties: { in: schema } }
  return schema
}

/** A server with twelve tools, the eighth with such a schema. */
function twelveTools(schema: object = nested(0)): readonly { readonly name: string }[] {
  return Array.from({ length: 12 }, (_, at) => ({
    name: `tool${at}`,
    inputSchema: at === 7 ? schema : { type: 'object' },
  }))
}

/** A configuration of a server whose list of tools nests too deep to be read, and not in one of the tools. */
function tooDeep(others: object = {}): string {
  const said = { tools: twelveTools(), beside: { _meta: nested(150) } }
  return folder.configure({ many: folder.saying('many', said), ...others })
}

const EN = /^many is left out \(degraded\): Its list of tools could not be read: .*128 levels/m
const ZH = /^many 未列入（有故障）：无法读取列表/m

describe('tools', () => {
  it('names the server and the reason, claims nothing of what it offers, and does not end with 0', async () => {
    const path = tooDeep()
    const { stdout, stderr, code } = await folder.run('tools', '--config', path)
    expect(stderr).toMatch(EN)
    expect(stderr).not.toContain('offers no tools')
    expect([stdout, code]).toEqual(['', 2])
  })

  it('says it in Chinese, as JSON, and as a model gets them', async () => {
    const path = tooDeep()
    const zh = await folder.runIn('zh', 'tools', '--config', path)
    expect(zh.stderr).toMatch(ZH)
    expect(zh.stderr).not.toContain('没有提供任何工具')
    const json = await folder.run('tools', '--json', '--config', path)
    expect(JSON.parse(json.stdout)).toMatchObject({
      tools: [],
      notReady: [{ key: 'many', state: 'degraded', whyKind: 'lists-failed' }],
    })
    const offer = await folder.run('tools', '--for', 'deepseek', '--config', path)
    expect(offer.stderr).toMatch(EN)
    expect([zh.code, json.code, offer.code]).toEqual([2, 2, 2])
  })

  it('lists those of the others, and still does not end with 0', async () => {
    const { stdout, stderr, code } = await folder.run('tools', '--config', tooDeep({ calculator }))
    expect(stdout).toContain('calculator__calculator')
    expect(stderr).toMatch(EN)
    expect(code).toBe(2)
  })

  it('claims nothing of a server that cannot be started, and ends with 4 when there is no other', async () => {
    const path = folder.configure({ gone: { command: 'no-such-command-of-ours' } })
    const { stdout, stderr, code } = await folder.run('tools', '--config', path)
    expect(stderr).toMatch(/^gone is left out \(failed\): /)
    expect(stderr).not.toContain('offers no tools')
    expect([stdout, code]).toEqual(['', 4])
  })
})

describe('run and chat', () => {
  it('tell before the first request what the model goes without', async () => {
    const path = tooDeep()
    await folder.play(
      { text: 'Hello.' },
      { text: 'Hello.' },
      { text: 'Hello.' },
      { text: 'Hello.' },
    )
    const run = await folder.agent(['run', 'Hello', '--config', path])
    expect(run.stderr).toMatch(EN)
    expect([run.stdout, run.code]).toEqual(['Hello.\n', 0])
    const zh = await folder.agent(['run', 'Hello', '--config', path, '--lang', 'zh'])
    expect(zh.stderr).toMatch(ZH)
    const chat = await folder.agent(['chat', '--config', path], 'Hello\n')
    expect(chat.stderr.replaceAll(/\n {2}/g, ' ')).toMatch(
      /^· many is left out \(degraded\): Its list of tools could not be read: /m,
    )
    const json = await folder.agent(['run', 'Hello', '--json', '--config', path])
    expect(JSON.parse(json.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      notReady: { key: 'many', state: 'degraded', whyKind: 'lists-failed' },
    })
  })
})

describe('/tools in a chat', () => {
  const joined = (stderr: string): string => stderr.replaceAll(/\n {2}/g, ' ')

  it('names the server and the reason, with a word and without, and counts what is there', async () => {
    const path = tooDeep()
    await folder.play()
    for (const [language, words] of [
      [
        'en',
        /^· many is left out \(degraded\): Its list of tools could not be read: .*128 levels/gm,
      ],
      ['zh', /^· many 未列入（有故障）：无法读取列表/gm],
    ] as const) {
      const chat = await folder.agent(
        ['chat', '--config', path, '--lang', language],
        '/tools\n/tools tool1\n',
      )
      // When it begins, and behind each list.
      expect(joined(chat.stderr).match(words)).toHaveLength(3)
    }
  })
})

describe('call and types', () => {
  it('tell why the tool is not there instead of saying that there is none', async () => {
    const path = tooDeep()
    for (const words of [
      ['call', 'many.tool1', '--config', path],
      ['types', 'many', '--config', path],
    ]) {
      const { stdout, stderr, code } = await folder.run(...words)
      expect(stderr).toContain('The answer to tools/list is no valid JSON-RPC: nested deeper')
      expect(stderr).not.toContain('There is no tool')
      expect([stdout, code]).toEqual(['', 8])
    }
  })

  it('list by a command of its own ends with the error', async () => {
    const server = folder.saying('one', { tools: twelveTools(), beside: { _meta: nested(150) } })
    const { command, args } = server as { command: string; args: string[] } // how it is started
    const { stdout, stderr, code } = await cli(['tools', '--', command, ...args])
    expect(stderr).toContain('128 levels')
    expect([stdout, code]).toEqual(['', 8])
  })
})

describe('a tool that nests too deep', () => {
  it('is left out alone: the others are listed, and one sentence names it', async () => {
    const server = folder.saying('many', { tools: twelveTools(nested(150)) })
    const path = folder.configure({ many: server })
    const { stdout, stderr, code } = await folder.run('tools', '--json', '--config', path)
    expect(stderr).toBe(
      'warning: server "many": its tool "tool7" is left out: its definition nests deeper than 125 levels. Tell the author of the server.\n',
    )
    const { tools, notReady } = JSON.parse(stdout)
    expect(tools).toHaveLength(11)
    expect([notReady, code]).toEqual([[], 0])
  })
})
