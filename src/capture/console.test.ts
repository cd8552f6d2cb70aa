import { describe, expect, it } from 'vitest'
import { displayWidth } from '../base/terminal-text.ts'
import type { Direction, WireEvent, WireNote } from '../jsonrpc/wire.ts'
import { consoleView } from './console.ts'
import type { ConsoleViewOptions } from './console.ts'
import { readText } from './record-event.ts'

interface Step {
  readonly at?: number
  readonly dir?: Direction
  readonly text?: string
  readonly note?: WireNote
  readonly connection?: string
  readonly type?: 'open' | 'close'
}

function show(steps: readonly Step[], options: Partial<ConsoleViewOptions> = {}): string[] {
  const lines: string[] = []
  const sink = consoleView({ language: 'en', ...options, write: (line) => lines.push(line) })
  for (const [seq, step] of steps.entries()) {
    const base = {
      seq,
      connection: step.connection ?? 'fs',
      transport: 'node fs.mjs',
      at: step.at ?? 0,
      wall: 0,
    }
    let event: WireEvent = { ...base, type: step.type ?? 'open' }
    if (step.note) event = { ...base, type: 'note', note: step.note }
    else if (step.text !== undefined) {
      const reading = readText(step.text)
      event = {
        ...base,
        type: 'message',
        direction: step.dir ?? 'out',
        text: step.text,
        ...(reading ? { reading } : {}),
      }
    }
    sink(event)
  }
  return lines
}
const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}'
const done = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'

