/**
 * What happens in a run as lines for a terminal. Pure. Each line begins with a mark of ours at the left edge: `→` a call, `←` its
 * result, `│` what a peer or the model wrote, `·` a remark. No text of anybody else gets there, and none has a line end, an
 * escape or more columns than there are.
 */

import { cutToWidth, displayWidth, terminalText } from '../../base/terminal-text.ts'
import { PolicyError } from '../../base/errors.ts'
import type { AgentCall, AgentEnd, AgentEvent, CallOutcome } from '../../agent/events.ts'
import type { ContentBlock } from '../../protocol/types/tools.ts'
import { blockToText, humanBytes } from '../../tools/content.ts'
import { breakText } from '../break-text.ts'
import type { AgentViewWords, SpentFacts } from '../messages/agent-words.ts'
import type { Outcome } from '../messages/outcome-words.ts'
import { visibleJson } from '../output.ts'
import { fitText } from '../wrap-text.ts'

/** What a person types to see more of something. */
export interface ViewHints {
  /** Shows what the model thought. */
  readonly reasoning: string
  /** Shows all of a call; undefined where nothing is recorded that it could be read from. */
  readonly why?: ((call: string) => string) | undefined
  /** Where the whole of a result is that was cut; undefined where it is no file. */
  readonly artifactPath?: (id: string) => string | undefined
}

/** At the prompt of a chat. */
export const CHAT_HINTS: ViewHints = { reasoning: '/reasoning', why: (call) => `/why ${call}` }

/** In the shell, of which a run is one command. */
export const RUN_HINTS: ViewHints = {
  reasoning: '--reasoning',
  why: (call) => `deep-pilot why ${call}`,
}

/** What lines are made with. */
interface LineView {
  readonly words: AgentViewWords
  readonly columns: number
  readonly hints: ViewHints
}

export type LineStyle = 'plain' | 'dim' | 'good' | 'bad' | 'odd'

/** Safe for a terminal, and no wider than was asked for. */
export interface ViewLine {
  readonly text: string
  readonly style: LineStyle
}

/** Rows of arguments, of a result, and of what is for the person alone. */
const CALL_ROWS = 4
const RESULT_ROWS = 6
/** Characters of a peer's text that are looked at for a row: a long emoji has eleven in two columns. */
const REACH = 16
const MIN_COLUMNS = 20
/** Characters and rows of a remark: ours are shorter, a peer's need not be. */
const MAX_REMARK = 2_000
const REMARK_ROWS = 12

const BAR = '│ '
/** Columns of a mark and the blank behind it. */
const MARK = 2
const LINE_END = /\r\n|[\n\r\u2028\u2029]/

/** The lines of an event; none for those that only change what is under way. */
export function eventLines(
  event: AgentEvent,
  words: AgentViewWords,
  { columns, hints = CHAT_HINTS }: { readonly columns: number; readonly hints?: ViewHints },
): readonly ViewLine[] {
  const room = Math.max(MIN_COLUMNS, columns)
  switch (event.type) {
    case 'call':
      return callLines(event.call, { words, columns: room, hints })
    case 'result':
      return resultLines(event, { words, columns: room, hints })
    case 'retry':
      return remark(words.retry(secondsText(event.delayMs), event), room, 'odd')
    case 'compacted':
      return remark(words.compacted(event.messages), room)
    case 'tools': {
      const { added, removed, changed } = event.changes
      return [
        ...(added.length > 0 ? remark(words.toolsAdded(added), room) : []),
        ...(removed.length > 0 ? remark(words.toolsRemoved(removed), room) : []),
        ...(changed.length > 0 ? remark(words.toolsChanged(changed), room) : []),
      ]
    }
    case 'warning':
      // Told at the end, in the language of the person.
      if (event.kind === 'empty-reply') return []
      return remark(words.warning(event), room, 'odd')
    case 'turn':
    case 'delta':
    case 'reply':
    case 'progress':
    case 'end':
      return []
    default:
      return event satisfies never
  }
}

