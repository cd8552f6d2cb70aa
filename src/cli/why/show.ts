/** Reads a capture for one call, or for all, and shows what was found. Also what `/why` of a chat does. */

import { dirname, join, resolve } from 'node:path'
import { artifactFile } from '../../agent/node/artifact-folder.ts'
import { UsageError } from '../../base/errors.ts'
import { cutToWidth, displayWidth, terminalText } from '../../base/terminal-text.ts'
import { ChainReader, type CallChain, type CallLine, type ChainWish } from '../../capture/chain.ts'
import { markedLines } from '../hanging-lines.ts'
import type { Invocation } from '../invocation.ts'
import type { Outcome } from '../messages/outcome-words.ts'
import type { WhyWords } from '../messages/why-words.ts'
import type { Output } from '../output.ts'
import { readToldCapture } from '../told-capture.ts'
import { tableLines } from '../status-lines.ts'
import { chainLines } from './chain-lines.ts'
import { whyWords } from './load-words.ts'
import { modelWords, type ModelWords } from './model-words.ts'
import { CallOutcomes } from './outcomes.ts'

export interface WhyRequest {
  /** Of the capture. */
  readonly path: string
  /** As `t1c1`. Without it the calls are listed. */
  readonly call?: string
  /** The beginning of the name of a run. */
  readonly run?: string
  /** Whether long texts are shown whole. Default false. */
  readonly full?: boolean
  /**
   * Hears that there is no such call, or without `call` that there is none at all, and which ones there are; escaped. Default: the
   * first is an error, the second a note, and both name the file.
   */
  readonly onMissing?: (calls: readonly string[]) => void
}

/** What is used of an invocation; a chat gives an output that goes beside its own. */
export type WhyInvocation = Pick<Invocation, 'messages' | 'json' | 'signal' | 'finish' | 'mask'> & {
  readonly output: Pick<Output, 'columns' | 'line' | 'json' | 'note' | 'noteJson'>
}

/** Calls that are named where one is not found. */
const MAX_NAMED = 20
const MAX_ARGUMENTS = 200

/** Rejects with a `UsageError` for a file that cannot be read or is no capture, and for a call that is not in it. */
export async function showWhy(invocation: WhyInvocation, request: WhyRequest): Promise<void> {
  const words = await whyWords(invocation.messages.language)
  const { call, run, path, full = false, onMissing } = request
  if (call === undefined) {
    const outcomes = new CallOutcomes()
    const reader = await read(invocation, path, { outcomes })
    return listCalls(invocation, reader, { words, path, run, outcomes, onMissing })
  }
  const reader = await read(invocation, path, { wish: { call, ...(run !== undefined && { run }) } })
  const chain = reader.chain()
  if (chain === undefined) {
    const calls = reader.calls().slice(-MAX_NAMED)
    const named = calls.map((one) => terminalText(one.call))
    if (onMissing !== undefined) return onMissing(named)
    throw new UsageError(words.noCall(terminalText(call), named, terminalText(path)))
  }
  const { output, json, messages } = invocation
  if (reader.matches > 1 && !json)
    output.note(words.severalRuns(reader.matches, terminalText(chain.run)))
  const artifactPath = await wholeOf(chain, path)
  if (json) return output.json({ ...chain, ...(artifactPath !== undefined && { artifactPath }) })
  const { policy } = await messages.host()
  const said = masked(await modelWords(chain.model), invocation)
  const lines = chainLines(chain, {
    words,
    reasons: policy.reasons,
    said,
    full,
    artifactPath,
  })
  for (const line of lines) for (const row of fitted(line, output.columns)) output.line(row)
}

/** A line goes on below its own text, and always further in than a title: no part of it looks like one. */
function fitted(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined || displayWidth(line) <= columns) return [line]
  const [mark = ''] = /^ *(?:[→←·] )?/.exec(line) ?? []
  if (mark !== '') return markedLines(mark, line.slice(mark.length), columns)
  const [first = '', ...rest] = markedLines('  ', line, columns)
  return [first.trimStart(), ...rest]
}

/** The file with the whole of a result that was cut. It stands beside the recording of its session. */
async function wholeOf({ told }: CallChain, path: string): Promise<string | undefined> {
  if (told?.artifact === undefined) return undefined
  return artifactFile(join(dirname(resolve(path)), 'artifacts'), told.artifact)
}

/** The recording masks a key where it stands whole; in a stream it may have come in pieces, which are put together here. */
function masked(said: ModelWords | undefined, { mask }: WhyInvocation): ModelWords | undefined {
  if (said === undefined) return undefined
  const { text, reasoning } = said
  return { text: String(mask.json(text)), reasoning: String(mask.json(reasoning)) }
}

async function read(
  invocation: WhyInvocation,
  path: string,
  { wish, outcomes }: { readonly wish?: ChainWish; readonly outcomes?: CallOutcomes },
): Promise<ChainReader> {
  const reader = new ChainReader(wish)
  for await (const item of readToldCapture(invocation, path, { readings: false })) {
    if (item.kind !== 'event') continue
    reader.push(item.event)
    outcomes?.push(item.event)
  }
  return reader
}

interface Listing {
  readonly words: WhyWords
  readonly path: string
  readonly run: string | undefined
  readonly outcomes: CallOutcomes
  readonly onMissing: WhyRequest['onMissing']
}

function listCalls(
  { output, json }: WhyInvocation,
  reader: ChainReader,
  { words, path, run = '', outcomes, onMissing }: Listing,
): void {
  const calls = reader.calls().filter((call) => call.run.startsWith(run))
  if (json) {
    const told = calls.map((one) => ({ ...one, outcome: outcomes.of(one) }))
    return output.json({ calls: told })
  }
  if (calls.length === 0)
    return onMissing === undefined ? output.note(words.noCalls(terminalText(path))) : onMissing([])
  const isMixed = calls.some((call) => call.run !== calls[0]?.run)
  const rows = calls.map((call) => [
    ...(isMixed ? [terminalText(call.run)] : []),
    ...row(call, outcomes.of(call), words),
  ])
  for (const line of tableLines(rows, output.columns)) output.line(line)
}

function row(
  { call, alias, argumentsText }: CallLine,
  outcome: Outcome | undefined,
  words: WhyWords,
): string[] {
  return [
    terminalText(call),
    terminalText(alias),
    outcome === undefined ? '' : words.outcomes[outcome],
    cutToWidth(terminalText(argumentsText.slice(0, MAX_ARGUMENTS)), MAX_ARGUMENTS),
  ]
}
