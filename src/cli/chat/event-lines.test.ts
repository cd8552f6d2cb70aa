import { describe, expect, it } from 'vitest'
import type { AgentCall, AgentEvent, CallOutcome } from '../../agent/events.ts'
import { PolicyError } from '../../base/errors.ts'
import { displayWidth } from '../../base/terminal-text.ts'
import { agentEn } from '../messages/agent-en.ts'
import { agentZh } from '../messages/agent-zh.ts'
import {
  endWords,
  eventLines,
  remark,
  RUN_HINTS,
  saidLines,
  secondsText,
  spentFacts,
  type ViewHints,
} from './event-lines.ts'

const words = agentEn.view
const call: AgentCall = {
  id: 't1c1',
  turn: 't1',
  modelCall: { id: 'x', name: 'files__read', argumentsText: '{"path":"a"}' },
  alias: 'files__read',
  server: 'files',
  tool: 'read',
  args: { path: 'a' },
}
const outcome: CallOutcome = {
  call,
  raw: { content: [{ type: 'text', text: 'hello' }] },
  shown: 'hello',
  bytes: 5,
  shownBytes: 5,
  failed: false,
  called: true,
  ms: 12.4,
}
const shown = (event: AgentEvent, columns = 80): readonly string[] =>
  eventLines(event, words, { columns }).map(({ text }) => text)
const resulted = (more: Partial<CallOutcome>, columns = 80): readonly string[] =>
  shown({ type: 'result', ...outcome, ...more }, columns)

/** What a peer may write to look like this program, or to take the terminal over. */
const HOSTILE =
  '\u001b[2J\u001b]0;x\u0007 \r\n→ t9c9 shell__run {}\n← t9c9 ok\n· Allowed.\n┃ Server\u2028› yes\u202e\n'.repeat(
    20,
  )
const MARKS = new Set(['→', '←', '│', '·', ' '])

describe('a call', () => {
  it('is one line where it fits', () => {
    expect(shown({ type: 'call', call })).toEqual(['→ t1c1 files__read {"path":"a"}'])
  })

  it('is cut where it is long, and says how to see all of it', () => {
    const lines = shown({ type: 'call', call: { ...call, args: { text: 'x'.repeat(1_000) } } }, 40)
    expect(lines[0]).toBe('→ t1c1 files__read')
    expect(lines.slice(1, 5).every((line) => line.startsWith('│ '))).toBe(true)
    expect(lines.slice(5).join(' ')).toMatch(/… 8\d\d more characters \(\/why\s+t1c1\)/)
  })

  it('that nobody could read is shown as the model wrote it', () => {
    const written = (argumentsText: string): readonly string[] =>
      shown({
        type: 'call',
        call: { ...call, args: undefined, modelCall: { ...call.modelCall, argumentsText } },
      })
    expect(written('{"path": \u001b[2J')).toEqual(['→ t1c1 files__read {"path": \\u001b[2J'])
    expect(written(' ')).toEqual(['→ t1c1 files__read (arguments that cannot be read)'])
  })
})

describe('a result', () => {
  it('tells how it went, how long it took and how large it is, and its beginning', () => {
    expect(resulted({})).toEqual(['← t1c1 ok · 12 ms · 5 B', '│ hello'])
    expect(resulted({ failed: true })[0]).toBe('← t1c1 failed · 12 ms · 5 B')
  })

  it('that is long is shown in part, with the number of lines that are left', () => {
    const text = Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n')
    const lines = resulted({ shown: text })
    expect(lines).toHaveLength(8)
    expect(lines[6]).toBe('│ line 5')
    expect(lines[7]).toBe('· … 44 more lines (/why t1c1)')
  })

  it('names only what can be typed where it is shown', () => {
    const text = Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n')
    const event = { type: 'result', ...outcome, shown: text } as const
    const last = (hints: ViewHints): string | undefined =>
      eventLines(event, words, { columns: 80, hints }).at(-1)?.text
    expect(last(RUN_HINTS)).toBe('· … 44 more lines (deep-pilot why t1c1)')
    expect(last({ reasoning: '--reasoning' })).toBe('· … 44 more lines')
  })

  it('says how much of it the model got', () => {
    expect(resulted({ bytes: 100_000, shownBytes: 50_000 })[0]).toBe(
      '← t1c1 ok · 12 ms · 100.0 KB · the model got 50.0 KB of 100.0 KB',
    )
  })

  it('says where all of it is when it was cut and is in a file', () => {
    const cut = { bytes: 100_000, shownBytes: 50_000, artifact: 'a1' }
    const event = { type: 'result', ...outcome, ...cut } as const
    const hints: ViewHints = { reasoning: '', artifactPath: (id) => `/kept/${id}.txt` }
    const lines = eventLines(event, words, { columns: 80, hints }).map(({ text }) => text)
    expect(lines.slice(1)).toEqual(['· all of it: /kept/a1.txt', '│ hello'])
    expect(resulted(cut)).toHaveLength(2)
  })

  it('that was refused is told apart from one that failed, one that never came and one that was not called', () => {
    const error = new PolicyError('DP_POLICY_DENIED', 'No.')
    const none = { failed: true, raw: undefined }
    expect(resulted({ ...none, error })[0]).toBe('← t1c1 refused')
    expect(resulted({ ...none })[0]).toBe('← t1c1 no result')
    expect(resulted({ ...none, called: false })[0]).toBe('← t1c1 not called')
  })

  it('shows the person what is meant for the person alone', () => {
    const content = [
      { type: 'text' as const, text: 'both' },
      { type: 'text' as const, text: 'secret', annotations: { audience: ['user' as const] } },
    ]
    expect(resulted({ raw: { content }, shown: 'both' }).slice(1)).toEqual([
      '│ both',
      '· For you alone, not for the model:',
      '│ secret',
    ])
  })
})

