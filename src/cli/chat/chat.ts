/**
 * A conversation at a terminal or over standard input: what a person writes goes to the model or to the program, and what comes
 * of it is shown. An interrupted model takes nothing with it: the conversation goes on.
 */

import { runAgent } from '../../agent/loop.ts'
import { textLeak } from '../../agent/text-leak.ts'
import type { AgentEnd } from '../../agent/events.ts'
import type { Clock } from '../../base/clock.ts'
import { spentWith } from '../agent-outcome.ts'
import { showEvent } from '../agent-records.ts'
import { askedModel, type AgentRoom } from '../agent-room.ts'
import { budgetOf, requestOf } from '../agent-options.ts'
import { titleOf } from '../agent-sessions.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { failureLines } from '../failure.ts'
import { toldModelError } from '../model-away.ts'
import { endWords, hasSpent, spentFacts } from './event-lines.ts'
import type { AgentView } from './agent-view.ts'
import { slashWish } from './slash-commands.ts'
import { runSlash } from './slash-runner.ts'
import { UnfinishedReply } from './unfinished-reply.ts'

/** Where messages come from, and who may interrupt what follows. */
export interface ChatInput {
  /** The next one; undefined at the end. */
  next(): Promise<string | undefined>
  /** Runs something that the person may interrupt: `work` hears of it by its signal. */
  interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>
  /** Whether a person is there, who can go on after a failure. */
  readonly isPerson: boolean
  /** Whether more was said already than was taken. */
  hasMore?(): Promise<boolean>
}

export interface ChatParts {
  readonly room: AgentRoom
  readonly view: AgentView
  readonly input: ChatInput
  readonly clock: Clock
}

export class Chat {
  readonly #parts: ChatParts
  readonly #created: number
  #title: string
  #messages: number

  constructor(parts: ChatParts) {
    const { before } = parts.room
    this.#parts = parts
    this.#created = before?.created ?? parts.clock.wall()
    this.#title = before?.title ?? ''
    this.#messages = before?.messages ?? 0
  }

  /** Goes on until there is no next message, or a failure that nobody is there to deal with. */
  async run(): Promise<void> {
    const { room, input } = this.#parts
    const { signal } = room.run.invocation
    for (;;) {
      const text = await input.next()
      if (text === undefined || signal.aborted) return
      if (text.trim() === '') continue
      const goesOn = await this.#take(text)
      if (!goesOn) return
      signal.throwIfAborted()
    }
  }

