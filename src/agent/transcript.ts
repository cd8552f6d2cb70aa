/**
 * The transcript of a conversation: what was said so far, in the form in which a model may be given it at any moment, and each
 * change of it as one line that is only ever added. Read again, the lines give the same conversation, also when the program
 * was killed between two of them.
 *
 * Each call of a reply has exactly one tool message behind it, in the order of the calls: what is missing is filled in.
 * Files are opened elsewhere.
 */

import { asError, UsageError } from '../base/errors.ts'
import type {
  AssistantMessage,
  Message,
  ModelCall,
  Part,
  ToolMessage,
  UserMessage,
} from './conversation.ts'
import { ReadBefore } from './read-before.ts'
import { readLine, writeLine, type TranscriptLine } from './transcript-lines.ts'

export interface TranscriptOptions {
  /**
   * Takes each line, with its line end, before anything follows from it. What it throws is kept in `failure`, and
   * the conversation goes on without being written. Default: nothing is written.
   */
  readonly write?: (line: string) => void
}

/** A line that was left out, from 1. */
export interface TranscriptProblem {
  readonly line: number
  readonly message: string
}

/** What a model is told of a call whose end was not written down. */
export const INTERRUPTED =
  'Interrupted: the program ended before the result was there. Whether the call took effect is not known.'

export class Transcript {
  readonly #write: ((line: string) => void) | undefined
  #messages: Message[] = []
  /** What was handed out, until something changes. */
  #view: readonly Message[] | undefined
  /** Calls of the last reply, in order, and how many of them have their tool message. */
  #calls: readonly ModelCall[] = []
  #answered = 0
  readonly #callIds = new Set<string>()
  readonly #read = new ReadBefore()
  #turns = 0
  /** What was left out, in numbers. */
  #dropped = { messages: 0, replies: 0 }
  #failure: Error | undefined
  #isHeaded = false

  constructor(options: TranscriptOptions = {}) {
    this.#write = options.write
  }

  /**
   * Brings back a conversation from its lines. Lines that cannot be read are left out and told. With `write` the rest of
   * the conversation is written behind them.
   */
  static read(
    text: string,
    options: TranscriptOptions = {},
  ): { readonly transcript: Transcript; readonly problems: readonly TranscriptProblem[] } {
    const transcript = new Transcript(options)
    const problems: TranscriptProblem[] = []
    let line = 0
    for (let at = 0; at < text.length;) {
      const newline = text.indexOf('\n', at)
      const end = newline < 0 ? text.length : newline
      const content = text.slice(at, end)
      at = end + 1
      line += 1
      if (content.trim() === '') continue
      const read = readLine(content)
      const message = read !== undefined && 'bad' in read ? read.bad : transcript.#replay(read)
      if (message !== undefined) problems.push({ line, message })
    }
    transcript.#isHeaded = line > 0
    // A line that was cut off must not take the next one with it.
    if (text !== '' && !text.endsWith('\n')) transcript.#put('\n')
    transcript.#fillIn()
    return { transcript, problems }
  }

  /** What was said, as a model may be given it, without the system's message. The list stays as it is when something is added. */
  get messages(): readonly Message[] {
    this.#view ??= this.#given()
    return this.#view
  }

  /** Requests to the model so far, those included that are left out by now. */
  get turns(): number {
    return this.#turns
  }

  /** Calls of the last reply that were not answered yet, by id and in order. */
  get openCalls(): readonly string[] {
    return this.#open().map(({ id }) => id)
  }

  /** Why the conversation is not written down any more. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Whether a call of this id was made before. */
  hasCall(id: string): boolean {
    return this.#callIds.has(id)
  }

  /**
   * Aliases of the tools whose results are in the conversation, or were before they were left out; not those before a `clear`.
   * `known` are the tools that there are now, so that a name that never was one is not counted.
   */
  toolsRead(known: ReadonlySet<string>): readonly string[] {
    return this.#read.aliases(known)
  }

  /** The user says something. Calls that are open are answered as interrupted. */
  say(content: string | readonly Part[]): void {
    const parts: readonly Part[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    this.append({ role: 'user', parts })
  }

  /**
   * Adds a message. Throws a `UsageError` for a tool message that is not the next that is owed, and for a call whose id was
   * there before.
   */
  append(message: Message): void {
    const problem = this.#problemOf(message)
    if (problem !== undefined) throw new UsageError(problem)
    if (message.role !== 'tool') this.#fillIn()
    this.#line({ type: 'message', message })
    this.#take(message)
  }

  /** A request to the model begins. Gives its number, from 1, which is never given again. */
  beginTurn(): number {
    this.#turns += 1
    this.#line({ type: 'turn', turn: this.#turns })
    return this.#turns
  }

  /** Leaves out `count` messages from the place `from` on. Calls and their messages go together or not at all. */
  compact(from: number, count: number): void {
    if (this.#breaks(from, count))
      throw new UsageError('A reply and the results of its calls are left out together.')
    this.#line({ type: 'compacted', from, messages: count })
    this.#drop(from, count)
  }

  /** Begins anew: nothing of what was said is sent any more. */
  clear(): void {
    this.#line({ type: 'cleared' })
    this.#clear()
  }

  /** The call whose tool message is owed next. */
  get #next(): ModelCall | undefined {
    return this.#calls[this.#answered]
  }

  #open(): readonly ModelCall[] {
    return this.#calls.slice(this.#answered)
  }