describe('console view', () => {
  it('shows a request and its answer with time and size', () => {
    expect(show([{ text: call }, { text: done, dir: 'in', at: 12.4 }])).toEqual([
      '→ #1 tools/call {"name":"echo"}',
      '← #1 tools/call ok 12 ms 48 B {"content":[]}',
    ])
  })

  it('speaks Chinese', () => {
    expect(
      show(
        [
          { text: call },
          { text: done, dir: 'in', at: 3.25 },
          { note: { kind: 'stderr', text: '你好' } },
        ],
        { language: 'zh' },
      ),
    ).toEqual([
      '→ MCP 请求: #1 tools/call {"name":"echo"}',
      '← MCP 响应: #1 tools/call 成功 3.3 ms 48 B {"content":[]}',
      '· 标准错误: 你好',
    ])
  })

  it('shows questions of the server and our answers, with ids of their own', () => {
    const lines = show([
      { text: call },
      { text: '{"jsonrpc":"2.0","id":1,"method":"roots/list"}', dir: 'in', at: 1 },
      { text: '{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}', dir: 'out', at: 3 },
      { text: done, dir: 'in', at: 20 },
    ])
    expect(lines.map((line) => line.split(' {')[0])).toEqual([
      '→ #1 tools/call',
      '← #1 roots/list',
      '→ #1 roots/list ok 2 ms 46 B',
      '← #1 tools/call ok 20 ms 48 B',
    ])
  })

  it('keeps the ids 1 and "1" apart', () => {
    const lines = show([
      { text: call },
      { text: '{"jsonrpc":"2.0","id":"1","result":{}}', dir: 'in' },
    ])
    expect(lines[1]).toBe('← #"1" (no such request) ok 38 B {}')
  })

  it('tells errors, tool errors and questions back from success', () => {
    const lines = show([
      {
        text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found","data":{"a":1}}}',
        dir: 'in',
      },
      { text: '{"jsonrpc":"2.0","id":2,"result":{"isError":true}}', dir: 'in' },
      { text: '{"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required"}}', dir: 'in' },
      { text: '{"jsonrpc":"2.0","error":{"code":-32700,"message":"?"}}', dir: 'in' },
    ])
    expect(lines[0]).toContain('error -32601 Method not found')
    expect(lines[0]).toContain('{"a":1}')
    expect(lines[1]).toContain(' tool error ')
    expect(lines[2]).toContain(' input required ')
    expect(lines[3]).toMatch(/^← #- /)
  })

  it('shows notifications, batches, what is no message, notes, open and close', () => {
    expect(
      show([
        { type: 'open' },
        {
          text: '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}',
          dir: 'in',
        },
        { text: '[]', dir: 'in' },
        { text: '{"x":1}', dir: 'in' },
        { note: { kind: 'stray', text: 'Server started' } },
        { note: { kind: 'exit', data: { exitCode: 1 } } },
        { note: { kind: 'not-utf8', bytes: Uint8Array.of(255, 1) } },
        { note: { kind: 'constructor' } },
        { type: 'close' },
      ]).map((line) => line.replace(/\(.*\)/, '(…)')),
    ).toEqual([
      '· open node fs.mjs',
      '← notifications/progress {"progress":1}',
      '← batch []',
      '← no message (…) {"x":1}',
      '· stray output: Server started',
      '· exit: {"exitCode":1}',
      '· not UTF-8: ff 01',
      '· constructor',
      '· closed',
    ])
  })

  it('names connections once there are two', () => {
    const lines = show([{ text: call }, { text: call, connection: 'git' }, { text: call }])
    expect(lines.map((line) => line.slice(0, 5))).toEqual(['→ #1 ', '[git]', '[fs] '])
  })

  it('cuts to the columns, never inside of a grapheme, and not what fits', () => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"m","params":{"t":"${'中👩‍👩‍👧‍👦e\u0301'.repeat(40)}"}}`
    for (let columns = 20; columns < 60; columns += 1) {
      const line = show([{ text }], { columns })[0] ?? ''
      expect(displayWidth(line)).toBeLessThanOrEqual(columns)
      expect(displayWidth(line)).toBeGreaterThan(columns - 3)
      expect(line.endsWith('…')).toBe(true)
      expect(line).not.toMatch(/\u200d…$/)
    }
    const exact = '→ #1 tools/call {"name":"echo"}'
    expect(show([{ text: call }], { columns: exact.length })).toEqual([exact])
    expect(show([{ text: call }], { columns: exact.length - 1 })[0]).toBe(`${exact.slice(0, -2)}…`)
  })

  it('lets no peer write to the terminal, in any field', () => {
    const evil = '\u001b[2J\u009b1m\u202e\u200b\u0007\r\n\u{e0041}\ud800'
    const json = JSON.stringify(evil)
    const lines = show([
      {
        text: `{"jsonrpc":"2.0","id":${json},"method":${json},"params":{${json}:${json}}}`,
        dir: 'in',
        connection: evil,
      },
      { text: `{"jsonrpc":"2.0","id":${json},"result":{"a":${json}}}`, connection: evil },
      {
        text: `{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":${json},"data":${json}}}`,
        dir: 'in',
      },
      { text: evil, dir: 'in' },
      { note: { kind: evil, text: evil, data: { [evil]: evil } } },
    ])
    expect(lines).toHaveLength(5)
    const shown = lines.join('')
    const hostile = Array.from(shown).filter((char) => {
      const code = char.codePointAt(0) ?? 0
      return (
        code < 32 || (code >= 127 && code < 160) || [0x202e, 0x200b, 0xe0041, 0xd800].includes(code)
      )
    })
    expect(hostile).toEqual([])
    expect(shown).toContain('\\u202e')
  })

  it('colours only when asked, and no colour counts as a column', () => {
    const lines = show([{ text: call }, { text: done, dir: 'in' }], { color: true, columns: 25 })
    expect(lines[1]).toContain('\u001b[32mok\u001b[0m')
    const bare = lines.map((line) =>
      line
        .split('\u001b')
        .map((part, n) => (n === 0 ? part : part.replace(/^\[\d+m/, '')))
        .join(''),
    )
    expect(bare).toEqual(show([{ text: call }, { text: done, dir: 'in' }], { columns: 25 }))
  })

  it('shows no secret', () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"login","params":{"password":"canary"}}'
    expect(show([{ text }])[0]).toBe('→ #1 login {"password":"‹redacted:key›"}')
    expect(show([{ text }], { redact: false })[0]).toContain('canary')
    expect(show([{ note: { kind: 'stderr', text: 'token=canary' } }])[0]).not.toContain('canary')
  })

  it('remembers a bounded number of requests', () => {
    const steps: Step[] = Array.from({ length: 5000 }, (_, id) => ({
      text: `{"jsonrpc":"2.0","id":${id},"method":"m"}`,
    }))
    const lines = show([
      ...steps,
      ...[0, 4999].map((id) => ({
        text: `{"jsonrpc":"2.0","id":${id},"result":{}}`,
        dir: 'in' as const,
      })),
    ])
    expect(lines.at(-2)).toContain('(no such request)')
    expect(lines.at(-1)).toContain('#4999 m ok')
  })

  it('costs by what it shows and not by how large a result is', () => {
    const steps: Step[] = [
      {
        text: `{"jsonrpc":"2.0","id":1,"result":{"a":[${'[1],'.repeat(500_000)}0],"t":"${'x'.repeat(5_000_000)}"}}`,
        dir: 'in',
      },
    ]
    const line = show(steps, { redact: false })[0] ?? ''
    expect(displayWidth(line)).toBe(120)
  })
})