  /** False when the chat ends. */
  async #take(text: string): Promise<boolean> {
    const { room, view } = this.#parts
    const wish = slashWish(text)
    switch (wish.kind) {
      case 'message':
        return this.#say(wish.text)
      case 'unknown': {
        view.remark(room.run.own.chat.unknownCommand(wish.word, wish.near), 'odd')
        return true
      }
      case 'command':
        if (wish.command === 'exit') return false
        return this.#command(wish.command, wish.argument)
      default:
        return wish satisfies never
    }
  }

  async #command(
    command: Exclude<Parameters<typeof runSlash>[0], 'exit'>,
    argument: string,
  ): Promise<boolean> {
    const { room, view, input } = this.#parts
    try {
      await input.interruptible((signal) => runSlash(command, argument, { room, view, signal }))
    } catch (error) {
      this.#tell(error)
    }
    return true
  }

  async #say(text: string): Promise<boolean> {
    const { room, view, input, clock } = this.#parts
    const { transcript, run } = room
    const over = this.#exhausted()
    if (over !== undefined) {
      const { json, output } = run.invocation
      if (json) output.noteJson({ exhausted: over })
      else view.remark(run.own.chat.spentAll(over), 'odd')
      return input.isPerson
    }
    if (this.#title === '') this.#title = titleOf(text, run.invocation.mask)
    this.#messages += 1
    transcript.say(text)
    await this.#keep()
    const began = clock.now()
    const end = await input.interruptible((signal) => this.#ask(signal))
    room.spent = spentWith(room.spent, end)
    await this.#keep()
    return this.#tellEnd(end, clock.now() - began)
  }

  async #ask(signal: AbortSignal): Promise<AgentEnd> {
    const { room, view } = this.#parts
    const { options, host, transcript, system, artifacts, wire, runId, model } = room
    const { invocation } = room.run
    const left = this.#budgetLeft()
    const events = runAgent({
      model: model.model,
      host,
      transcript,
      system,
      budget: left,
      costOf: room.costs.costOf,
      signal,
      artifacts,
      ...(options.strict === true && { strict: 'auto' as const }),
      ...(options.markResults === true && { provenance: true }),
      ...(options.discovery !== undefined && { discovery: options.discovery }),
      request: requestOf(options),
      wire,
      run: runId,
    })
    const unfinished = new UnfinishedReply()
    for (;;) {
      const { done, value } = await events.next()
      if (done === true) {
        this.#keepText(unfinished.text)
        return value
      }
      unfinished.hear(value)
      if (invocation.json) showEvent(invocation, value, options)
      else view.show(value)
    }
  }

  /** What the person saw of a reply that was broken off is a part of the conversation: whoever says "go on" means it. */
  #keepText(text: string): void {
    const said = text.slice(0, textLeak(text)?.at).trimEnd()
    if (said !== '')
      this.#parts.room.transcript.append({ role: 'assistant', text: said, calls: [] })
  }

  /** The limits of one message, of which tokens and money hold for the whole chat. */
  #budgetLeft(): ReturnType<typeof budgetOf> {
    const { options, spent } = this.#parts.room
    const budget = budgetOf(options)
    const { tokens, usd } = budget
    const used = spent.usage.input + spent.usage.output
    return {
      ...budget,
      ...(tokens !== undefined && { tokens: Math.max(0, tokens - used) }),
      ...(usd !== undefined && { usd: Math.max(0, usd - (spent.usd ?? usd)) }),
    }
  }

  /** The option of which nothing is left. */
  #exhausted(): string | undefined {
    const { tokens, usd } = this.#budgetLeft()
    if (tokens === 0) return '--budget-tokens'
    return usd === 0 ? '--budget-usd' : undefined
  }

  /** What is told of the session, written down so that it is found after a kill as well. */
  async #keep(): Promise<void> {
    const { room, clock } = this.#parts
    await room.session?.tell({
      kind: 'chat',
      created: this.#created,
      updated: clock.wall(),
      ...askedModel(room),
      folder: process.cwd(),
      title: this.#title,
      messages: this.#messages,
      spent: room.spent,
    })
  }

  /** False when the chat cannot go on. */
  async #tellEnd(end: AgentEnd, ms: number): Promise<boolean> {
    const { room, view, input } = this.#parts
    const { own, invocation } = room.run
    view.settle()
    if (end.reason === 'model-error' && end.error !== undefined) {
      if (!input.isPerson) {
        const { error, title } = toldModelError(end.error, own, invocation.messages)
        invocation.fail(error, exitCodeOf(error), title)
        if ((await input.hasMore?.()) === true && !invocation.json)
          view.remark(own.chat.unsaid, 'odd')
        return false
      }
      this.#tell(end.error)
    }
    if (invocation.json) return true
    const words =
      end.reason === 'cancelled' && input.isPerson ? own.chat.interrupted : endWords(end, own.view)
    if (words !== undefined) view.remark(words, 'odd')
    if (end.reason === 'done' && end.text.trim() === '') view.remark(own.view.empty, 'odd')
    if (hasSpent(end)) view.remark(own.view.spent(spentFacts(end, ms)))
    return true
  }

  #tell(error: unknown): void {
    const { room, view } = this.#parts
    const { invocation } = room.run
    const told = toldModelError(error, room.run.own, invocation.messages)
    for (const line of failureLines(told.error, invocation.messages, told.title))
      view.remark(line, 'bad')
  }
}
