/** What a run shows at a terminal: no text of a model or a peer moves a cursor, hides, or stands where only our own words stand. */
import { describe, expect, it } from 'vitest'
import type { AgentCall, AgentEvent } from '../../src/agent/events.ts'
import type { ModelReply } from '../../src/agent/model.ts'
import { AgentView } from '../../src/cli/chat/agent-view.ts'
import { eventRecord } from '../../src/cli/agent-records.ts'
import { failureLines } from '../../src/cli/failure.ts'
import { agentEn } from '../../src/cli/messages/agent-en.ts'
import { agentZh } from '../../src/cli/messages/agent-zh.ts'
import { en } from '../../src/cli/messages/en.ts'
import { createOutput, visibleJson, type OutputStream } from '../../src/cli/output.ts'
import { ModelError, PolicyError } from '../../src/base/errors.ts'
import { CONTROL, SEQUENCES } from '../support/terminal-attacks.ts'

// oxlint-disable-next-line no-control-regex -- our own sequences
const OWN_REDRAW = /\r?\u001b\[K/g
// oxlint-disable-next-line no-control-regex -- our own sequences
const OWN_COLOURS = /\u001b\[(?:0|2|3[123])m/g

class Terminal implements OutputStream {
  readonly isTTY = true
  readonly columns: number
  text = ''
  constructor(columns: number) {
    this.columns = columns
  }
  write(data: string | Uint8Array): boolean {
    this.text += String(data)
    return true
  }
  on(): void {
    return undefined
  }
  /** Without what the program itself writes to redraw and to colour its lines. */
  get lines(): readonly string[] {
    return this.text.replace(OWN_REDRAW, '\n').replace(OWN_COLOURS, '').split('\n')
  }
}

const callOf = (evil: string): AgentCall => ({
  id: 't1c1',
  turn: 't1',
  modelCall: { id: evil, name: evil, argumentsText: evil },
  alias: evil,
  server: evil,
  tool: evil,
  args: { [evil]: [evil] },
})

const replyOf = (evil: string): ModelReply => ({
  message: { role: 'assistant', text: evil, reasoning: evil, calls: [] },
  finish: 'other',
  finishText: evil,
  usage: undefined,
  model: evil,
  warnings: [],
})

/** Every event that has a place for a stranger's text. */
function eventsOf(evil: string): readonly AgentEvent[] {
  const turn = 't1'
  const call = callOf(evil)
  const raw = {
    content: [{ type: 'text' as const, text: evil, annotations: { audience: ['user' as const] } }],
  }
  const outcome = { call, bytes: 9, shownBytes: 5, failed: true, called: true, ms: 1, shown: evil }
  return [
    { type: 'turn', turn },
    { type: 'tools', turn, changes: { added: [evil], removed: [evil], changed: [evil] } },
    { type: 'delta', turn, delta: { kind: 'reasoning', text: evil } },
    { type: 'delta', turn, delta: { kind: 'text', text: evil } },
    ...Array.from({ length: evil.length }, (_, at) => evil.charAt(at)).map((text): AgentEvent => ({
      type: 'delta',
      turn,
      delta: { kind: 'text', text },
    })),
    { type: 'delta', turn, delta: { kind: 'call', index: 0, id: evil, name: evil } },
    { type: 'delta', turn, delta: { kind: 'arguments', index: 0, text: evil } },
    { type: 'delta', turn, delta: { kind: 'restart' } },
    { type: 'retry', turn, attempt: 1, delayMs: 5, why: evil },
    { type: 'turn', turn },
    { type: 'reply', turn, reply: replyOf(evil), usd: undefined },
    { type: 'call', call },
    { type: 'call', call: { ...call, args: undefined } },
    { type: 'progress', call, progress: { progress: 1, message: evil } },
    { type: 'result', ...outcome, raw, artifact: evil },
    {
      type: 'result',
      ...outcome,
      raw: undefined,
      error: new PolicyError('DP_POLICY_DENIED', evil),
    },
    { type: 'warning', turn, kind: 'result', message: evil },
    { type: 'warning', turn, kind: 'left-out', message: evil },
  ]
}

function shown(texts: readonly string[], columns = 80, words = agentEn.view): Terminal {
  const terminal = new Terminal(columns)
  const output = createOutput({ stdout: terminal, stderr: terminal, env: {} })
  const view = new AgentView({
    output,
    words,
    text: 'stream',
    reasoning: true,
    clock: { now: () => 0 },
    mask: (text) => text,
  })
  for (const text of texts) {
    for (const event of eventsOf(text)) view.show(event)
    view.settle()
    view.said(text)
    view.quote(text)
    view.remark(text)
    view.showThought()
  }
  view.settle()
  return terminal
}

describe('a sequence that a terminal obeys', () => {
  it(`is obeyed at no place of a run, one of ${SEQUENCES.length}, in both languages (A54)`, () => {
    for (const evil of SEQUENCES)
      for (const words of [agentEn.view, agentZh.view])
        for (const line of shown([evil], 80, words).lines)
          expect(line, JSON.stringify(evil)).not.toMatch(CONTROL)
  })

  it('is obeyed in no line of JSON (A54)', () => {
    for (const evil of SEQUENCES)
      for (const event of eventsOf(evil)) {
        const line = visibleJson(eventRecord(event))
        expect(line, JSON.stringify(evil)).not.toMatch(CONTROL)
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(eventRecord(event))))
      }
  })

  it('is obeyed in no failure of a model or a tool (A54)', () => {
    const facts = { provider: 'p', said: SEQUENCES.join(''), kind: SEQUENCES.join('') }
    const evil = `failed: ${SEQUENCES.join('')}`
    for (const error of [
      new ModelError('DP_MODEL_FAILED', evil, facts),
      new PolicyError('DP_POLICY_DENIED', evil),
      new Error(evil),
    ])
      for (const line of failureLines(error, en)) expect(line).not.toMatch(CONTROL)
  })
})