/** Why a run ended otherwise than with an answer; nothing for an answer, and for an error, which is told as errors are. */
export function endWords({ reason, which }: AgentEnd, words: AgentViewWords): string | undefined {
  if (reason === 'done' || reason === 'model-error') return undefined
  return reason === 'budget' ? words.budgets[which ?? 'turns'] : words.ends[reason]
}

/** Whether there is something to tell of what was spent. */
export function hasSpent({ usage, uncounted = 0 }: Pick<AgentEnd, 'usage' | 'uncounted'>): boolean {
  return usage.input + usage.output + uncounted > 0
}

/** What a run or a session came to. */
export function spentFacts(
  {
    turns,
    usage,
    estimated,
    uncounted = 0,
    usd,
  }: Pick<AgentEnd, 'turns' | 'usage' | 'estimated' | 'uncounted' | 'usd'>,
  ms?: number,
): SpentFacts {
  return {
    turns,
    estimated: estimated === true,
    uncounted,
    input: usage.input,
    cached: usage.cachedInput,
    output: usage.output,
    usd: usd === undefined ? undefined : usdText(usd),
    seconds: ms === undefined ? undefined : secondsText(ms),
  }
}

/** A remark of ours, broken between words; what of it is peer text is escaped with the rest. */
export function remark(
  text: string,
  columns: number,
  style: LineStyle = 'dim',
): readonly ViewLine[] {
  const room = Math.max(MIN_COLUMNS, columns) - MARK
  const near = terminalText(text.slice(0, MAX_REMARK))
  const rows = fitText(near, room)
  const shown = rows.slice(0, REMARK_ROWS)
  const isCut = rows.length > shown.length || near.length < text.length
  return shown.map((row, at) => {
    const end = isCut && at === shown.length - 1 ? cutToWidth(`${row} …`, room) : row
    return { text: at === 0 ? `· ${end}` : `  ${end}`, style }
  })
}

/** What the person said, as it stood at the prompt; long texts are cut. */
export function saidLines(text: string, columns: number): readonly ViewLine[] {
  const room = Math.max(MIN_COLUMNS, columns) - MARK
  const near = text.slice(0, MAX_REMARK).trim()
  const rows = near
    .split(LINE_END)
    .flatMap((line) => fitText(terminalText(line.replaceAll('\t', '  ')), room))
  const isCut = rows.length > REMARK_ROWS || text.trim().length > near.length
  const shown = rows.slice(0, isCut ? REMARK_ROWS - 1 : REMARK_ROWS)
  return [...shown, ...(isCut ? ['…'] : [])].map((row, at) => ({
    text: `${at === 0 ? '›' : ' '} ${row}`.trimEnd(),
    style: 'dim',
  }))
}

/** `0.4`, `12`, `95`. */
export function secondsText(ms: number): string {
  const seconds = ms / 1000
  return seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds))
}

/** Whether a call was refused by a rule, a person or a pin, rather than failed. */
function wasRefused({ error }: Pick<CallOutcome, 'error'>): boolean {
  return error instanceof PolicyError
}

function callLines(call: AgentCall, { words, columns, hints }: LineView): readonly ViewLine[] {
  const args = argumentsText(call, words)
  const head = `→ ${call.id} ${terminalText(call.alias)}`
  const near = terminalText(args.slice(0, columns * CALL_ROWS * REACH))
  const beside = `${head} ${near}`
  if (displayWidth(beside) <= columns) return [{ text: beside, style: 'plain' }]
  const { rows, left } = fitted(near, columns, CALL_ROWS)
  const more = left + args.length - Math.min(args.length, columns * CALL_ROWS * REACH)
  return [
    { text: cutToWidth(head, columns), style: 'plain' },
    ...rows.map((row) => ({ text: BAR + row, style: 'dim' as const })),
    ...(more > 0 ? remark(words.moreCharacters(more, hints.why?.(call.id)), columns) : []),
  ]
}

