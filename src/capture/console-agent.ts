/**
 * What an agent and its host note on the wire, as lines: requests to the model with `→`, its replies with `←`, and between them which
 * tool was meant, what was decided, and what the model was shown.
 *
 * Members are looked at as a stranger's, for a capture may be anybody's.
 */

import type { JsonObject } from '../base/json.ts'
import type { WireNoteEvent } from '../jsonrpc/wire.ts'
import { utf8Length } from './checksum.ts'
import type { ConsoleWords } from './console-words.ts'
import { byteCount, dim, milliseconds, plain, type Piece } from './console-pieces.ts'
import type { PendingRequests } from './pending.ts'

/** Why a call was allowed or refused, and by whom, by the codes that a decision has. */
export interface DecisionWords {
  readonly reasons: Readonly<Record<string, string>>
  readonly by: Readonly<Record<string, string>>
  /** A rule in other words than those of the record. Default: as it is there. */
  readonly rule?: (text: string) => string
}

export interface AgentLines {
  readonly words: ConsoleWords
  /** Makes a stranger's text fit for a line. */
  readonly peer: (text: string) => string
  readonly pending: PendingRequests
  readonly decisions: DecisionWords
}

/** The line of a note; undefined for one that is not of an agent. */
export function agentPieces(event: WireNoteEvent, lines: AgentLines): readonly Piece[] | undefined {
  switch (event.note.kind) {
    case 'model-request':
      return requestPieces(event, lines)
    case 'model-reply':
      return replyPieces(event, lines)
    case 'model-retry':
      return retryPieces(event, lines)
    case 'tool-call':
      return callPieces(event, lines)
    case 'tool-result':
      return toldPieces(event, lines)
    case 'decision':
      return decisionPieces(event, lines)
    default:
      return undefined
  }
}

function requestPieces(
  event: WireNoteEvent,
  { words, peer, pending }: AgentLines,
): readonly Piece[] {
  const { data = {}, text = '' } = event.note
  pending.asked({ ...event, direction: 'out' }, legId(event), '')
  return [
    plain(`→ ${words.modelRequest} ${turnOf(event, peer)}`),
    { text: peer(textOf(data['model'])), style: 'cyan' },
    plain(` ${byteCount(utf8Length(text))}`),
    dim(` ${peer(text)}`),
  ]
}

function replyPieces(event: WireNoteEvent, { words, peer, pending }: AgentLines): readonly Piece[] {
  const { data = {}, text = '' } = event.note
  const asked = pending.answered({ ...event, direction: 'in' }, legId(event))
  const { status, finish, finishText } = data
  const ended = textOf(finishText) === '' ? textOf(finish) : textOf(finishText)
  return [
    plain(`← ${words.modelReply} ${turnOf(event, peer)}`),
    { text: String(numberOf(status)), style: numberOf(status) < 400 ? 'green' : 'red' },
    plain(ended === '' ? '' : ` ${peer(ended)}`),
    plain(asked === undefined ? '' : ` ${milliseconds(event.at - asked.at)}`),
    plain(` ${byteCount(utf8Length(text))}`),
    dim(` ${peer(text)}`),
  ]
}

function retryPieces(event: WireNoteEvent, { words, peer }: AgentLines): readonly Piece[] {
  const { delayMs, why } = event.note.data ?? {}
  return [
    { text: `· ${words.modelRetry} `, style: 'yellow' },
    plain(turnOf(event, peer)),
    plain(`${milliseconds(numberOf(delayMs))} `),
    dim(words.quoted(peer(textOf(why)))),
  ]
}

function callPieces(event: WireNoteEvent, { words, peer }: AgentLines): readonly Piece[] {
  const { alias, argumentsText } = event.note.data ?? {}
  return [
    plain(`· ${words.toolCall} ${callOf(event, peer)}`),
    { text: peer(textOf(alias)), style: 'cyan' },
    dim(` ${peer(textOf(argumentsText))}`),
  ]
}

function decisionPieces(
  event: WireNoteEvent,
  { words, peer, decisions }: AgentLines,
): readonly Piece[] {
  const { verdict, reason, rule, by, alias } = event.note.data ?? {}
  const isYes = verdict === 'allow'
  const { reasons, rule: inWords = (text: string) => text } = decisions
  const why = [wordFor(reasons, reason), textOf(rule) === '' ? '' : inWords(textOf(rule))]
    .filter((part) => part !== '')
    .join(': ')
  return [
    plain(`· ${words.decision} ${callOf(event, peer)}`),
    { text: peer(textOf(alias)), style: 'cyan' },
    { text: ` ${isYes ? words.allowed : words.refused}`, style: isYes ? 'green' : 'red' },
    plain(` (${peer(wordFor(decisions.by, by))})`),
    dim(` ${peer(why)}`),
  ]
}

/** A code that is not known is shown as it came. */
function wordFor(words: Readonly<Record<string, string>>, code: JsonObject[string]): string {
  const text = textOf(code)
  return Object.hasOwn(words, text) ? (words[text] ?? text) : text
}

function toldPieces(event: WireNoteEvent, { words, peer }: AgentLines): readonly Piece[] {
  const { data = {}, text = '' } = event.note
  const { bytes, shownBytes, artifact, failed } = data
  const all = numberOf(bytes)
  const shown = numberOf(shownBytes)
  return [
    plain(`· ${words.toolResult} ${callOf(event, peer)}`),
    failed === true ? { text: words.failed, style: 'red' } : { text: words.ok, style: 'green' },
    plain(shown < all ? ` ${byteCount(shown)} / ${byteCount(all)}` : ` ${byteCount(all)}`),
    plain(textOf(artifact) === '' ? '' : ` ${peer(textOf(artifact))}`),
    dim(` ${peer(text)}`),
  ]
}

/** A request and its answer have it in common. */
function legId({ note: { chain = {} } }: WireNoteEvent): string {
  return JSON.stringify([chain.run, chain.turn, chain.attempt]).slice(0, 200)
}

function turnOf({ note: { chain } }: WireNoteEvent, peer: (text: string) => string): string {
  return chain?.turn === undefined ? '' : `${peer(chain.turn)} `
}

function callOf({ note: { chain } }: WireNoteEvent, peer: (text: string) => string): string {
  return chain?.call === undefined ? '' : `${peer(chain.call)} `
}

function textOf(value: JsonObject[string]): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: JsonObject[string]): number {
  return typeof value === 'number' ? value : 0
}
