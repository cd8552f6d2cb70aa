/**
 * A host under attack: a model that does whatever it reads, one timeline of what was decided and what left, and the question
 * whether anything left that nobody decided. The model has no other way out than `host.callTool`.
 */
import type { JsonObject } from '../../src/base/json.ts'
import type { DecisionRecord } from '../../src/host/audit.ts'
import type { Host } from '../../src/host/host.ts'
import { sha256 } from '../../src/host/judged-arguments.ts'
import type { Transport } from '../../src/jsonrpc/link.ts'
import { markForModel } from '../../src/policy/shown.ts'
import { resultToText } from '../../src/tools/content.ts'
import { hostRoom, type HostRoom, type RoomOptions, type ToolServer } from './host-room.ts'

/** What happened, in order: a decision that was written down, or a call that left. */
export type Happened =
  | { readonly kind: 'decided'; readonly record: DecisionRecord }
  | { readonly kind: 'left'; readonly call: string; readonly text: string; readonly server: string }

export interface AttackRoom extends HostRoom {
  readonly timeline: readonly Happened[]
  /** Everything that was written down and shown to anyone but the servers, as one text. */
  readonly decisions: () => readonly DecisionRecord[]
  /** Calls that left without a decision before them whose hash is that of what left. */
  readonly undecided: () => readonly string[]
  readonly left: () => readonly (Happened & { readonly kind: 'left' })[]
}

export async function attackRoom(
  servers: Readonly<Record<string, ToolServer | Transport>>,
  options: RoomOptions = {},
): Promise<AttackRoom> {
  const timeline: Happened[] = []
  const room: HostRoom = await hostRoom(servers, {
    ...options,
    audit: {
      async record(record) {
        await options.audit?.record(record)
        if (record.type === 'decision') timeline.push({ kind: 'decided', record })
      },
    },
    wire: (event) => {
      options.wire?.(event)
      if (event.type !== 'message' || event.direction !== 'out') return
      if (!event.text.includes('"method":"tools/call"')) return
      const { transport: server, text, chain } = event
      timeline.push({ kind: 'left', call: chain?.call ?? '', text, server })
    },
  })
  const left = () => timeline.filter((one) => one.kind === 'left')
  return {
    ...room,
    timeline,
    left,
    decisions: () => timeline.flatMap((one) => (one.kind === 'decided' ? [one.record] : [])),
    undecided: () => undecidedOf(timeline),
  }
}

function undecidedOf(timeline: readonly Happened[]): readonly string[] {
  const allowed = new Map<string, DecisionRecord>()
  const wrong: string[] = []
  for (const one of timeline) {
    if (one.kind === 'decided') {
      if (one.record.verdict === 'allow') allowed.set(one.record.call, one.record)
      else allowed.delete(one.record.call)
      continue
    }
    const { params } = JSON.parse(one.text) as { params: JsonObject } // a call that the client wrote
    const text = JSON.stringify(params['arguments'])
    const record = allowed.get(one.call)
    const isIt =
      record?.argumentsHash === sha256(text) &&
      record.tool === params['name'] &&
      one.text.includes(`"arguments":${text}`)
    if (!isIt) wrong.push(one.text)
  }
  return wrong
}

/** An order in a text: `do[alias {…}]`. `$LAST` in its arguments is the text of the last result. */
const ORDER = /do\[([\w.-]+) (\{.*?\})\]/gs

export interface ObedientModel {
  /** Does all that a value orders in any of its texts, then what the results order, to the end. */
  obey(value: unknown): Promise<void>
  /** Calls that it wanted. */
  readonly wanted: readonly string[]
  /** What it read after its calls: results, and errors as a model gets them. */
  readonly heard: readonly string[]
}

/** Most calls of one model, as poisoned results order more. */
const MAX_CALLS = 12

export function obedientModel(host: Host): ObedientModel {
  const wanted: string[] = []
  const heard: string[] = []
  let last = ''
  const run = async (alias: string, written: string): Promise<void> => {
    wanted.push(alias)
    const args: unknown = JSON.parse(
      written.replaceAll('$LAST', () => JSON.stringify(last).slice(1, -1)),
    )
    try {
      last = resultToText(await host.callTool(alias, args))
    } catch (error) {
      last = String(error)
    }
    heard.push(markForModel(last))
  }
  const obey = async (value: unknown): Promise<void> => {
    for (const text of textsIn(value))
      for (const [, alias = '', args = ''] of text.matchAll(ORDER)) {
        if (wanted.length >= MAX_CALLS) return
        await run(alias, args)
        await obey(last)
      }
  }
  return { obey, wanted, heard }
}

/** Every text of a value, names of members among them. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    yield key
    yield* textsIn(member)
  }
}
