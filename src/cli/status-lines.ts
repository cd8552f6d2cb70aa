/** The state of servers as lines for people and records for programs. */

import { displayWidth, cutToWidth, terminalText } from '../base/terminal-text.ts'
import type { ServerStatus } from '../host/state.ts'
import { failureRecord } from './failure.ts'
import { hangingRows } from './hanging-lines.ts'
import type { Invocation } from './invocation.ts'
import type { HostWords } from './messages/host-words.ts'

export interface StatusView {
  /** Of the terminal; undefined where there is none. */
  readonly columns: number | undefined
  readonly mask: Invocation['mask']
}

/** Each server: its name, its state and why it is in it, in columns. What to do about it stands at the end, so nothing is cut. */
export function statusLines(
  servers: readonly ServerStatus[],
  words: HostWords,
  { columns, mask }: StatusView,
): readonly string[] {
  const rows = servers.map((status): readonly [string, string, string] => [
    terminalText(status.key),
    stateText(status, words),
    // Masked before it is broken: of a secret in two lines nothing would be found.
    mask.text(whyText(status, words)),
  ])
  return hangingRows(rows, columns).flat()
}

/** The state of a server in words. */
export function stateText({ state, whyKind }: ServerStatus, { states }: HostWords): string {
  const isReason = whyKind === 'switched-off' || whyKind === 'unapproved'
  return states[isReason ? whyKind : state]
}

/** Why a server is in its state, with what else is worth knowing; safe for a terminal. */
export function whyText(status: ServerStatus, words: HostWords): string {
  const { tools, info, revision, pid } = status
  const isGood = status.state === 'ready'
  const facts = [
    ...(isGood ? [] : [terminalText(words.why(status))]),
    ...(tools === undefined ? [] : [words.notes.tools(tools)]),
    ...(info === undefined ? [] : [terminalText(`${info.name} ${info.version}`)]),
    ...(revision === undefined ? [] : [revision]),
    ...(pid === undefined ? [] : [words.notes.process(pid)]),
  ]
  return facts.length === 0 ? terminalText(words.why(status)) : facts.join(' · ')
}

/** Rows of safe texts in aligned columns, the last one as long as it is. */
export function tableLines(
  rows: readonly (readonly string[])[],
  columns: number | undefined,
): readonly string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(...rows.map((row) => displayWidth(row[at] ?? ''))),
  )
  return rows.map((row) => {
    const line = row
      .map((text, at) =>
        at === count - 1 ? text : text + ' '.repeat((widths[at] ?? 0) - displayWidth(text) + 2),
      )
      .join('')
      .trimEnd()
    return columns === undefined ? line : cutToWidth(line, columns)
  })
}

/** A status for `--json`. */
export function statusRecord(status: ServerStatus): object {
  const { error, ...rest } = status
  return error === undefined ? rest : { ...rest, ...failureRecord(error) }
}
