/**
 * Shows a run while it goes on: the model's text as it comes, what it thinks folded to a counter, calls and results as lines.
 * The text is the result and goes to standard output, exact where that is no terminal; everything else goes to stderr.
 */

import type { Clock } from '../../base/clock.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { AgentEvent } from '../../agent/events.ts'
import type { ModelDelta, ModelReply } from '../../agent/model.ts'
import type { AgentViewWords } from '../messages/agent-words.ts'
import type { Output } from '../output.ts'
import { progressLine } from '../tool-result.ts'
import {
  CHAT_HINTS,
  eventLines,
  remark,
  saidLines,
  secondsText,
  type LineStyle,
  type ViewHints,
  type ViewLine,
} from './event-lines.ts'
import { TextFlow } from './text-flow.ts'

export interface AgentViewOptions {
  readonly output: Output
  readonly words: AgentViewWords
  /** Whether the model's text is shown as it comes, or not at all. */
  readonly text: 'stream' | 'none'
  /** Whether what the model thinks is shown. Default false. */
  readonly reasoning?: boolean
  /** What is typed to see more. Default `CHAT_HINTS`. */
  readonly hints?: ViewHints
  readonly clock: Pick<Clock, 'now'>
  /** Hides secrets in a line. */
  readonly mask: (text: string) => string
}

const SGR: Readonly<Record<LineStyle, string>> = {
  plain: '0',
  dim: '2',
  good: '32',
  bad: '31',
  odd: '33',
}

/** Columns of a line where stderr is no terminal. */
const PIPE_COLUMNS = 120
/** Characters of thinking that are kept to be shown later. */
const MAX_THOUGHT = 1024 * 1024

/** Of what waits, beyond which no more news do. */
const MAX_NEWS = 200

export class AgentView {
  /** Whether what the model thinks is shown from now on. */
  reasoning: boolean
  readonly #options: AgentViewOptions
  readonly #hints: ViewHints
  readonly #answer: TextFlow | undefined
  readonly #aside: TextFlow
  readonly #quoted: TextFlow
  /** What was thought in the reply that is under way, or in the last one. */
  #thought = ''
  #thoughtLength = 0
  #thinkingSince: number | undefined
  /** Whether pieces of the reply's text came, and what an exact standard output was given ends with a line end. */
  #hasText = false
  #endsLine = true
  /** What waits while somebody else writes. Bounded by the calls of one reply, as the next waits for them, and by `MAX_NEWS`. */
  #held: (() => void)[] | undefined
  /** The call that is being written. */
  #writing = { name: '', length: 0 }

