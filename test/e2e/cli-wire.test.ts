/** The built program beside its result: the wire it shows and records, its log, and how Ctrl-C ends it. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { cli, finished, said, shellServer, startCli } from '../support/cli.ts'

// Each test starts two processes or more, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const shell = ['--', ...shellServer]

describe('the wire', () => {
  it('is shown on stderr and never touches the result', async () => {
    const { stdout, stderr } = await cli(['call', 'echo', 'text=x', '--trace', ...shell])
    expect(stdout).toBe('x\n')
    expect(stderr).toMatch(/^→ #\d+ initialize \{/m)
    expect(stderr).toMatch(/^← #\d+ tools\/call ok .* \{"content"/m)
    const json = await cli(['tools', '--json', '--trace', '--lang', 'zh', ...shell])
    expect(Array.isArray(JSON.parse(json.stdout))).toBe(true)
    expect(json.stderr).toMatch(/^→ MCP 请求: #\d+ tools\/list/m)
  })

  it('is recorded for its owner only, without secrets, and can be shown', async () => {
    const file = join(folder, 'wire.jsonl')
    const secret = 'correct-horse-battery'
    const words = ['call', 'variable', 'name=MY_TOKEN', '--env', `MY_TOKEN=${secret}`]
    const run = await cli([...words, '--capture', file, '--trace', ...shell])
    expect(run.stdout).toBe(`${secret}\n`)
    expect(run.stderr).not.toContain(secret)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(secret)
    expect(text).toContain('notifications/initialized')

    const shown = await cli(['captures', 'show', file])
    expect(shown.stdout).toMatch(/^← #\d+ tools\/call ok/m)
    expect([shown.stderr, shown.code]).toEqual(['', 0])
    const json = await cli(['captures', 'show', file, '--json'])
    const records = json.stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(records[0]).toMatchObject({ format: 'deep-pilot.capture' })
    expect(records.at(-1)).toMatchObject({ type: 'end' })
  })

  it.each([
    ['en', 'Error: Cannot read the capture "', ': it is no capture.'],
    ['zh', '错误：无法读取录制文件“', '：它不是录制文件。'],
  ])(
    'is shown from a capture alone, and one error tells of other files: %s',
    async (lang, ...said) => {
      const file = join(folder, 'text.txt')
      writeFileSync(file, 'hello\nworld\n')
      const { stdout, stderr, code } = await cli(['captures', 'show', file, '--lang', lang])
      for (const words of said) expect(stderr).toContain(words)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect([stdout, code]).toEqual(['', 2])
    },
  )

  it('is shown in Chinese with why it ended, where its words were written down in English', async () => {
    const file = join(folder, 'ended.jsonl')
    // By its bare name: a line is cut where a long path fills it.
    await cli(['tools', '--capture', file, '--', 'node', '-e', 'process.exit(3)'])
    const shown = await cli(['captures', 'show', file, '--lang', 'zh'])
    expect(shown.stdout).toMatch(
      /^· 已关闭 进程已退出。（原文：The server ".*" ended with exit code 3/m,
    )
  })

  it('is recorded in a file that is named, so that --existing alone is a mistake', async () => {
    const { stderr, code } = await cli(['tools', '--existing', 'append', ...shell])
    expect(stderr).toBe(
      'Error: --existing is of use with --capture alone. Add it, or leave --existing out.\n',
    )
    expect(code).toBe(1)
  })

  it('is recorded over another file only when asked', async () => {
    const file = join(folder, 'there.jsonl')
    writeFileSync(file, 'mine')
    const words = ['tools', '--capture', file, ...shell]
    const refused = await cli(words)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/it is there already.*--existing replace\b.*--existing append\b/)
    expect(readFileSync(file, 'utf8')).toBe('mine')
    const replaced = await cli(['tools', '--existing', 'replace', ...words.slice(1)])
    expect(replaced.code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('deep-pilot.capture')
  })

  it('is shown as far as it can be read, with exit code 2 when it is damaged', async () => {
    const file = join(folder, 'torn.jsonl')
    await cli(['tools', '--capture', file, ...shell])
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, lines.with(2, lines[2]?.replace('spawn', 'spawm') ?? '').join('\n'))
    const { stdout, stderr, code } = await cli(['captures', 'show', file])
    expect(stdout).toContain('tools/list')
    expect(stderr).toContain('damaged')
    expect(code).toBe(2)
    const other = await cli(['captures', 'show', 'package.json'])
    expect(other.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(other.code).toBe(2)
  })
})

describe('the log', () => {
  it('has what the server says on stderr, as lines for people or for machines', async () => {
    const words = [
      'call',
      'hang',
      '--timeout',
      '200',
      '--log-level',
      'silent,server=info',
      ...shell,
    ]
    expect((await cli(words)).stderr).toMatch(/^info server: hanging \d+\n/)
    const json = await cli(['--log-json', ...words])
    expect(JSON.parse(json.stderr.split('\n')[0] ?? '')).toMatchObject({
      level: 'info',
      module: 'server',
    })
  })
})

describe('Ctrl-C', () => {
  const hang = ['call', 'hang', '--log-level', 'info', ...shell]

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s cancels the call, ends the server and exits with %i',
    async (signal, expected) => {
      const child = startCli(hang)
      const run = finished(child)
      await said(child, 'hanging')
      child.kill(signal)
      const { stdout, stderr, code } = await run
      expect(stderr).toMatch(/info server: cancelled \d+: /)
      expect(stderr).toContain('Cancelled.\n')
      expect([stdout, code]).toEqual(['', expected])
    },
  )

  it('twice does not wait for a server that does not want to end', async () => {
    const child = startCli([...hang, '--stubborn'])
    const run = finished(child)
    await said(child, 'hanging')
    child.kill('SIGINT')
    await said(child, 'cancelled')
    child.kill('SIGINT')
    expect((await run).code).toBe(130)
  })

  it('while a server starts gives up at once', async () => {
    const silent = [process.execPath, '-e', 'console.error("up"); process.stdin.resume()']
    const child = startCli(['tools', '--log-level', 'info', '--', ...silent])
    const run = finished(child)
    await said(child, 'server: up')
    child.kill('SIGINT')
    expect((await run).code).toBe(130)
  })
})
