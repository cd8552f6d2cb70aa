/** Version 0.8 against the text that it began with: its items that are about the command line, the log and the demo. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { resultToText } from '../../src/tools/content.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { cli, program, shellServer, type CliRun } from '../support/cli.ts'

// Each test starts two processes or more, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deep-pilot-parity-')))
writeFileSync(join(folder, 'package.json'), '{ "name": "parity" }\n')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const shell = ['--', ...shellServer]

let demo: CliRun
beforeAll(async () => {
  demo = await cli(['demo', '--lang', 'zh'], { cwd: folder })
})

it('a failed tool is a failed command (item 26)', async () => {
  expect((await cli(['call', 'fail', ...shell])).code).toBe(5)
})

it('the log has levels, modules and a JSON form, and goes to stderr alone (item 29)', async () => {
  const words = ['call', 'hang', '--timeout', '200', ...shell]
  const lines = async (...options: readonly string[]): Promise<CliRun> =>
    cli([...options, ...words])
  const [quiet, module, json] = [
    await lines('--log-level', 'silent'),
    await lines('--log-level', 'silent,wire=debug'),
    await lines('--log-level', 'debug', '--log-json'),
  ]
  expect(quiet.stderr).not.toMatch(/^(debug|info|warn)/m)
  expect(module.stderr).toMatch(/^debug wire: spawn/m)
  expect(module.stderr).not.toMatch(/^info server/m)
  expect(
    json.stderr
      .split('\n')
      .some((line) => line.startsWith('{"time":') && line.includes('"module":"server"')),
  ).toBe(true)
  expect([quiet.stdout, module.stdout, json.stdout]).toEqual(['', '', ''])
})

it('the wire is shown with arrows and cut only there; the file holds all of it (item 30)', async () => {
  const text = '长'.repeat(500)
  const file = join(folder, 'wire.jsonl')
  const { stderr } = await cli([
    'call',
    'echo',
    `text=${text}`,
    '--trace',
    '--capture',
    file,
    '--lang',
    'zh',
    ...shell,
  ])
  const request = stderr.split('\n').find((line) => line.includes('tools/call {')) ?? ''
  expect(request).toMatch(/^→ MCP 请求: #\d+ tools\/call \{.*长…$/)
  expect(stderr).toMatch(/^← MCP 响应: #\d+ tools\/call 成功 [\d.]+ ms [\d.]+ kB \{/m)
  expect(readFileSync(file, 'utf8').split(text)).toHaveLength(3)
})

it('a shell can do what a program can: list, call, and the whole as JSON (item 32)', async () => {
  const [command, file] = shellServer
  await using client = await connect(stdio({ command, args: [file] }))
  const listed = await cli(['tools', '--json', ...shell])
  expect(JSON.parse(listed.stdout)).toEqual(await client.listTools())
  const result = await client.callTool('mixed')
  const called = await cli(['call', 'mixed', '--json', ...shell])
  expect(JSON.parse(called.stdout)).toEqual(result)
  expect((await cli(['call', 'mixed', ...shell])).stdout).toBe(`${resultToText(result)}\n`)
  expect(
    (
      await cli([
        'call',
        'calculator',
        'expr=23*7',
        '--',
        process.execPath,
        program,
        'serve',
        'calculator',
      ])
    ).stdout,
  ).toBe('161\n')
})

it('the demo says what the text prints: handshake, number of tools, first five (item 33)', () => {
  expect(demo.stdout).toMatch(/^握手成功，Server: \S/m)
  expect(demo.stdout).toMatch(/^发现 \d+ 个工具:\n(?: {2}- \w+: .{1,40}\n){5}/m)
})

it('the demo reads a file through a foreign server and is refused outside of the folder (item 34)', () => {
  expect(demo.stdout).toContain('读取结果前100字符: { "name": "parity" }')
  expect(demo.stdout).toContain('被工具拒绝：Access denied')
})

it('the demo’s capture has three requests and three answers of the handshake era (item 35)', () => {
  // The whole of it is kept as a golden file, which demo.test.ts compares.
  const golden = readFileSync('test/captures/demo.masked.jsonl', 'utf8')
  for (const method of ['initialize', 'tools/list', 'tools/call']) {
    expect(golden).toContain(`\\"method\\":\\"${method}\\"`)
    expect(demo.stdout).toMatch(new RegExp(`^← MCP 响应: #\\d+ ${method} (成功|工具出错)`, 'm'))
  }
})

it('nothing that a server says is written down here: names and numbers are live (item 36)', async () => {
  const server = [
    '--',
    process.execPath,
    'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
    folder,
  ]
  const { stdout } = await cli(['tools', '--json', ...server])
  expect(demo.stdout).toContain(`发现 ${(JSON.parse(stdout) as unknown[]).length} 个工具:`) // tools --json gives a list
  expect(demo.stdout).not.toContain('12 个工具')
})
