/**
 * The loop: a model is asked, what it wants called is called through the host, it is told what came of it, and so on until it answers.
 * At each moment the transcript is one that a model can be given: whatever ends a run, the conversation can go on.
 *
 * It has no way to a tool but the host's gate, and sees a change of the tools only between two turns.
 */

import { systemClock, type Clock } from '../base/clock.ts'
import { asError, ModelError } from '../base/errors.ts'
import { AgentWire } from './agent-wire.ts'
import { Spending, type Budget } from './budget.ts'
import { runCalls, type Told } from './call-run.ts'
import { messageTokens } from './compaction.ts'
import type { ModelCall } from './conversation.ts'
import { EventFeed } from './event-feed.ts'
import type { AgentEnd, AgentEvent } from './events.ts'
import { Interruption } from './interruption.ts'
import { LoopGuard } from './loop-guard.ts'
import type { AgentOptions } from './loop-options.ts'
import { brokenOff, checkBeginning, LoopReport, unpriced, writtenAsText } from './loop-report.ts'
import { besidesOf, ConversationMemory, type Besides } from './memory.ts'
import type { ModelReply } from './model.ts'
import { isTooLong } from './models/model-failure.ts'
import { systemText } from './system-text.ts'
import { textLeak } from './text-leak.ts'
import { ask, requestOf, type CountLost, type TurnParts, type TurnWishes } from './turn.ts'
import type { TurnTools } from './turn-tools.ts'

/**
 * Runs until the model has answered or something ends it; `AgentEnd` is both the last event and what the generator returns. Nothing
 * that a model, a provider, a server or a tool does makes it throw. A turn begins when the events of the one before were taken;
 * leaving early ends the run as `signal` does. Throws a `UsageError` for options that cannot be meant.
 */
export async function* runAgent(options: AgentOptions): AsyncGenerator<AgentEvent, AgentEnd> {
  const feed = new EventFeed()
  const run = new AgentRun(options, feed)
  const ending = run.go()
  try {
    for (;;) {
      await feed.ready()
      const events = feed.take()
      if (events === undefined) break
      for (const event of events) yield event
      feed.dealtWith()
    }
    return await ending
  } finally {
    run.stop()
    feed.end()
    await ending
  }
}

/** Replies in a row that may be cut in the midst of their calls. */
const MAX_TRUNCATED = 3

/** Behind the conversation, where a reply was thrown away. */
const AS_TEXT =
  'A reply of yours to this was thrown away: it had a call of a tool written as text, and nothing was called. Call tools by real tool calls alone, or answer in plain words.'

interface Asked {
  readonly reply: ModelReply
  readonly besides: Besides
}

class AgentRun {
  readonly #options: AgentOptions
  readonly #feed: EventFeed
  readonly #clock: Clock
  readonly #interruption: Interruption
  readonly #spending: Spending
  readonly #guard = new LoopGuard()
  readonly #wire: AgentWire
  readonly #memory: ConversationMemory
  readonly #report: LoopReport
  #text = ''
  #truncated = 0
  /** A call as text was asked for again, and whether that is the next request. */
  #askedAgain: 'now' | 'before' | undefined
  #maxOutputTokens: number | undefined
  #isOver = false

  constructor(options: AgentOptions, feed: EventFeed) {
    const { clock = systemClock, transcript, wire, run = 'agent', budget = {} } = options
    checkBeginning(options)
    this.#options = options
    this.#feed = feed
    this.#clock = clock
    this.#spending = new Spending(budget, clock)
    this.#memory = ConversationMemory.of(transcript)
    this.#report = new LoopReport(feed, this.#memory)
    this.#maxOutputTokens = options.request?.maxOutputTokens
    this.#interruption = new Interruption(clock, { signal: options.signal, ms: budget.ms })
    this.#wire = new AgentWire(wire, clock, run)
  }