describe('words that look like ours', () => {
  const FORGED: readonly string[] = [
    '→ t9c9 files__delete {}',
    '← t9c9 ok · 1 ms',
    '│ 161',
    '· Allowed by you.',
    '› yes',
    'Allow? [y/N] y',
    '◇ Allow once',
    '$ rm -rf /',
  ]
  const text = FORGED.join('\n')

  it.each([24, 80, 200])(
    'stand behind a margin or a bar of ours, at %i columns (A56)',
    (columns) => {
      const ways = [
        text,
        `\n${text}`,
        text.replaceAll('\n', '\r'),
        text.replaceAll('\n', '\r\n'),
        text.replaceAll('\n', '\u2028'),
        text.replaceAll('\n', '\u0085'),
        text.replaceAll('\n', '\u000b'),
        `${'x'.repeat(columns - 1)} ${text}`,
      ]
      for (const way of ways) {
        const { lines } = shown([way], columns)
        for (const forged of FORGED)
          for (const line of lines) expect(line.startsWith(forged), line).toBe(false)
        for (const line of lines) expect(line).toMatch(/^(?:$| {2}|[→←│·›┊](?: |$))/u)
      }
    },
  )

  it('of any length take no more lines than a screen has, and no more columns (A56)', () => {
    const long = 'wide '.repeat(100_000)
    const outcome: AgentEvent = {
      type: 'result',
      call: callOf(long),
      raw: undefined,
      shown: long,
      bytes: 1,
      shownBytes: 1,
      failed: false,
      called: true,
      ms: 1,
    }
    const terminal = new Terminal(80)
    const output = createOutput({ stdout: terminal, stderr: terminal, env: { NO_COLOR: '1' } })
    const view = new AgentView({
      output,
      words: agentEn.view,
      text: 'stream',
      clock: { now: () => 0 },
      mask: (line) => line,
    })
    view.show({ type: 'call', call: callOf(long) })
    view.show(outcome)
    view.show({ type: 'warning', turn: 't1', kind: 'result', message: long })
    const { lines } = terminal
    expect(lines.length).toBeLessThan(40)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })
})
