/** The comparison as a process: its facts in both languages, its bytes, and that nothing of it stays behind. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isJsonObject } from '../../src/base/json.ts'
import { WAYS, type Compared } from '../../src/cli/compare/measured.ts'
import { cli, finished, startCli, type CliRun } from '../support/cli.ts'

// It starts half a dozen processes and kills some of them, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const scratch = mkdtempSync(join(tmpdir(), 'deep-pilot-compare-test-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A folder of its own for what the run makes, so that what stays is seen. */
function temporary(name: string): string {
  const folder = join(scratch, name)
  mkdirSync(folder)
  return folder
}

describe('the comparison as JSON', () => {
  const capture = join(scratch, 'compare.jsonl')
  const folder = temporary('json')
  let run: CliRun
  let compared: Compared
  beforeAll(async () => {
    run = await cli(['compare', '--json', '--calls', '20', '--capture', capture], {
      env: { TMPDIR: folder },
    })
    compared = JSON.parse(run.stdout) as Compared // as `compare` writes it
  })

  it('ends well, without a word beside the value', () => {
    expect([run.code, run.stderr]).toEqual([0, ''])
  })

  it('has the same answer on every way, and in Python where there is one', () => {
    const { rounds, python } = compared
    expect([rounds.functionCalling.told, rounds.mcp.told, rounds.framework.told]).toEqual([
      '161',
      '161',
      '161',
    ])
    expect(python?.text ?? '161').toBe('161')
  })

  it('shows the requests and replies of the model as they would cross', () => {
    for (const way of WAYS) {
      const { bodies } = compared.rounds[way]
      const [asked, decided] = bodies.map((body) => JSON.parse(body) as Record<string, unknown>)
      expect(asked?.['tools']).toHaveLength(1)
      expect(JSON.stringify(decided)).toContain('"tool_calls"')
    }
    expect(compared.rounds.framework.bodies).toEqual(compared.rounds.functionCalling.bodies)
  })

  it('shows the wire exactly as the capture has it', () => {
    const texts = readFileSync(capture, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
      .flatMap((record) =>
        isJsonObject(record) && typeof record['text'] === 'string' ? [record['text']] : [],
      )
    const { before, call } = compared.frames
    expect(before.length).toBeGreaterThan(2)
    expect(call).toHaveLength(2)
    for (const { text, bytes } of [...before, ...call]) {
      expect(texts).toContain(text)
      expect(Buffer.byteLength(text)).toBe(bytes)
    }
    expect(compared.wireBytes).toEqual({
      functionCalling: 0,
      mcp: call.reduce((sum, { bytes }) => sum + bytes, 0),
      framework: 0,
    })
  })

  it('runs the body in another process over MCP alone', () => {
    const { pid, hostPid } = compared
    expect([pid.functionCalling, pid.framework]).toEqual([hostPid, hostPid])
    expect(pid.mcp).not.toBe(hostPid)
  })

  it('sees the edit of a running tool over MCP alone', () => {
    const { functionCalling, mcp, framework } = compared.change
    expect([functionCalling.seen, mcp.seen, framework.seen]).toEqual([false, true, false])
  })

  it('loses the host with the body, but not over MCP', () => {
    const { functionCalling, mcp, framework } = compared.killed
    expect([functionCalling, framework]).toEqual([
      { host: 'gone', signal: 'SIGKILL' },
      { host: 'gone', signal: 'SIGKILL' },
    ])
    expect(mcp).toMatchObject({ host: 'alive', code: expect.stringMatching(/^DP_TRANSPORT_/) })
  })

  it('has two hosts on one running tool', () => {
    expect(compared.hosts).toEqual({ functionCalling: 1, mcp: 2, framework: 1 })
    expect([compared.hostPid, compared.pid.mcp]).not.toContain(compared.sharedPid)
  })

  it('times as many calls as were asked for, and counts tokens', () => {
    expect(compared.calls).toBe(20)
    for (const way of WAYS) expect(compared.latencyMs[way]).toBeGreaterThan(0)
    for (const way of WAYS) expect(compared.tokens[way]).toBeGreaterThan(50)
  })

  it('follows the call by ids that hang together', () => {
    const steps = compared.chain.map(({ step }) => step)
    expect(steps).toEqual([
      'listed',
      'registered',
      'offered',
      'decided-by-model',
      'permitted',
      'sent',
      'answered',
      'told',
      'said',
    ])
    const facts = Object.assign({}, ...compared.chain) as Record<string, unknown>
    const [sent] = compared.frames.call
    expect(JSON.parse(sent?.text ?? '{}')).toMatchObject({ id: facts['id'], method: 'tools/call' })
    expect(compared.chain.find(({ step }) => step === 'permitted')).toMatchObject({
      modelCall: 'call_1',
      call: 't1c1',
      verdict: 'allow',
      rule: expect.stringContaining('calculator'),
    })
  })

  it('leaves nothing behind', () => {
    expect(readdirSync(folder)).toEqual([])
    for (const pid of [compared.pid.mcp, compared.sharedPid])
      expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

it('tells it all in Chinese, with the weather', async () => {
  const { code, stdout, stderr } = await cli(
    ['compare', '--lang', 'zh', '--tool', 'weather', '--calls', '5'],
    {},
  )
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^调用：weather\(北京\)。宿主：进程 \d+。$/m)
  expect(stdout.match(/北京 今天晴，25℃（mock）/g)?.length).toBeGreaterThan(3)
  for (const row of ['定位', '解耦度', '跨进程', '跨语言', '迁移成本', '适用'])
    expect(stdout).toMatch(new RegExp(`^${row}`, 'm'))
  expect(stdout).toContain('MCP 管传，Function Calling 管决策，框架是封装。')
})

it('tells it all in English where there is no Python, and says so', async () => {
  const { code, stdout } = await cli(['compare', '--calls', '5'], { env: { PATH: scratch } })
  expect(code).toBe(0)
  expect(stdout).toContain('1/3 Function calling alone')
  expect(stdout).toMatch(/^The same call in Python {2}no: .*not measured/m)
  expect(stdout).toContain('MCP carries, function calling decides, a framework wraps.')
})

it('refuses what cannot be compared or counted', async () => {
  const tool = await cli(['compare', '--tool', 'rm'])
  expect([tool.code, tool.stderr]).toEqual([1, expect.stringContaining('calculator')])
  const calls = await cli(['compare', '--calls', '0'])
  expect([calls.code, calls.stderr]).toEqual([1, expect.stringContaining('--calls')])
  const words = await cli(['compare', '--', 'x'])
  expect([words.code, words.stdout]).toEqual([1, ''])
})

it('ends what it started when it is interrupted', async () => {
  const folder = temporary('interrupted')
  const child = startCli(['compare', '--calls', '10000'], { env: { TMPDIR: folder } })
  const ended = finished(child)
  await vi.waitUntil(() => readdirSync(folder).length > 0, { timeout: 20_000 })
  child.kill('SIGINT')
  const { code } = await ended
  expect(code).toBe(130)
  expect(readdirSync(folder)).toEqual([])
})
