import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { hidesText } from '../base/terminal-text.ts'
import type { Chain, WireEvent, WireNote } from '../jsonrpc/wire.ts'
import { consoleView, type ConsoleViewOptions } from './console.ts'

const TURN: Chain = { run: 'r', turn: 't1', attempt: 1 }
const CALL: Chain = { run: 'r', turn: 't1', call: 't1c1' }

function note(kind: string, data: JsonObject, more: Partial<WireNote> = {}): WireNote {
  return { kind, data, ...more }
}

/** Notes, 100 ms apart. */
function show(notes: readonly WireNote[], options: Partial<ConsoleViewOptions> = {}): string[] {
  const lines: string[] = []
  const sink = consoleView({ language: 'en', ...options, write: (line) => lines.push(line) })
  for (const [seq, one] of notes.entries()) {
    const stamp = { seq, connection: 'agent-1', transport: 'agent', at: seq * 100, wall: 0 }
    const event: WireEvent = { ...stamp, type: 'note', note: one }
    sink(event)
  }
  return lines
}

const ONE_TURN: readonly WireNote[] = [
  note(
    'model-request',
    { model: 'deepseek-chat', attempt: 1, url: 'https://x/chat' },
    { text: '{"messages":[]}', chain: TURN, direction: 'out' },
  ),
  note(
    'model-reply',
    { attempt: 1, status: 200, finish: 'tool-calls', finishText: 'tool_calls' },
    { text: 'data: [DONE]', chain: TURN, direction: 'in' },
  ),
  note(
    'tool-call',
    { alias: 'fs__read', argumentsText: '{"path":"/a"}', name: 'fs__read', modelCall: 'call_1' },
    { chain: CALL },
  ),
  note(
    'decision',
    { alias: 'fs__read', verdict: 'allow', reason: 'allow-rule', rule: 'fs.*', by: 'policy' },
    { chain: { ...CALL, attempt: 1 } },
  ),
  note(
    'tool-result',
    { bytes: 10_000, shownBytes: 90, artifact: 'a1', failed: false },
    { text: 'line 1\nline 2', chain: CALL },
  ),
]

describe('what an agent notes', () => {
  it('is shown from the request to the model to what the model was shown', () => {
    expect(show(ONE_TURN)).toEqual([
      '→ model t1 deepseek-chat 15 B {"messages":[]}',
      '← model t1 200 tool_calls 100 ms 12 B data: [DONE]',
      '· call t1c1 fs__read {"path":"/a"}',
      '· decision t1c1 fs__read allowed (policy) allow-rule: fs.*',
      '· shown to the model t1c1 ok 90 B / 10.0 kB a1 line 1\\nline 2',
    ])
  })

  it('is shown in Chinese', () => {
    expect(show(ONE_TURN, { language: 'zh' })).toEqual([
      '→ 模型请求: t1 deepseek-chat 15 B {"messages":[]}',
      '← 模型响应: t1 200 tool_calls 100 ms 12 B data: [DONE]',
      '· 工具调用 t1c1 fs__read {"path":"/a"}',
      '· 决定 t1c1 fs__read 已允许 (policy) allow-rule: fs.*',
      '· 给模型看的结果 t1c1 成功 90 B / 10.0 kB a1 line 1\\nline 2',
    ])
  })

  it('has words for the codes of a decision where there are some, and shows others as they are', () => {
    const decisions = {
      reasons: { 'allow-rule': '有规则允许它' },
      by: { policy: '由策略决定' },
      rule: (text: string) => `“${text}”`,
    }
    const [, , , decision] = show(ONE_TURN, { language: 'zh', decisions })
    expect(decision).toBe('· 决定 t1c1 fs__read 已允许 (由策略决定) 有规则允许它: “fs.*”')
    const odd = note('decision', { alias: 'x', verdict: 'deny', reason: 'toString', by: 'odd' })
    expect(show([odd], { decisions })).toEqual(['· decision x refused (odd) toString'])
  })

  it('says of a refusal, a failure and a repeat that they are such', () => {
    expect(
      show([
        note(
          'decision',
          { alias: 'x', verdict: 'deny', reason: 'otherwise', by: 'person' },
          { chain: CALL },
        ),
        note(
          'tool-result',
          { bytes: 5, shownBytes: 5, failed: true },
          { text: 'oh no', chain: CALL },
        ),
        note('model-reply', { status: 429 }, { text: '{}', chain: TURN }),
        note(
          'model-retry',
          { attempt: 1, delayMs: 2000, why: 'too many requests' },
          { chain: TURN },
        ),
      ]),
    ).toEqual([
      '· decision t1c1 x refused (person) otherwise',
      '· shown to the model t1c1 failed 5 B oh no',
      '← model t1 429 2 B {}',
      '· asking the model again t1 2000 ms too many requests',
    ])
  })

  it('quotes the reason of a repeat in Chinese, which was recorded in English', () => {
    const again = note('model-retry', { delayMs: 2000, why: 'too many requests' }, { chain: TURN })
    expect(show([again], { language: 'zh' })).toEqual([
      '· 再次请求模型 t1 2000 ms （原文：too many requests）',
    ])
  })

  it.each(['model-request', 'model-reply', 'model-retry', 'tool-call', 'tool-result', 'decision'])(
    'of the kind %s never writes what a stranger put in its members',
    (kind) => {
      const evil = '\u001b]0;x\u0007\u202e\n'
      const data = Object.fromEntries(
        [
          'model',
          'finish',
          'finishText',
          'why',
          'alias',
          'argumentsText',
          'reason',
          'rule',
          'by',
          'artifact',
        ].map((name) => [name, evil]),
      )
      const chain = { run: evil, turn: evil, call: evil }
      const lines = show([note(kind, data, { text: evil, chain }), { kind }])
      for (const line of lines) expect(hidesText(line)).toBe(false)
    },
  )

  it('with members of other types, or none, is shown all the same', () => {
    const odd = { model: 1, status: 'x', alias: [], bytes: {}, shownBytes: null, delayMs: 'soon' }
    for (const { kind } of ONE_TURN) expect(show([note(kind, odd), { kind }])).toHaveLength(2)
  })

  it('is no wider than a line', () => {
    const wide = note(
      'tool-result',
      { bytes: 1, shownBytes: 1 },
      { text: '宽'.repeat(500), chain: CALL },
    )
    expect(show([wide], { columns: 60 })[0]).toMatch(/…$/)
  })
})
