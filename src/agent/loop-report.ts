/**
 * What a run says beside its steps: what was left out, what could not be kept, and why it cannot begin or go on. Each thing is told once
 * for a conversation. It decides nothing.
 */

import { ModelError, UsageError } from '../base/errors.ts'
import type { Compaction } from './compaction.ts'
import type { EventFeed } from './event-feed.ts'
import type { AgentWarningKind } from './events.ts'
import type { AgentOptions } from './loop-options.ts'
import type { ConversationMemory } from './memory.ts'
import type { ModelWarning } from './model.ts'
import type { LeftOutTool } from './offered-tools.ts'
import type { Transcript } from './transcript.ts'

/** Tools that are left out, and warnings of replies, of which is told. */
const MAX_TOLD = 1_000

/** Warnings that say something else each time, and mean the same. */
const EACH_ITS_OWN: ReadonlySet<AgentWarningKind> = new Set(['made-id', 'cut-prompt'])

export class LoopReport {
  readonly #feed: EventFeed
  readonly #memory: ConversationMemory
  /** The turn that everything belongs to. */
  turn = ''

  constructor(feed: EventFeed, memory: ConversationMemory) {
    this.#feed = feed
    this.#memory = memory
  }

  warn(kind: AgentWarningKind, message: string): void {
    this.#feed.push({ type: 'warning', turn: this.turn, kind, message })
  }

  /** What a reply has of warnings, each thing once: a provider that does something does it every time. */
  warnings(warnings: readonly ModelWarning[]): void {
    const { toldWarnings } = this.#memory
    for (const { kind, message } of warnings) {
      const key = EACH_ITS_OWN.has(kind) ? kind : `${kind} ${message}`
      if (toldWarnings.has(key) || toldWarnings.size >= MAX_TOLD) continue
      toldWarnings.add(key)
      this.warn(kind, key === 'made-id' ? `${message} More of such calls are not told.` : message)
    }
  }

  compacted(compaction: Compaction | undefined): void {
    if (compaction === undefined) return
    const { messages, replies } = compaction
    this.#feed.push({ type: 'compacted', turn: this.turn, turns: replies, messages })
  }

  /** Once for each tool and reason. */
  leftOut(tools: readonly LeftOutTool[]): void {
    const { toldLeftOut } = this.#memory
    for (const { alias, reason } of tools) {
      const message = `The tool ${alias} is not offered to the model: ${reason}`
      if (toldLeftOut.has(message) || toldLeftOut.size >= MAX_TOLD) continue
      toldLeftOut.add(message)
      this.warn('left-out', message)
    }
  }

  /** Once for each tool: the first of them, which is enough to forbid it. */
  notStrict([first]: readonly LeftOutTool[]): void {
    const { toldNotStrict } = this.#memory
    if (first === undefined || toldNotStrict.has(first.alias)) return
    if (toldNotStrict.size >= MAX_TOLD) return
    toldNotStrict.add(first.alias)
    this.warn(
      'not-strict',
      `The tools are not sent as strict because of ${first.alias}. ${first.reason}`,
    )
  }

  unwritten({ failure }: Transcript): void {
    if (failure === undefined || this.#memory.toldUnwritten) return
    this.#memory.toldUnwritten = true
    this.warn('transcript', `The conversation is not written down any more: ${failure.message}`)
  }
}

/** A reply that is not whole, though the provider said so itself. */
export function brokenOff({ model: { provider, name } }: AgentOptions): {
  readonly error: ModelError
} {
  const message = `${provider} broke off in the midst of a reply of ${name}. Ask again; what was said so far is kept.`
  const detail = { kind: 'model-cut', kept: true } as const
  return { error: new ModelError('DP_MODEL_CUT', message, { provider, retryable: true, detail }) }
}

/** A call that was written as text, and once more when it was asked for again. */
export function writtenAsText({ model: { provider } }: AgentOptions): {
  readonly error: ModelError
} {
  const message = `${provider} wrote a call of a tool as text, and did so again when it was asked once more; nothing was called. Ask again, or use another model.`
  const detail = { kind: 'model-leaked' } as const
  return { error: new ModelError('DP_MODEL_UNREADABLE', message, { provider, detail }) }
}

/** A limit of money that cannot be kept. */
export function unpriced({ model: { provider, name } }: AgentOptions): {
  readonly which: 'usd'
  readonly error: UsageError
} {
  const message = `What ${name} of ${provider} costs is not known, so that a limit in US dollars cannot be kept. Give its price, or a limit in tokens.`
  const detail = { kind: 'model-unpriced', model: name } as const
  return { which: 'usd', error: new UsageError(message, { detail }) }
}

/** Throws a `UsageError` unless there is something to answer and the options can be meant. */
export function checkBeginning({ transcript, concurrency }: AgentOptions): void {
  const last = transcript.messages.at(-1)
  if (last === undefined || last.role === 'assistant')
    throw new UsageError(
      'There is nothing to answer: add what the user says with transcript.say() first.',
    )
  if (concurrency !== undefined && !(Number.isSafeInteger(concurrency) && concurrency >= 1))
    throw new UsageError(`"concurrency" must be a whole number from 1 on, not ${concurrency}.`)
}
