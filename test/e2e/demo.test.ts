/** The demo as a process: its facts in both languages, with and without the official server, and its whole wire as a golden file. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { maskCapture } from '../../src/capture/mask.ts'
import { cli, program, type CliRun } from '../support/cli.ts'

// The demo starts four servers, one after the other, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deep-pilot-demo-')))
const manifest = '{\n  "name": "示例",\n  "private": true\n}\n'
writeFileSync(join(folder, 'package.json'), manifest)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'demo.jsonl')

let en: CliRun
let zh: CliRun
beforeAll(async () => {
  en = await cli(['demo'], { cwd: folder })
  zh = await cli(['demo', '--lang', 'zh', '--capture', file], { cwd: folder })
})

describe('the demo', () => {
  it('runs in any folder, without a word on stderr', () => {
    expect([en.code, en.stderr]).toEqual([0, ''])
    expect([zh.code, zh.stderr]).toEqual([0, ''])
  })

  it('tells its facts in English', () => {
    expect(en.stdout).toMatch(/^Handshake done, Server: secure-filesystem-server$/m)
    expect(en.stdout).toMatch(/^Revision: 2025-11-25 \(legacy\)$/m)
    expect(en.stdout).toMatch(/^First 100 characters: \{\\n {2}"name": "示例",/m)
    expect(en.stdout).toMatch(/^Refused by the tool: Access denied/m)
    expect(en.stdout).toMatch(/^Tools: \['calculator'\]$/m)
    expect(en.stdout.match(/^calculator\(23\*7\) = 161$/gm)).toHaveLength(2)
    expect(en.stdout).toMatch(/^weather\(北京\) = 北京 今天晴，25℃（mock）/m)
    expect(en.stdout).toMatch(/^No handshake needed, Server: calculator\nRevision: 2026-07-28/m)
  })

  it('tells the same facts in Chinese, in the words of the texts it began with', () => {
    expect(zh.stdout).toMatch(/^deep-pilot [\d.]+：真实的服务器，/)
    expect(zh.stdout).toMatch(/^握手成功，Server: secure-filesystem-server$/m)
    expect(zh.stdout).toMatch(/^读取结果前100字符: \{\\n {2}"name": "示例",/m)
    expect(zh.stdout).toMatch(/^被工具拒绝：Access denied/m)
    expect(zh.stdout).toMatch(/^可用工具: \['calculator'\]$/m)
    expect(zh.stdout.match(/^calculator\(23\*7\): 161$/gm)).toHaveLength(2)
    expect(zh.stdout).toMatch(/^weather\(北京\): 北京 今天晴，25℃（mock）/m)
    expect(zh.stdout).toMatch(/^协议版本：2026-07-28（modern）$/m)
  })

  it('counts the tools of the live list and shows the first five, 40 characters each', () => {
    const found = /^发现 (\d+) 个工具:\n((?: {2}- .*\n)+)/m.exec(zh.stdout)
    const listed = toolsOf('filesystem')
    expect(Number(found?.[1])).toBe(listed.length)
    const lines = found?.[2]?.trimEnd().split('\n') ?? []
    const about = listed
      .slice(0, 5)
      .map(({ name, description }) => `  - ${name}: ${description.slice(0, 40)}`)
    expect(lines.map((line) => line.trimEnd())).toEqual(about.map((line) => line.trimEnd()))
    expect(en.stdout).toContain(`\n${listed.length} tools:\n`)
  })

  it('shows every message of the wire, in the order of the story', () => {
    const arrows = [...zh.stdout.matchAll(/^(?:→|←) MCP (?:请求|响应|通知): (?:#\d+ )?(\S+)/gm)]
    expect(arrows).toHaveLength(records().filter(({ type }) => type === 'message').length)
    const order = [
      'initialize',
      '握手成功',
      'tools/list',
      '发现',
      'tools/call',
      '读取结果',
      '被工具拒绝',
    ]
    const places = order.map((words) => zh.stdout.indexOf(words))
    expect(places).toEqual(places.toSorted((one, two) => one - two))
  })

  it('says in one line that the official server is absent, and goes on', async () => {
    // The program alone, in a place from which no installed package can be seen.
    const alone = join(folder, 'alone/dist/cli')
    cpSync(dirname(program), alone, { recursive: true })
    cpSync(resolve(dirname(program), '../../package.json'), join(alone, '../../package.json'))
    const cut = join(folder, 'alone/node_modules')
    const library = '@cfworker/json-schema'
    cpSync(resolve('node_modules', library), join(cut, library), { recursive: true })
    const run = await cli(['demo'], { cwd: folder, program: join(alone, 'main.js') })
    expect(run.code).toBe(0)
    expect(run.stdout.match(/official filesystem server is not installed/g)).toHaveLength(1)
    expect(run.stdout).toContain('── 1/3 calculator')
    expect(run.stdout.match(/^calculator\(23\*7\) = 161$/gm)).toHaveLength(2)
  })
})

it('leaves the same wire as ever, volatile fields masked', async () => {
  // When a server's stderr comes between its messages is chance; the words of the official server are not ours to keep.
  const capture = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.includes('"kind":"stderr"'))
    .map((line) => line.replace(/"n":\d+/, '"n":0').replace(/"count":\d+/, '"count":0'))
    .join('\n')
  const strangers = toolsOf('filesystem').flatMap((tool) => wordsIn(tool))
  const masked = maskCapture(capture, {
    replace: {
      [folder]: '<folder>',
      [process.execPath]: '<node>',
      ...Object.fromEntries(
        strangers.map((words) => [JSON.stringify(words).slice(1, -1), '<words>']),
      ),
    },
  })
  await expect(masked).toMatchFileSnapshot('../captures/demo.masked.jsonl')
})

interface RecordLine {
  readonly type: string
  readonly conn?: string
  readonly transport?: string
  readonly dir?: string
  readonly text?: string
}

function records(): readonly RecordLine[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordLine) // as the recorder writes them
}

function toolsOf(transport: string): readonly { name: string; description: string }[] {
  const lists = records()
    .filter((record) => record.transport === transport && record.dir === 'in')
    .map(({ text = '{}' }) => Object(JSON.parse(text)).result?.tools as unknown)
  const tools = lists.find((list) => Array.isArray(list))
  return Array.isArray(tools) ? tools : []
}

/** Every description and title in a tool and its schemas. */
function wordsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'string' && /^(description|title)$/.test(key) ? [inner] : wordsIn(inner),
  )
}