  #given(): readonly Message[] {
    const messages = [...this.#messages]
    for (const call of this.#open()) messages.push(interrupted(call))
    const [first] = messages
    if (this.#dropped.messages > 0 && first?.role === 'user') messages[0] = this.#noticed(first)
    return messages
  }

  #replay(line: TranscriptLine | undefined): string | undefined {
    switch (line?.type) {
      case undefined:
      case 'transcript':
        return undefined
      case 'turn':
        this.#turns = Math.max(this.#turns, line.turn)
        return undefined
      case 'message': {
        const { message } = line
        const problem = this.#problemOf(message)
        // Replies may be made of it, though the line of its call is damaged.
        if (problem !== undefined && message.role === 'tool') this.#read.add(message, undefined)
        if (problem !== undefined) return problem
        if (message.role !== 'tool') this.#fillIn()
        this.#take(message)
        return undefined
      }
      case 'compacted':
        if (this.#breaks(line.from, line.messages)) return 'it leaves out what belongs together'
        this.#drop(line.from, line.messages)
        return undefined
      case 'cleared':
        this.#clear()
        return undefined
      default:
        return line satisfies never
    }
  }

  #problemOf(message: Message): string | undefined {
    if (message.role === 'system') return 'A transcript holds no message of the system.'
    if (message.role === 'tool' && message.callId !== this.#next?.id)
      return `The call ${JSON.stringify(message.callId.slice(0, 100))} is not the next that waits for its result.`
    if (message.role !== 'assistant') return undefined
    const ids = message.calls.map(({ id }) => id)
    if (new Set(ids).size === ids.length && !ids.some((id) => this.#callIds.has(id)))
      return undefined
    return 'A call has the id of another one.'
  }

  #take(message: Message): void {
    this.#view = undefined
    if (message.role === 'tool') {
      this.#read.add(message, this.#next)
      this.#answered += 1
    }
    this.#messages.push(message)
    if (message.role !== 'assistant') return
    this.#calls = message.calls
    this.#answered = 0
    for (const { id } of message.calls) this.#callIds.add(id)
  }

  /** Not written down: read again, the same gap is filled in the same way. */
  #fillIn(): void {
    for (let call = this.#next; call !== undefined; call = this.#next) this.#take(interrupted(call))
  }

  /** Whether leaving these out would part calls from their results, or is not possible at all. */
  #breaks(from: number, count: number): boolean {
    const end = from + count
    if (end > this.#messages.length || this.#next !== undefined) return true
    return this.#messages[from]?.role === 'tool' || this.#messages[end]?.role === 'tool'
  }

  #drop(from: number, count: number): void {
    this.#view = undefined
    const gone = this.#messages.splice(from, count)
    this.#dropped = {
      messages: this.#dropped.messages + gone.length,
      replies: this.#dropped.replies + gone.filter(isReply).length,
    }
  }

  #clear(): void {
    this.#view = undefined
    this.#messages = []
    this.#calls = []
    this.#read.clear()
    this.#dropped = { messages: 0, replies: 0 }
  }

  /** The message with a word before it about what is not there any more. */
  #noticed(message: UserMessage): UserMessage {
    const { messages, replies } = this.#dropped
    const notice = `[Earlier parts of this conversation were left out to make room: ${messages} messages, ${replies} of them replies. What is missing can be asked for or looked up again.]`
    const [first, ...rest] = message.parts
    const parts: readonly Part[] =
      first?.type === 'text'
        ? [{ type: 'text', text: `${notice}\n\n${first.text}` }, ...rest]
        : [{ type: 'text', text: notice }, ...message.parts]
    return { role: 'user', parts }
  }

  #line(line: TranscriptLine): void {
    if (this.#write === undefined || this.#failure !== undefined) return
    if (!this.#isHeaded) {
      this.#isHeaded = true
      this.#put(writeLine({ type: 'transcript', version: 1 }))
    }
    this.#put(writeLine(line))
  }

  #put(text: string): void {
    if (this.#write === undefined || this.#failure !== undefined) return
    try {
      this.#write(text)
    } catch (error) {
      this.#failure = asError(error)
    }
  }
}

function interrupted({ id, name }: ModelCall): ToolMessage {
  return { role: 'tool', callId: id, name, text: INTERRUPTED, failed: true }
}

function isReply(message: Message): message is AssistantMessage {
  return message.role === 'assistant'
}
