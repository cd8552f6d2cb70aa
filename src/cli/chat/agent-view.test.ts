import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../agent/events.ts'
import type { ModelDelta } from '../../agent/model.ts'
import { agentEn } from '../messages/agent-en.ts'
import { createOutput, type OutputStream } from '../output.ts'
import { AgentView, type AgentViewOptions } from './agent-view.ts'

/** Everything that both streams of a terminal, or of pipes, were given. */
class Recorded implements OutputStream {
  readonly columns: number | undefined
  readonly isTTY: boolean
  text = ''
  constructor(columns?: number) {
    this.columns = columns
    this.isTTY = columns !== undefined
  }
  write(data: string | Uint8Array): boolean {
    this.text += String(data)
    return true
  }
  on(): void {
    return undefined
  }
}

interface Shown {
  readonly view: AgentView
  readonly stdout: Recorded
  readonly stderr: Recorded
  readonly output: ReturnType<typeof createOutput>
  readonly delta: (...deltas: readonly ModelDelta[]) => void
}

function opened(columns: number | undefined, more: Partial<AgentViewOptions> = {}): Shown {
  const stdout = new Recorded(columns)
  // One and the same terminal.
  const stderr = columns === undefined ? new Recorded() : stdout
  const output = createOutput({ stdout, stderr, env: { NO_COLOR: '1' } })
  let time = 0
  const view = new AgentView({
    output,
    words: agentEn.view,
    text: 'stream',
    clock: { now: () => (time += 1_000) },
    mask: (text) => text,
    ...more,
  })
  const delta = (...deltas: readonly ModelDelta[]): void => {
    for (const one of deltas) view.show({ type: 'delta', turn: 't1', delta: one })
  }
  return { view, stdout, stderr, output, delta }
}

/** Lines as they stand on the terminal: what was replaced is gone. */
const screen = ({ text }: Recorded): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r\u001b[K') + 1).replace('\u001b[K', ''))
const text = (value: string): ModelDelta => ({ kind: 'text', text: value })
const thinks = (value: string): ModelDelta => ({ kind: 'reasoning', text: value })
const replyOf = (said: string, reasoning?: string): AgentEvent => ({
  type: 'reply',
  turn: 't1',
  usd: undefined,
  reply: {
    message: {
      role: 'assistant',
      text: said,
      calls: [],
      ...(reasoning !== undefined && { reasoning }),
    },
    finish: 'stop',
    finishText: 'stop',
    usage: undefined,
    model: 'm',
    warnings: [],
  },
})

describe('the view of a run at a terminal', () => {
  it('shows text as it comes, behind a margin', () => {
    const { view, stdout, delta } = opened(40)
    view.show({ type: 'turn', turn: 't1' })
    delta(text('Hello '), text('world'))
    view.show(replyOf('Hello world'))
    expect(screen(stdout)).toEqual(['  Hello world', ''])
  })

  it('folds what the model thinks to one line, and shows it when asked', () => {
    const { view, stdout, delta } = opened(60)
    delta(thinks('First I '), thinks('look.'), text('Done.'))
    view.show(replyOf('Done.', 'First I look.'))
    expect(screen(stdout).slice(0, 2)).toEqual([
      '· thought for 1.0 s, 13 characters (/reasoning shows it)',
      '  Done.',
    ])
    expect(view.showThought()).toBe(true)
    expect(screen(stdout).at(-2)).toBe('┊ First I look.')
  })

  it('shows what the model thinks in a gutter of its own where that is wanted', () => {
    const { view, stdout, delta } = opened(60, { reasoning: true })
    delta(thinks('I look.\nTwice.'), text('Done.'))
    view.show(replyOf('Done.'))
    expect(screen(stdout)).toEqual(['┊ I look.', '┊ Twice.', '  Done.', ''])
  })

  it('has nothing to show where nothing was thought', () => {
    expect(opened(60).view.showThought()).toBe(false)
  })

  it('shows a reply that came as a whole', () => {
    const { view, stdout } = opened(60)
    view.show(replyOf('All at once.', 'Hm.'))
    expect(screen(stdout).slice(0, 2)).toEqual([
      '· thought for 1.0 s, 3 characters (/reasoning shows it)',
      '  All at once.',
    ])
  })

  it('says that what came is void when a reply begins again', () => {
    const { view, stdout, delta } = opened(60)
    delta(text('Half of '), { kind: 'restart' }, text('Whole.'))
    view.show(replyOf('Whole.'))
    expect(screen(stdout).slice(0, 3)).toEqual([
      '  Half of',
      '· what came so far is void; the reply begins again',
      '  Whole.',
    ])
  })

  it('lets no remark of others stand within a line of text', () => {
    const { view, stdout, output, delta } = opened(60)
    delta(text('One two '))
    output.note('warn wire: something')
    delta(text('three'))
    view.show(replyOf('One two three'))
    expect(screen(stdout)).toEqual(['  One two', 'warn wire: something', '  three', ''])
  })

  it('writes nothing while somebody else has the terminal, and all of it afterwards', () => {
    const { view, stdout, delta } = opened(60)
    view.hold()
    delta(text('Held back.'))
    view.show(replyOf('Held back.'))
    expect(stdout.text).toBe('')
    view.release()
    expect(screen(stdout)).toEqual(['  Held back.', ''])
  })

  it('shows a call while it is written, with its name made safe', () => {
    const { stdout, delta } = opened(60)
    delta({ kind: 'call', index: 0, id: 'a', name: 'x\u001b[2J' })
    expect(stdout.text).toContain('writing a call of x\\u001b[2J')
    expect(stdout.text).not.toContain('\u001b[2J')
  })
})

describe('the view of a run in pipes', () => {
  const exact = 'One \u001b[31m two\r\n\tthree'

  it('gives standard output the exact text and a line end, and nothing else', () => {
    const { view, stdout, stderr, delta } = opened(undefined)
    view.show({ type: 'turn', turn: 't1' })
    delta(thinks('Hm.'), text(exact.slice(0, 7)), text(exact.slice(7)))
    view.show(replyOf(exact))
    expect(stdout.text).toBe(`${exact}\n`)
    expect(stderr.text).toBe('· thought for 1.0 s, 3 characters (/reasoning shows it)\n')
  })

  it('adds no line end within a text where something is told on stderr', () => {
    const { view, stdout, output, delta } = opened(undefined)
    delta(text('one '))
    output.note('warn')
    delta(text('two'))
    view.show(replyOf('one two'))
    expect(stdout.text).toBe('one two\n')
  })

  it('keeps the text to itself where only the answer is wanted', () => {
    const { view, stdout, delta } = opened(undefined, { text: 'none' })
    delta(text('Let me see.'))
    view.show(replyOf('Let me see.'))
    expect(stdout.text).toBe('')
  })
})