  /** Whoever waits for an end that is there already interrupts nothing. */
  stop(): void {
    if (!this.#isOver) this.#interruption.stop()
  }

  /** Never rejects. */
  async go(): Promise<AgentEnd> {
    let end: AgentEnd
    try {
      end = await this.#turns()
    } catch (error) {
      end = this.#failed(error)
    }
    this.#isOver = true
    this.#interruption.release()
    this.#wire.close()
    this.#feed.push({ type: 'end', end })
    this.#feed.end()
    return end
  }

  async #turns(): Promise<AgentEnd> {
    if (this.#isUnpriced()) return this.#end('budget', unpriced(this.#options))
    for (;;) {
      await this.#feed.seen()
      const halted = this.#halted()
      if (halted !== undefined) return halted
      const which = this.#spending.reached()
      if (which !== undefined) return this.#end('budget', { which })
      const end = await this.#one()
      this.#report.unwritten(this.#options.transcript)
      if (end !== undefined) return end
    }
  }

  /** One turn; gives the end when it is the last. */
  async #one(): Promise<AgentEnd | undefined> {
    const parts = this.#begin()
    const { reply, besides } = await this.#reply(parts)
    const { message, warnings, finish } = reply
    const { transcript, model, costOf } = this.#options
    const usage = reply.usage ?? {
      input: Math.ceil(this.#memory.expect(model, besides)),
      output: messageTokens(message),
    }
    const leak = leakOf(reply, parts)
    this.#text = leak === undefined ? message.text : message.text.slice(0, leak.at).trimEnd()
    if (leak === undefined) {
      transcript.append(message)
      this.#memory.learn({ usage: reply.usage, reply: message, model }, besides)
    }
    const usd = costOf?.(usage, model)
    this.#spending.addReply(usage, usd, reply.usage === undefined)
    this.#feed.push({ type: 'reply', turn: parts.turn, reply, usd })
    this.#report.warnings(warnings)
    if (leak !== undefined) return this.#leaked(parts)
    const { calls } = message
    if (calls.length === 0) return this.#answered(reply)
    const why = this.#whyNot(reply)
    const loops = await this.#run(calls, parts, why)
    const halted = this.#halted()
    if (halted !== undefined) return halted
    if (loops) return this.#end('loop')
    if (finish === 'filtered') return this.#end('filtered')
    if (finish === 'interrupted') return this.#end('model-error', brokenOff(this.#options))
    return this.#truncated >= MAX_TRUNCATED ? this.#end('length') : undefined
  }

  /** Asks the model, with less of the conversation where it is too long. */
  async #reply(parts: TurnParts): Promise<Asked> {
    const { model } = this.#options
    const wishes = this.#wishes(parts.tools)
    this.#spending.beginTurn()
    const besides = besidesOf(parts.tools, wishes.system)
    const room = { besides, reply: wishes.request.maxOutputTokens ?? 0 }
    this.#report.compacted(this.#memory.makeRoom(model, room))
    const asked = async (): Promise<Asked> => ({
      reply: await ask(parts, requestOf(parts, wishes), this.#counts(besides)),
      besides,
    })
    try {
      return await asked()
    } catch (error) {
      if (!(error instanceof ModelError && isTooLong(error)) || this.#interruption.over) throw error
      const compaction = this.#memory.makeRoom(model, { ...room, force: true })
      if (compaction === undefined) throw error
      this.#report.compacted(compaction)
      return await asked()
    }
  }

  /** Counts what a provider counts though no reply came of it: it was asked, and wrote something. */
  #counts(besides: Besides): CountLost {
    const { model, costOf } = this.#options
    return ({ usage, output, brokeOff, repeated }) => {
      if (usage === undefined && output === undefined) {
        if (brokeOff) this.#spending.addUncounted()
        return {}
      }
      const input = usage === undefined ? Math.ceil(this.#memory.expect(model, besides)) : 0
      const counted = usage ?? { input, output: output ?? 0 }
      const usd = costOf?.(counted, model)
      this.#spending.addReply(counted, usd, usage === undefined)
      if (repeated) this.#spending.beginTurn()
      return { usage: counted, ...(usd !== undefined && { usd }) }
    }
  }

  #begin(): TurnParts {
    const { transcript } = this.#options
    const turn = `t${transcript.beginTurn()}`
    this.#report.turn = turn
    this.#feed.push({ type: 'turn', turn })
    const tools = this.#memory.tools.turn(this.#options)
    const { changes, offered } = tools
    this.#report.leftOut(offered.leftOut)
    this.#report.notStrict(offered.notStrict)
    if (changes.added.length + changes.removed.length + changes.changed.length > 0)
      this.#feed.push({ type: 'tools', turn, changes })
    return {
      options: this.#options,
      turn,
      tools,
      feed: this.#feed,
      wire: this.#wire,
      interruption: this.#interruption,
    }
  }

  #wishes({ instructions }: TurnTools): TurnWishes {
    const { system, provenance, request = {} } = this.#options
    const isAgain = this.#askedAgain === 'now'
    if (isAgain) this.#askedAgain = 'before'
    const { choice, ...rest } = request
    const isForced = choice === 'required' || typeof choice === 'object'
    const isFirst = this.#spending.turns === 0
    return {
      system: systemText(system, instructions, { provenance }),
      ...(isAgain && { note: AS_TEXT }),
      request: {
        ...rest,
        ...(choice !== undefined && (isFirst || !isForced) && { choice }),
        ...(this.#maxOutputTokens !== undefined && { maxOutputTokens: this.#maxOutputTokens }),
      },
    }
  }

  #run(calls: readonly ModelCall[], parts: TurnParts, why: string | undefined): Promise<boolean> {
    const { transcript } = this.#options
    return runCalls(
      calls,
      {
        guard: this.#guard,
        spending: this.#spending,
        clock: this.#clock,
        warn: (kind, message) => this.#report.warn(kind, message),
        taken: ({ id, name }: ModelCall, { text, images, failed }: Told) =>
          transcript.append({
            role: 'tool',
            callId: id,
            name,
            text,
            ...(images.length > 0 && { images }),
            failed,
          }),
        ...parts,
      },
      why,
    )
  }

