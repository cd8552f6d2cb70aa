/** What people see of servers that do something wrong without failing: by the built program, with several servers at once. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentFolder } from '../support/agent-cli.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: AgentFolder
beforeEach(() => void (folder = new AgentFolder()))
afterEach(() => folder.end())

const fine = { name: 'fine', inputSchema: { type: 'object' } }

/** Two servers, the second with a tool whose schema is none. */
function oneIsOdd(): string {
  return folder.configure({
    files: folder.saying('files', { tools: [fine] }),
    notes: folder.saying('notes', { tools: [fine, { name: 'sum\u001b[2J', inputSchema: 'odd' }] }),
  })
}

const EN =
  'warning: server "notes": the inputSchema of its tool "sum\\u001b[2J" is no object; ' +
  'the tool is offered all the same, as one without parameters. Tell the author of the server.\n'
const ZH =
  '警告：服务器“notes”：工具“sum\\u001b[2J”的 inputSchema 不是对象；该工具照常提供，但没有参数。请告知服务器的作者。\n'

describe('a tool without a schema', () => {
  it('is told of in one sentence that names server and tool, in the language of the person', async () => {
    const path = oneIsOdd()
    const en = await folder.run('tools', '--config', path)
    expect([en.stderr, en.code]).toEqual([EN, 0])
    const zh = await folder.runIn('zh', 'tools', '--config', path)
    expect([zh.stderr, zh.code]).toEqual([ZH, 0])
  })

  it('is offered to the model without parameters, as was said', async () => {
    const path = oneIsOdd()
    const provider = await folder.play({ text: 'Hello.' }, { text: 'Hello.' })
    const en = await folder.agent(['run', 'Hello', '--config', path])
    expect(en.stderr).toContain(EN)
    expect([en.stdout, en.code]).toEqual(['Hello.\n', 0])
    const zh = await folder.agent(['run', 'Hello', '--config', path, '--lang', 'zh'])
    expect(zh.stderr).toContain(ZH)
    const offered = provider.requests[0]?.tools?.map(({ function: shown }) => shown)
    expect(offered).toContainEqual(
      expect.objectContaining({
        name: expect.stringMatching(/^notes__sum/),
        parameters: { type: 'object', properties: {} },
      }),
    )
  })

  it('stays data in a log for machines', async () => {
    const { stderr } = await folder.run('tools', '--log-json', '--config', oneIsOdd())
    expect(JSON.parse(stderr)).toMatchObject({
      level: 'warn',
      module: 'wire',
      message: 'bad-tool',
      data: { server: 'notes', name: 'sum\u001b[2J', problem: 'its inputSchema is no object' },
    })
  })
})

describe('an answer that is no message', () => {
  it('is told of once: by the error of what it was to answer', async () => {
    const program = `process.stdin.on('data', (text) => {
      for (const line of String(text).trim().split('\\n')) {
        const { id } = JSON.parse(line)
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: 'x'.repeat(900) }))
      }
    })`
    const { stderr, code } = await folder.run('tools', '--', process.execPath, '-e', program)
    expect(stderr).toMatch(/^[^\n]*the member "result" is no object[^\n]*\n$/)
    expect(code).toBe(8)
  })
})

describe('a tool that no model can be offered', () => {
  const why = '它的 schema 不能这样发送：它要的是 array，而参数总是对象。'
  it('is told of in Chinese with the reason, by run as by tools --for', async () => {
    const list = { name: 'list', inputSchema: { type: 'array' } }
    const path = folder.configure({ notes: folder.saying('notes', { tools: [fine, list] }) })
    await folder.play({ text: 'Hello.' })
    const run = await folder.agent(['run', 'Hello', '--config', path, '--lang', 'zh'])
    expect(run.stderr).toContain(`警告：工具 notes__list 没有提供给模型：${why}\n`)
    const offer = await folder.runIn('zh', 'tools', '--for', 'deepseek', '--config', path)
    expect(offer.stderr).toContain(`notes__list 未列入。${why}\n`)
  })
})
