/** One call followed from the server's list to the answer of the model: each step by the ids that the next one has too. */

import type { JsonValue } from '../../base/json.ts'
import type { ModelTool } from '../../agent/model.ts'
import type { RequestId } from '../../jsonrpc/message.ts'
import { readingsOf, type WireMessageEvent } from '../../jsonrpc/wire.ts'
import type { ChainLink, Frame } from './measured.ts'
import { CALL, type McpWay } from './mcp-way.ts'
import type { Round } from './round.ts'

/** The two messages of the call that is shown, and its id on the wire. */
export interface CallFrames {
  readonly id: RequestId
  readonly sent: WireMessageEvent
  readonly answer: WireMessageEvent
}

/** Undefined when the call never crossed. */
export function callFrames(frames: readonly WireMessageEvent[]): CallFrames | undefined {
  const sent = frames.find(
    (event) =>
      event.direction === 'out' && event.chain?.call === CALL && methodOf(event) === 'tools/call',
  )
  const id = sent === undefined ? undefined : idOf(sent)
  const answer = frames.find(
    (event) => event.direction === 'in' && id !== undefined && answersTo(event) === id,
  )
  return sent === undefined || id === undefined || answer === undefined
    ? undefined
    : { id, sent, answer }
}

export function chainOf(way: McpWay, tool: ModelTool, round: Round): readonly ChainLink[] {
  const { frames, decision, subject } = way
  const called = callFrames(frames)
  const listed = listAnswer(frames)
  const [request] = round.bodies
  const { id: modelCall, argumentsText } = round.call
  const { verdict, rule } = decision?.note.data ?? {}
  return [
    ...(listed === undefined
      ? []
      : [{ step: 'listed', tool: subject.name, bytes: bytesOf(listed.text) } as const]),
    { step: 'registered', tool: subject.name, alias: tool.name },
    { step: 'offered', alias: tool.name, bytes: bytesOf(request) },
    { step: 'decided-by-model', modelCall, alias: round.call.name, argumentsText },
    {
      step: 'permitted',
      modelCall,
      call: CALL,
      verdict: textOf(verdict),
      rule: textOf(rule),
    },
    ...(called === undefined ? [] : crossed(called, round.told)),
    { step: 'told', modelCall, text: round.told },
    { step: 'said', text: round.answer },
  ]
}

function crossed({ id, sent, answer }: CallFrames, text: string): readonly ChainLink[] {
  return [
    { step: 'sent', call: CALL, id, bytes: bytesOf(sent.text) },
    { step: 'answered', id, bytes: bytesOf(answer.text), ms: answer.at - sent.at, text },
  ]
}

/** The answer to the last `tools/list`. */
export function listAnswer(frames: readonly WireMessageEvent[]): WireMessageEvent | undefined {
  const asked = frames.findLast(
    (event) => event.direction === 'out' && methodOf(event) === 'tools/list',
  )
  const id = asked === undefined ? undefined : idOf(asked)
  return frames.find(
    (event) => event.direction === 'in' && id !== undefined && answersTo(event) === id,
  )
}

export function frameOf({ direction, text }: WireMessageEvent): Frame {
  return { direction, bytes: bytesOf(text), text }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}

function methodOf(event: WireMessageEvent): string | undefined {
  const [reading] = readingsOf(event)
  return reading?.kind === 'request' ? reading.message.method : undefined
}

function idOf(event: WireMessageEvent): RequestId | undefined {
  const [reading] = readingsOf(event)
  return reading?.kind === 'request' ? reading.message.id : undefined
}

function answersTo(event: WireMessageEvent): RequestId | undefined {
  const [reading] = readingsOf(event)
  if (reading?.kind !== 'result' && reading?.kind !== 'error') return undefined
  return reading.message.id ?? undefined
}