  /** Why none of the calls of a reply is made; undefined where they may be. */
  #whyNot({ finish }: ModelReply): string | undefined {
    if (finish === 'stop' || finish === 'tool-calls' || finish === 'other') {
      this.#truncated = 0
      return undefined
    }
    if (finish !== 'length') return 'Not called: the reply was broken off before it was whole.'
    this.#truncated += 1
    this.#report.warn(
      'truncated',
      'The reply was cut at the limit of its length; its calls were not made.',
    )
    // A limit of our own was too low; one of the provider's cannot be raised.
    if (this.#truncated === 1 && this.#maxOutputTokens !== undefined) this.#maxOutputTokens *= 2
    return 'Not called: your reply was cut at the limit of its length, so that this call may be half of what you meant. Make it again, alone and shorter, or in several steps.'
  }

  /** There is a limit of money, and nobody knows what a reply costs. */
  #isUnpriced(): boolean {
    const { budget, costOf, model } = this.#options
    return budget?.usd !== undefined && costOf?.({ input: 0, output: 0 }, model) === undefined
  }

  /** The reply is not kept: a model that reads a call as text writes the next one so. */
  #leaked({ turn }: TurnParts): AgentEnd | undefined {
    const halted = this.#halted()
    if (halted !== undefined) return halted
    if (this.#askedAgain !== undefined)
      return this.#end('model-error', writtenAsText(this.#options))
    this.#askedAgain = 'now'
    this.#text = ''
    this.#feed.push({ type: 'delta', turn, delta: { kind: 'restart' } })
    this.#report.warn(
      'asked-again',
      'The model wrote a call of a tool as text; nothing was called, and it is asked once more.',
    )
    return undefined
  }

  #answered({ message, finish }: ModelReply): AgentEnd {
    if (this.#interruption.stopped) return this.#end('cancelled')
    if (finish === 'length' || finish === 'filtered') return this.#end(finish)
    if (finish === 'interrupted') return this.#end('model-error', brokenOff(this.#options))
    if (message.text.trim() === '')
      this.#report.warn('empty-reply', 'The model answered without any text.')
    return this.#end('done')
  }

  #failed(thrown: unknown): AgentEnd {
    return this.#halted() ?? this.#end('model-error', { error: asError(thrown) })
  }

  /** The end that came from outside, or with the time. */
  #halted(): AgentEnd | undefined {
    if (this.#interruption.stopped) return this.#end('cancelled')
    return this.#interruption.timedOut ? this.#end('budget', { which: 'ms' }) : undefined
  }

  #end(
    reason: AgentEnd['reason'],
    facts: { readonly error?: Error; readonly which?: keyof Budget } = {},
  ): AgentEnd {
    const { turns, usage, usd, estimated, uncounted } = this.#spending
    const sum = {
      turns,
      usage,
      ...(estimated && { estimated: true as const }),
      ...(uncounted > 0 && { uncounted }),
      usd,
    }
    return { reason, text: this.#text, ...facts, ...sum }
  }
}

/** A call in the text of a reply that is whole and calls nothing, where there is something to call. */
function leakOf(
  { message, finish }: ModelReply,
  { tools }: TurnParts,
): { readonly at: number } | undefined {
  if (message.calls.length > 0 || tools.offered.tools.length === 0) return undefined
  const isWhole = finish === 'stop' || finish === 'tool-calls' || finish === 'other'
  return isWhole ? textLeak(message.text) : undefined
}