  constructor(options: AgentViewOptions) {
    const { output } = options
    this.#options = options
    this.reasoning = options.reasoning ?? false
    this.#hints = options.hints ?? CHAT_HINTS
    this.#answer =
      output.columns === undefined
        ? undefined
        : new TextFlow({
            write: (text) => output.piece(text),
            columns: () => output.columns ?? PIPE_COLUMNS,
          })
    const aside = {
      write: (text: string) => output.notePiece(text),
      columns: () => this.#columns(),
      style: (text: string) => this.#styled(text, 'dim'),
    }
    this.#aside = new TextFlow({ ...aside, margin: '┊ ' })
    this.#quoted = new TextFlow(aside)
    output.beforeLine(() => this.#endOpen())
  }

  /** What the model thought last, as far as it was kept. */
  get thought(): string {
    return this.#thought
  }

  /** Keeps everything back until `release`: somebody else writes to the terminal. */
  hold(): void {
    this.settle()
    this.#held ??= []
  }

  /** Shows what came meanwhile. */
  release(): void {
    const waiting = this.#held ?? []
    this.#held = undefined
    for (const show of waiting) show()
  }

  show(event: AgentEvent): void {
    const { output, words } = this.#options
    if (this.#held !== undefined) {
      // Progress is of its moment.
      if (event.type !== 'progress') this.#held.push(() => this.show(event))
      return
    }
    switch (event.type) {
      case 'turn':
        this.#beginReply()
        return output.progress(this.#own(words.waiting))
      case 'delta':
        return this.#delta(event.delta)
      case 'reply':
        return this.#replied(event.reply)
      case 'progress':
        return output.progress(`· ${progressLine(event.call.alias, event.progress)}`)
      case 'end':
        return this.settle()
      case 'call':
      case 'result':
      case 'retry':
      case 'tools':
      case 'compacted':
      case 'warning':
        this.settle()
        return this.lines(
          eventLines(event, words, { columns: this.#columns(), hints: this.#hints }),
        )
      default:
        return event satisfies never
    }
  }

  /** Ends whatever line is open, so that others can write. */
  settle(): void {
    this.#endThought()
    this.#endOpen()
    if (!this.#endsLine) this.#options.output.piece('\n')
    this.#endsLine = true
    this.#options.output.progress()
  }

  /** Lines of ours on stderr. */
  lines(lines: readonly ViewLine[]): void {
    const { output, mask } = this.#options
    for (const { text, style } of lines) output.note(this.#styled(mask(text), style))
  }

  /** A remark of ours. */
  remark(text: string, style: LineStyle = 'dim'): void {
    this.settle()
    this.lines(remark(text, this.#columns(), style))
  }

  /** A remark that comes of itself, at any time. */
  news(text: string): void {
    if (this.#held === undefined) return this.remark(text, 'odd')
    if (this.#held.length < MAX_NEWS) this.#held.push(() => this.remark(text, 'odd'))
  }

  /** Text of others that was said before, dim, on stderr. */
  quote(text: string): void {
    this.settle()
    this.#quoted.push(text)
    this.#quoted.end()
  }

  /** What the person said before. */
  said(text: string): void {
    this.settle()
    this.lines(saidLines(text, this.#columns()))
  }

  /** The person interrupts: told at once, also amid a line of text. */
  interrupting(text: string): void {
    this.settle()
    this.#options.output.progress(this.#own(text))
  }

  /** Shows what was thought in the last reply; false where there was nothing. */
  showThought(): boolean {
    if (this.#thought === '') return false
    this.#aside.push(this.#thought)
    this.#aside.end()
    return true
  }

  #beginReply(): void {
    this.#thoughtLength = 0
    this.#thinkingSince = undefined
    this.#hasText = false
    this.#writing = { name: '', length: 0 }
  }

  #delta(delta: ModelDelta): void {
    const { output, words } = this.#options
    switch (delta.kind) {
      case 'waiting':
        // A sign of life amid a line of text is none that needs to be shown.
        return this.#isIdle() ? output.progress(this.#own(words.queued)) : undefined
      case 'reasoning':
        return this.#think(delta.text)
      case 'text':
        return this.#say(delta.text)
      case 'call':
        this.settle()
        this.#writing = { name: terminalText(delta.name), length: 0 }
        return output.progress(this.#own(words.writingCall(this.#writing.name, 0)))
      case 'arguments': {
        const { name, length } = this.#writing
        this.#writing = { name, length: length + delta.text.length }
        return output.progress(this.#own(words.writingCall(name, this.#writing.length)))
      }
      case 'restart':
        this.settle()
        if (this.#hasText) this.remark(words.again, 'odd')
        return this.#beginReply()
      default:
        return delta satisfies never
    }
  }

  #think(text: string): void {
    const { clock, output, words } = this.#options
    this.#answer?.end()
    this.#thinkingSince ??= clock.now()
    // What was thought before stays to be shown until something else is.
    if (this.#thoughtLength === 0) this.#thought = ''
    this.#thoughtLength += text.length
    if (this.#thought.length < MAX_THOUGHT) this.#thought += text
    if (this.reasoning) this.#aside.push(text)
    else output.progress(this.#own(words.thinking(this.#thoughtLength)))
  }

  #say(text: string): void {
    const { output } = this.#options
    if (text === '') return
    this.#endThought()
    this.#hasText = true
    if (this.#options.text === 'none') return
    output.progress()
    if (this.#answer !== undefined) return this.#answer.push(text)
    output.piece(text)
    this.#endsLine = text.endsWith('\n')
  }

  /** A reply that did not come in pieces is shown now. */
  #replied({ message }: ModelReply): void {
    const { reasoning = '', text } = message
    if (this.#thoughtLength === 0 && reasoning !== '') this.#think(reasoning)
    if (!this.#hasText) this.#say(text)
    this.settle()
  }

  #endThought(): void {
    const { clock, words } = this.#options
    const since = this.#thinkingSince
    if (since === undefined) return
    this.#thinkingSince = undefined
    this.#options.output.progress()
    if (this.reasoning) return this.#aside.end()
    const seconds = secondsText(clock.now() - since)
    const text = words.thought(this.#thoughtLength, seconds, this.#hints.reasoning)
    this.lines(remark(text, this.#columns()))
  }

  /** Ends a line that is open; what comes of its text begins a new one. */
  #endOpen(): void {
    this.#answer?.end()
    this.#aside.end()
  }

  #isIdle(): boolean {
    return this.#answer?.isOpen !== true && !this.#aside.isOpen && this.#endsLine
  }

  #own(text: string): string {
    return `· ${text}`
  }

  #styled(text: string, style: LineStyle): string {
    if (!this.#options.output.noteColor || style === 'plain' || text === '') return text
    return `\u001b[${SGR[style]}m${text}\u001b[0m`
  }

  #columns(): number {
    return this.#options.output.noteColumns ?? PIPE_COLUMNS
  }
}
