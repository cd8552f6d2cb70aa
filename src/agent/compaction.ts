/**
 * What is left out of a conversation that is too long for the model's window. Only whole pieces go, oldest first: what a user said
 * with all that followed on it, and where one such piece is too long alone, replies of it together with the results of their
 * calls. Nothing is ever shortened: a provider that wants reasoning back wants all of it.
 *
 * Here it is planned; it is done by the transcript, which tells the model.
 */

import type { Message } from './conversation.ts'
import { estimateTokens } from './token-estimate.ts'
import type { Transcript } from './transcript.ts'

/** A stretch of messages to leave out. */
export interface Omission {
  readonly from: number
  readonly count: number
  /** Replies of a model among them. */
  readonly replies: number
}

export interface CompactionOptions {
  /** Tokens that all messages may have together. */
  readonly target: number
  /** Tokens of one message. Default: an estimate. */
  readonly tokensOf?: (message: Message) => number
}

/** What the user said last stays, and so do the last replies, of which the model may not have seen the results. */
const LAST_REPLIES = 2
/** What an image costs, about. */
const IMAGE_TOKENS = 1_000
/** The frame of a message. */
const MESSAGE_TOKENS = 4

const estimates = new WeakMap<Message, number>()

/** Tokens of a message, about; remembered for as long as the message lives. */
export function messageTokens(message: Message): number {
  const before = estimates.get(message)
  if (before !== undefined) return before
  const tokens = MESSAGE_TOKENS + contentTokens(message)
  estimates.set(message, tokens)
  return tokens
}

/**
 * The stretches to leave out, one after the other, so that the rest comes to the target or as near as it can; empty when nothing
 * can go. `from` of the second counts without what the first leaves out.
 */
export function planCompaction(
  messages: readonly Message[],
  { target, tokensOf = messageTokens }: CompactionOptions,
): readonly Omission[] {
  const tail = tailSums(messages.map(tokensOf))
  const places = (role: Message['role'], after: number): number[] =>
    messages.flatMap((message, at) => (message.role === role && at > after ? [at] : []))
  const users = places('user', -1)
  const last = users.at(-1) ?? 0
  const end = users.find((at) => (tail[at] ?? 0) <= target) ?? last
  const replies = places('assistant', last)
  const saidLast = (tail[last] ?? 0) - (tail[last + 1] ?? 0)
  const inner =
    (tail[end] ?? 0) <= target
      ? last + 1
      : (replies.find((at) => saidLast + (tail[at] ?? 0) <= target) ?? replies.at(-LAST_REPLIES))
  const latest = replies.at(-LAST_REPLIES) ?? last + 1
  const stretches = [
    { from: 0, end, shift: 0 },
    { from: last + 1, end: Math.min(inner ?? latest, latest), shift: end },
  ]
  return stretches
    .filter((one) => one.end > one.from)
    .map((one) => ({
      from: one.from - one.shift,
      count: one.end - one.from,
      replies: messages.slice(one.from, one.end).filter(({ role }) => role === 'assistant').length,
    }))
}

/** What was left out. */
export interface Compaction {
  readonly messages: number
  /** Replies of a model among them. */
  readonly replies: number
}

/**
 * Leaves out old parts of a conversation until it comes to the target, or as near as it can. Default: half of what it has now.
 * Undefined when nothing can go.
 */
export function compact(
  transcript: Transcript,
  options: Partial<CompactionOptions> = {},
): Compaction | undefined {
  const { messages } = transcript
  const { tokensOf = messageTokens } = options
  const target = options.target ?? sumOver(messages, tokensOf) / 2
  const plan = planCompaction(messages, { target, tokensOf })
  for (const { from, count } of plan) transcript.compact(from, count)
  if (plan.length === 0) return undefined
  return {
    messages: sumOver(plan, ({ count }) => count),
    replies: sumOver(plan, ({ replies }) => replies),
  }
}

/** For each place the sum from there to the end, and 0 behind it. */
function tailSums(values: readonly number[]): readonly number[] {
  const sums = Array.from({ length: values.length + 1 }, () => 0)
  for (let at = values.length - 1; at >= 0; at -= 1)
    sums[at] = (sums[at + 1] ?? 0) + (values[at] ?? 0)
  return sums
}

function contentTokens(message: Message): number {
  switch (message.role) {
    case 'system':
      return estimateTokens(message.text)
    case 'user':
      return sumOver(message.parts, (part) =>
        part.type === 'text' ? estimateTokens(part.text) : IMAGE_TOKENS,
      )
    case 'assistant':
      return (
        estimateTokens(message.text) +
        estimateTokens(message.reasoning ?? '') +
        sumOver(message.calls, ({ name, argumentsText }) => estimateTokens(name + argumentsText)) +
        estimateTokens(message.kept === undefined ? '' : JSON.stringify(message.kept.items))
      )
    case 'tool':
      return estimateTokens(message.text) + (message.images ?? []).length * IMAGE_TOKENS
    default:
      return message satisfies never
  }
}

function sumOver<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0)
}