/** As the tool is given them; where nothing reads them, as the model wrote them. */
function argumentsText({ args, modelCall }: AgentCall, words: AgentViewWords): string {
  if (args !== undefined) return visibleJson(args)
  const written = modelCall.argumentsText.trim()
  return written === '' ? words.badArguments : written
}

function resultLines(outcome: CallOutcome, view: LineView): readonly ViewLine[] {
  const { words, columns, hints } = view
  const { call, shown, bytes, shownBytes, failed, ms, raw, artifact } = outcome
  const whole = artifact === undefined ? undefined : hints.artifactPath?.(artifact)
  const facts = [
    ...(raw === undefined ? [] : [timeText(ms), humanBytes(bytes)]),
    ...(shownBytes < bytes ? [words.shownPart(humanBytes(shownBytes), humanBytes(bytes))] : []),
  ]
  const head = `← ${call.id} ${[words.outcomes[outcomeOf(outcome)], ...facts].join(' · ')}`
  return [
    { text: cutToWidth(head, columns), style: failed ? 'bad' : 'good' },
    ...(whole === undefined ? [] : remark(words.wholeAt(whole), columns)),
    ...peerLines(shown, call.id, view),
    ...userLines(outcome, view),
  ]
}

function outcomeOf(outcome: CallOutcome): Outcome {
  const { raw, failed, called } = outcome
  if (!failed) return 'ok'
  if (wasRefused(outcome)) return 'refused'
  if (!called) return 'not-called'
  return raw === undefined ? 'no-result' : 'failed'
}

/** Parts of a result that are meant for the person and not for the model. */
function userLines({ raw, call }: CallOutcome, view: LineView): readonly ViewLine[] {
  const blocks: readonly ContentBlock[] = raw?.content ?? []
  const own = blocks.filter(forUserAlone).map(blockToText)
  if (own.length === 0) return []
  return [...remark(view.words.forYou, view.columns), ...peerLines(own.join('\n'), call.id, view)]
}

function forUserAlone(block: ContentBlock): boolean {
  const audience: unknown = 'annotations' in block ? block.annotations?.audience : undefined
  return Array.isArray(audience) && audience.length > 0 && audience.every((one) => one === 'user')
}

/** The beginning of a text, in so many rows. */
function peerLines(
  text: string,
  call: string,
  { words, columns, hints }: LineView,
): readonly ViewLine[] {
  const lines = text.trimEnd().split(LINE_END)
  const rows: string[] = []
  let shown = 0
  for (const line of lines) {
    const near = terminalText(line.slice(0, columns * RESULT_ROWS * REACH).replaceAll('\t', '  '))
    const own = fitText(near, columns - MARK)
    // A line is shown whole or, where it is the first, as far as there is room.
    if (rows.length > 0 && rows.length + own.length > RESULT_ROWS) break
    rows.push(...own.slice(0, RESULT_ROWS))
    shown += own.length > RESULT_ROWS ? 0 : 1
    if (rows.length >= RESULT_ROWS) break
  }
  const left = lines.length - shown
  return [
    ...rows.map((row) => ({ text: `${BAR}${row}`.trimEnd(), style: 'dim' }) as const),
    ...(left > 0 ? remark(words.moreLines(left, hints.why?.(call)), columns) : []),
  ]
}

/** A text in so many rows, and how many characters of it are left. */
function fitted(
  text: string,
  columns: number,
  most: number,
): { readonly rows: readonly string[]; readonly left: number } {
  const all = breakText(text, columns - MARK)
  const rows = all.slice(0, most)
  return { rows, left: text.length - rows.join('').length }
}

function timeText(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${secondsText(ms)} s`
}

/** Small sums with the places that they need: `0.0012`, `0.35`, `12.40`. */
function usdText(usd: number): string {
  return usd !== 0 && usd < 0.1 ? usd.toFixed(usd < 0.0001 ? 6 : 4) : usd.toFixed(2)
}
