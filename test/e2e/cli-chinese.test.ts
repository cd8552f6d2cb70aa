/** What a user who reads Chinese is told when something fails: by the built program, against servers and providers that misbehave. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cli, shellServer, type CliRun } from '../support/cli.ts'

// Each test starts two processes or more, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-zh-'))
const env = {
  LANG: 'zh_CN.UTF-8',
  DEEP_PILOT_HOME: join(folder, 'home'),
  DEEP_PILOT_API_KEY: 'k'.repeat(20),
}
const shell = ['--', ...shellServer]
const node = (program: string): readonly string[] => ['--', process.execPath, '-e', program]

function zh(...words: readonly string[]): Promise<CliRun> {
  return cli(words, { env, cwd: folder })
}

/** Says nothing but a status, which stands first in the path; of a provider, what it says with it. */
const strange = http.createServer((request, response) => {
  request.resume()
  const status = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1] ?? 404)
  const error = { message: 'Peer words', code: 'peer_code' }
  if (status !== 200) {
    const isModel = request.url?.endsWith('/chat/completions') === true
    response.writeHead(status, isModel ? { 'content-type': 'application/json' } : {})
    response.end(isModel ? JSON.stringify({ error }) : '')
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end('data: {"choices":[{"index":0,"delta":{"content":"hel"}}]}\n\n')
})
let at = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve))
  at = `http://127.0.0.1:${(strange.address() as AddressInfo).port}` // it listens on a port, not on a pipe
})
afterAll(async () => {
  strange.closeAllConnections()
  await new Promise((resolve) => strange.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

describe('a command', () => {
  it.each([
    [['blah'], /^错误：没有命令“blah”。/],
    [['ps', 'more'], /^错误：“ps”后面的内容太多。.*--help/],
    [['tools', '--config'], /^错误：选项 --config \S+ 缺少值。/],
  ])('that is mistyped is told of in Chinese: %s', async (words, sentence) => {
    const { stderr, code } = await zh(...words)
    expect(stderr).toMatch(sentence)
    expect(code).toBe(1)
  })
})

describe('a server of a command', () => {
  it('that ends at once: its code and its last words', async () => {
    const { stderr, code } = await zh(
      'tools',
      ...node('console.error("no licence"); process.exit(3)'),
    )
    expect(stderr).toBe(
      `无法连接服务器：服务器“${process.execPath}”已退出，退出码 3。它最后在 stderr 上说：no licence。\n`,
    )
    expect(code).toBe(4)
  })

  it('that is not there', async () => {
    const { stderr } = await zh('tools', '--', 'no-such-program')
    expect(stderr).toContain('没有命令“no-such-program”。请安装它，或写出完整路径。')
  })

  it('that never answers: which limit it was', async () => {
    const { stderr, code } = await zh(
      'tools',
      '--start-timeout',
      '300',
      ...node('process.stdin.resume()'),
    )
    expect(stderr).toMatch(
      /^等待超时：服务器“\S+”：启动了 300 毫秒，.* 仍没有应答。.*--start-timeout/,
    )
    expect(code).toBe(7)
  })

  it('whose tool is called with the wrong arguments', async () => {
    const { stderr, code } = await zh('call', 'typed', 'count:="x"', ...shell)
    expect(stderr).toMatch(/^值不符合 schema：工具 typed 的参数不对：\/count 应当是\S+，现在是文本/)
    expect(stderr).not.toMatch(/must be/)
    expect(code).toBe(1)
  })

  it('that does not know the method', async () => {
    const { stderr } = await zh('raw', 'no/such', ...shell)
    expect(stderr).toMatch(/^此服务器不支持：协议版本 \S+ 没有 no\/such。/)
  })
})

describe('a server of an address', () => {
  it.each([
    ['401', 3, /^未授权：\S+ 要求表明身份（401 Unauthorized）.*请登录/],
    ['404', 4, /^无法连接服务器：\S+ 应答 404 Not Found.*这是 MCP 端点的地址吗？/],
    ['500', 4, /^无法连接服务器：\S+ 应答 500 Internal Server Error.*请稍后重试。/],
  ])('that answers %s', async (status, exit, sentence) => {
    const { stderr, code } = await zh('tools', '--url', `${at}/${status}`)
    expect(stderr).toMatch(sentence)
    expect(code).toBe(exit)
  })

  it('where nothing listens', async () => {
    const { stderr, code } = await zh('tools', '--url', 'http://127.0.0.1:9/mcp')
    expect(stderr).toBe(
      '无法连接服务器：连不上 http://127.0.0.1:9：连接被拒绝，那里没有程序在监听。请确认它在运行、地址没有写错。\n',
    )
    expect(code).toBe(4)
  })
})

describe('a configuration', () => {
  const configure = (value: string): string => {
    const path = join(folder, 'some.json')
    writeFileSync(path, value)
    return path
  }

  it('that is broken: where, and what is missing there', async () => {
    const { stderr, code } = await zh(
      'list',
      '--config',
      configure('{"mcpServers": {"a": {}\n "b": 3'),
    )
    expect(stderr).toMatch(/^配置错误：“.*some\.json”第 2 行第 2 列无法使用：这里应当有 ","。/)
    expect(code).toBe(1)
  })

  it('whose policy forbids the tool', async () => {
    const [command, ...args] = shellServer
    const path = configure(
      JSON.stringify({
        mcpServers: { s: { command, args } },
        deepPilot: { policy: { deny: ['s__*'] } },
      }),
    )
    const { stderr, code } = await zh('call', 's.echo', 'text=x', '--config', path)
    expect(stderr).toMatch(
      /^不允许：没有调用 s__echo：策略规则禁止它（规则：拒绝 s__\*.*要允许它，请修改这条规则。/m,
    )
    expect(code).toBe(6)
  })

  it('whose servers do not come up: why, in the list and step by step', async () => {
    const path = configure(JSON.stringify({ mcpServers: { gone: { command: 'no-such-program' } } }))
    const { stdout } = await zh('list', '--config', path)
    expect(stdout).toMatch(/^gone {2}失败 {2}无法启动服务器“gone”：没有命令“no-such-program”。/m)
    const json = await zh('list', '--json', '--config', path)
    expect(json.stdout).toContain('Cannot start the server')
  })
})

describe('a provider of a model', () => {
  const run = (path: string): Promise<CliRun> => {
    writeFileSync(join(folder, 'none.json'), '{"mcpServers":{}}')
    const words = [
      '--config',
      'none.json',
      '--no-save',
      '--model',
      'x',
      '--base-url',
      `${at}/${path}`,
    ]
    return zh('run', 'hi', ...words)
  }

  it.each([
    ['401', 3, 'ADDRESS 不接受密钥（401）：Peer words。请检查变量 DEEP_PILOT_API_KEY 里的密钥。'],
    ['402', 8, 'compatible 说余额不足（402）：Peer words。请给账户充值；重试没有用。'],
    ['404', 8, 'compatible 说没有这个模型或地址（404）：Peer words。请检查模型的名称'],
  ])('that answers %s', async (status, exit, sentence) => {
    const { stderr, code } = await run(status)
    expect(stderr).toContain(`模型没有回复：${sentence.replace('ADDRESS', `${at}/${status}`)}`)
    expect(code).toBe(exit)
  })

  it('whose reply ends before it is whole: the same while it is asked again', async () => {
    const { stderr, code } = await run('200')
    expect(stderr).toMatch(/^· \S+ 秒后重试：compatible 的回答没有写完就断了。/m)
    expect(stderr).toMatch(/^模型没有回复：compatible 的回答没有写完就断了。请再问一次。$/m)
    expect(stderr).not.toMatch(/Ask again/)
    expect(code).toBe(8)
  })
})
