/** The built program with programs behind the `--` that are no MCP servers: what it says of each, in both languages. */
import { describe, expect, it, vi } from 'vitest'
import { cli, type CliRun } from '../support/cli.ts'

// Each test starts two processes or more, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const node = (script: string): readonly string[] => ['--', process.execPath, '-e', script]
const ECHO = node('process.stdin.pipe(process.stdout)')
const POURING = node(
  'const text = "y\\n".repeat(4096); const go = () => process.stdout.write(text, go); go()',
)
const GREETING = node('console.log("hello"); setInterval(() => {}, 1000)')

function tools(server: readonly string[], ...options: readonly string[]): Promise<CliRun> {
  return cli(['tools', '--log-level', 'error', ...options, ...server])
}

describe('a program that is no server', () => {
  it('and repeats what it is sent is told as that, and not as an old server', async () => {
    const english = await tools(ECHO)
    expect(english.stderr).toContain('repeats what it is sent, and speaks no MCP.')
    expect(english.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect([english.code, english.stdout]).toEqual([8, ''])
    const chinese = await tools(ECHO, '--lang', 'zh')
    expect(chinese.stderr).toContain('只是把收到的内容原样发回，并不说 MCP。')
    expect(chinese.code).toBe(8)
  })

  it('and writes without end is ended soon, with a log that is bounded', async () => {
    const { stderr, code } = await cli(['tools', ...POURING])
    expect(stderr).toContain('writes without end what is no MCP message')
    expect(stderr.split('\n').length).toBeLessThan(30)
    expect(code).toBe(8)
  })

  it('and greets is told with its greeting when its time is over', async () => {
    const short = ['--start-timeout', '1500']
    const [english, chinese] = [
      await tools(GREETING, ...short),
      await tools(GREETING, ...short, '--lang', 'zh'),
    ]
    expect(english.stderr).toContain('1500 ms after its start, initialize was not answered yet')
    expect(english.stderr).toContain('"hello"')
    expect(chinese.stderr).toContain('它写到输出上的内容不是 MCP 消息：“hello”。')
    expect([english.code, chinese.code]).toEqual([7, 7])
  })

  it('and ends at once is told with its end, of which no effect can be in doubt', async () => {
    const { stderr, code } = await tools(node('process.exitCode = 3'))
    expect(stderr).toMatch(
      /^No connection to the server: The server ".*" ended with exit code 3\. It wrote nothing to stderr; run its command by hand to see more\.\n$/,
    )
    expect(code).toBe(4)
  })
})
