/**
 * What a person is asked, as lines for a terminal. Everything a peer could have written stands behind a bar at the left edge,
 * escaped and broken by us: no text of a peer begins a line, moves the cursor or hides.
 *
 * It only writes lines; who shows them, and when a yes may be given, is in `consent-terminal`.
 */

import { displayWidth, terminalText } from '../base/terminal-text.ts'
import type { CallQuestion, ConsentRequest, SamplingQuestion } from '../host/consent.ts'
import { RESOURCES_READ } from '../host/resource-reading.ts'
import type { ToolHints } from '../tools/display.ts'
import { breakText } from './break-text.ts'
import type { ConsentWords } from './messages/host-words.ts'
import { visibleJson } from './output.ts'
import { fitText } from './wrap-text.ts'

/** Stands before every line, and is another one than that of the prompts: a line behind it is not one of theirs. */
export const BAR = '┃ '

/** Narrower terminals get lines of this width, and break them. */
const MIN_COLUMNS = 24

/** Everything that is asked, none of its lines wider than `columns`. */
export function requestLines(
  request: ConsentRequest,
  words: ConsentWords,
  columns: number,
): readonly string[] {
  return barred(
    (room) =>
      request.kind === 'call'
        ? callLines(request, words, room)
        : samplingLines(request, words, room),
    columns,
  )
}

/** Lines behind the bar; `make` gives them for the columns that are left. */
export function barred(
  make: (room: number) => readonly string[],
  columns: number,
): readonly string[] {
  const room = Math.max(MIN_COLUMNS, columns) - displayWidth(BAR)
  return make(room).map((line) => `${BAR}${line}`.trimEnd())
}

/** One line that names what a yes would be to; the caller cuts it. */
export function requestTitle(request: ConsentRequest, words: ConsentWords): string {
  const server = request.server === undefined ? undefined : terminalText(request.server)
  if (request.kind === 'call') {
    if (server !== undefined && isRead(request)) return words.mayRead(server)
    return words.mayCall(terminalText(request.tool), server)
  }
  return request.kind === 'sampling'
    ? words.mayAskModel(server ?? '')
    : words.mayHaveAnswer(server ?? '')
}

/** Its text is safe for a terminal. */
export interface Row {
  readonly name: string
  readonly text: string
}

function callLines(request: CallQuestion, words: ConsentWords, room: number): readonly string[] {
  const { server, tool, alias, flow, rule, because, pin } = request
  const reason = terminalText(words.reason(request.reason, request.message))
  const rows: readonly Row[] = [
    { name: words.server, text: server === undefined ? words.native : terminalText(server) },
    { name: words.tool, text: terminalText(tool) },
    ...(alias === tool ? [] : [{ name: words.alias, text: terminalText(alias) }]),
    ...(isRead(request) ? [] : [hintRow(request, words)]),
    ...(pin === 'approved' ? [] : [{ name: words.definition, text: words.pins[pin] }]),
    { name: words.why, text: reason },
    ...(rule === undefined ? [] : [{ name: words.rule, text: terminalText(words.ruleText(rule)) }]),
    ...(because === undefined ? [] : [{ name: words.because, text: terminalText(because) }]),
    ...(flow === undefined ? [] : [flowRow(flow, words)]),
    ...warningRows(request.warnings, words),
  ]
  return [...rowLines(rows, room), ...jsonLines(words.args, request.args, room)]
}

function samplingLines(
  request: Exclude<ConsentRequest, CallQuestion>,
  words: ConsentWords,
  room: number,
): readonly string[] {
  const warnings = request.kind === 'sampling' ? (request satisfies SamplingQuestion).warnings : []
  const rows: readonly Row[] = [
    { name: words.server, text: terminalText(request.server) },
    ...warningRows(warnings, words),
  ]
  const what = jsonLines(words.modelGets, request.params, room)
  const answer =
    request.kind === 'sampling-result'
      ? jsonLines(words.modelWrote, request.result, room)
      : ([] as const)
  return [...rowLines(rows, room), ...what, ...answer]
}

function warningRows(warnings: readonly string[], words: ConsentWords): readonly Row[] {
  return warnings.map((text) => ({
    name: words.warning,
    text: terminalText(words.warningText(text)),
  }))
}

function flowRow(
  { source, sink }: { readonly source: string; readonly sink: string },
  words: ConsentWords,
): Row {
  return { name: words.flow, text: words.flowText(terminalText(source), terminalText(sink)) }
}

/** What reading does the standard says, and no server. */
export function isRead({ server, tool }: Pick<CallQuestion, 'server' | 'tool'>): boolean {
  return server !== undefined && tool === RESOURCES_READ
}

function hintRow({ hints, trusted }: CallQuestion, words: ConsentWords): Row {
  return { name: words.saysOfItself, text: hintText(hints, trusted, words) }
}

function hintText(hints: ToolHints, trusted: boolean, words: ConsentWords): string {
  const { readOnly, destructive, idempotent, openWorld } = words.hints
  const said = [
    ...(hints.readOnly ? [readOnly] : []),
    ...(hints.destructive ? [destructive] : []),
    ...(hints.idempotent && !hints.readOnly ? [idempotent] : []),
    ...(hints.openWorld ? [openWorld] : []),
  ]
  const text = said.length === 0 ? words.hints.none : said.join(words.comma)
  return trusted ? text : words.notBelieved(text)
}

/** Names in one column, their texts in another; a name as long as half of the line stands by itself. */
export function rowLines(rows: readonly Row[], room: number): readonly string[] {
  const most = Math.floor(room / 2)
  const width = Math.max(
    ...rows.map(({ name }) => displayWidth(name)).filter((own) => own < most),
    0,
  )
  const indent = ' '.repeat(width + 2)
  return rows.flatMap(({ name, text }) => {
    const own = displayWidth(name)
    const parts = fitText(text, room - indent.length)
    if (own > width) return [name, ...parts.map((part) => indent + part)]
    return parts.map((part, at) => (at === 0 ? name + ' '.repeat(width - own + 2) : indent) + part)
  })
}

/**
 * A value in full. Members are indented, whatever is not plainly visible is escaped, and a line that goes on says so: the rest
 * of a long text must not look like a member.
 */
export function jsonLines(name: string, value: unknown, room: number): readonly string[] {
  const lines = visibleJson(value, 2)
    .split('\n')
    .flatMap((line) =>
      breakText(terminalText(line), room - INDENT.length).map((part, at) =>
        at === 0 ? INDENT + part : GOES_ON + part,
      ),
    )
  return [name, ...lines]
}

const INDENT = '  '
/** As wide as `INDENT`. */
const GOES_ON = '↪ '