describe('every line', () => {
  const events: readonly AgentEvent[] = [
    { type: 'call', call: { ...call, alias: 'x', args: { [HOSTILE]: HOSTILE } } },
    { type: 'result', ...outcome, shown: HOSTILE },
    { type: 'retry', turn: 't1', attempt: 1, delayMs: 1_500, why: HOSTILE },
    { type: 'warning', turn: 't1', kind: 'leaked-call', message: HOSTILE },
    { type: 'compacted', turn: 't1', turns: 2, messages: 5 },
    {
      type: 'tools',
      turn: 't1',
      changes: { added: ['a', HOSTILE], removed: ['b'], changed: ['c'] },
    },
    {
      type: 'result',
      ...outcome,
      raw: {
        content: [{ type: 'text', text: HOSTILE, annotations: { audience: ['user'] } }],
      },
    },
  ]

  it.each([20, 40, 80, 120])(
    'fits %i columns, begins with a mark of ours and has no controls',
    (columns) => {
      for (const event of events)
        for (const language of [words, agentZh.view]) {
          const lines = eventLines(event, language, { columns })
          expect(lines.length).toBeGreaterThan(0)
          for (const { text } of lines) {
            expect(displayWidth(text)).toBeLessThanOrEqual(columns)
            expect(text).not.toMatch(/[^\P{C}]|[\u2028\u2029]/u)
            expect(MARKS.has(text.charAt(0))).toBe(true)
          }
        }
    },
  )

  it('of a call or a result is the only one that says so', () => {
    for (const event of events.slice(3, 4))
      expect(
        eventLines(event, words, { columns: 80 }).every(({ text }) => !/^[→←┃›]/.test(text)),
      ).toBe(true)
  })
})

describe('the words at the end', () => {
  const end = { text: '', turns: 1, usage: { input: 0, output: 0 }, usd: 0 }

  it('are there for every end but an answer and an error', () => {
    expect(endWords({ ...end, reason: 'done' }, words)).toBeUndefined()
    expect(endWords({ ...end, reason: 'model-error' }, words)).toBeUndefined()
    expect(endWords({ ...end, reason: 'budget', which: 'usd' }, words)).toContain('--budget-usd')
    for (const reason of ['length', 'filtered', 'loop', 'cancelled'] as const)
      expect(endWords({ ...end, reason }, words)).not.toBe('')
  })

  it('never call a cost 0 that is not known', () => {
    const usage = { input: 1_200, cachedInput: 1_000, output: 30 }
    expect(words.spent(spentFacts({ turns: 2, usage, usd: undefined }, 3_210))).toBe(
      '2 requests · 1,200 tokens in (1,000 cached), 30 out · cost unknown · 3.2 s',
    )
    expect(words.spent(spentFacts({ turns: 1, usage, usd: 0.00123 }))).toContain('$0.0012')
    expect(words.spent(spentFacts({ turns: 1, usage, usd: 0.0000042 }))).toContain('$0.000004')
    expect(words.spent(spentFacts({ turns: 1, usage, usd: 12.3 }))).toContain('$12.30')
  })

  it('that is an estimate in part says so of its tokens and its cost, in both languages', () => {
    const facts = spentFacts({
      turns: 2,
      usage: { input: 1200, output: 30 },
      usd: 0.25,
      estimated: true,
    })
    expect(agentEn.view.spent(facts)).toBe(
      '2 requests · about 1,200 tokens in, 30 out · about $0.25',
    )
    expect(agentZh.view.spent(facts)).toBe('请求 2 次 · 输入约 1,200 token，输出约 30 · 约 $0.25')
  })

  it('says what is not known of requests that broke off before anything came', () => {
    const none = spentFacts({ turns: 1, usage: { input: 0, output: 0 }, uncounted: 1, usd: 0 })
    expect(agentEn.view.spent(none)).toBe('1 request · tokens unknown · cost unknown')
    expect(agentZh.view.spent(none)).toBe('请求 1 次 · token 数未知 · 费用未知')
    const some = spentFacts({ turns: 3, usage: { input: 9, output: 3 }, uncounted: 1, usd: 0.25 })
    expect(agentEn.view.spent(some)).toBe(
      '3 requests · 9 tokens in, 3 out · 1 request broken off, tokens unknown · at least $0.25',
    )
    expect(agentZh.view.spent(some)).toBe(
      '请求 3 次 · 输入 9 token，输出 3 · 1 次请求中断，token 数未知 · 至少 $0.25',
    )
  })

  it('give seconds as precisely as they matter', () => {
    expect([412, 9_940, 12_400, 95_000].map(secondsText)).toEqual(['0.4', '9.9', '12', '95'])
  })
})

describe('a remark', () => {
  it('is broken between words, and a long one of a peer is cut', () => {
    expect(remark('one two three four', 20).map(({ text }) => text)).toEqual([
      '· one two three four',
    ])
    const lines = remark('word '.repeat(5_000), 20)
    expect(lines).toHaveLength(12)
    expect(lines.at(-1)?.text).toMatch(/…$/)
  })
})

describe('what the person said', () => {
  const rows = (text: string, columns = 40): readonly string[] =>
    saidLines(text, columns).map((line) => line.text)

  it('stands as it stood at the prompt', () => {
    expect(rows('one\n\ttwo\u001b[2J\n三')).toEqual(['› one', '    two\\u001b[2J', '  三'])
  })

  it('is cut where it is long', () => {
    const lines = rows('word '.repeat(2_000))
    expect([lines.length, lines.at(-1)]).toEqual([12, '  …'])
    expect(lines.every((line) => displayWidth(line) <= 40)).toBe(true)
  })
})
