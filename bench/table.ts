/**
 * A bar's table and its verdicts, and their plain text. Rows carry finished words: how a figure is
 * written is decided where it is known what it means.
 */

export type Role = 'base' | 'ours' | 'peer'

export interface Row {
  readonly subject: string
  readonly role: Role
  readonly figures: readonly string[]
}

export interface Verdict {
  readonly what: string
  readonly figure: string
  readonly bar: string
  /** Undefined when there is nothing to judge yet. */
  readonly reached: boolean | undefined
}

export interface Table {
  readonly name: string
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly verdicts: readonly Verdict[]
  readonly notes: readonly string[]
}

export function render(table: Table): string {
  const head = ['', ...table.columns]
  const body = table.rows.map(({ subject, role, figures }) => [
    `${role === 'ours' ? '* ' : '  '}${subject}`,
    ...figures,
  ])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...body].map((line) => (line[column] ?? '').length)),
  )
  const lines = [head, ...body].map((line) =>
    line
      .map((word, column) =>
        column === 0 ? word.padEnd(widths[0] ?? 0) : word.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  const verdicts = table.verdicts.map(
    ({ what, figure, bar, reached }) => `  ${mark(reached)}  ${what}: ${figure}, bar ${bar}`,
  )
  const notes = table.notes.map((note) => `  - ${note}`)
  return [`${table.name}  ${table.title}`, ...lines, ...verdicts, ...notes].join('\n')
}

function mark(reached: boolean | undefined): string {
  if (reached === undefined) return 'open'
  return reached ? 'yes ' : 'NO  '
}

export function percent(value: number | undefined): string {
  return value === undefined ? '-' : `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`
}

export function times(value: number | undefined): string {
  return value === undefined ? '-' : `${value.toFixed(2)} x`
}

export function fixed(value: number | undefined, digits = 1): string {
  return value === undefined ? '-' : value.toFixed(digits)
}

export function atLeast(what: string, value: number | undefined, bar: number): Verdict {
  const reached = value === undefined ? undefined : value >= bar
  return { what, figure: percent(value), bar: `>= ${percent(bar)}`, reached }
}

export function atMost(what: string, value: number | undefined, bar: number): Verdict {
  const reached = value === undefined ? undefined : value <= bar
  return { what, figure: times(value), bar: `<= ${times(bar)}`, reached }
}
