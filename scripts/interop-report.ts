/** The interop matrix for people and for programs: a line a row, then what differs, what is known, and what peers send wrongly. */
import { WAY_NAMES, isAsExpected, STEPS, type Outcome, type Row } from './interop-rows.ts'

const MARKS: Readonly<Record<Outcome['kind'], string>> = {
  ok: 'ok',
  absent: '-',
  known: 'known',
  wrong: 'NOT OK',
}

const HEAD = ['peer', 'is', 'transport', 'revision', ...STEPS, 'theirs'] as const

/** The table as lines, columns aligned. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [[...HEAD], ...rows.map(cellsOf)]
  const widths = HEAD.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellsOf(row: Row): string[] {
  const { peer, version, role, way, wanted, revision, spoken, steps, theirs } = row
  const asked = wanted === 'auto' ? `auto: ${revision ?? 'none'}` : wanted
  const outcomes = STEPS.map((step) => MARKS[steps.get(step)?.kind ?? 'absent'])
  const told = spoken || !isAsExpected(row) ? outcomes : ['not spoken', ...outcomes.slice(1)]
  return [`${peer} ${version}`, role, WAY_NAMES[way], asked, ...told, String(theirs.length)]
}

/** Everything that a mark does not say. */
export function remarksOf(rows: readonly Row[]): string {
  const lines: string[] = []
  for (const row of rows) {
    const where = `${row.peer} as ${row.role}, ${WAY_NAMES[row.way]}, ${row.wanted}`
    for (const [step, outcome] of row.steps)
      if (outcome.kind === 'wrong') lines.push(`NOT OK  ${where}: ${step}: ${outcome.why}`)
    for (const what of row.ours.slice(0, 5)) lines.push(`NOT OK  ${where}: we sent: ${what}`)
  }
  const known = rows.flatMap(({ peer, steps }) =>
    [...steps].flatMap(([step, outcome]) =>
      outcome.kind === 'known' ? [`known   ${peer}: ${step}: ${outcome.why}`] : [],
    ),
  )
  const theirs = rows.flatMap(({ peer, theirs }) =>
    theirs.map((what) => `theirs  ${peer}: ${what.split(': {')[0]}`),
  )
  return [...lines, ...counted(known), ...counted(theirs)].join('\n')
}

/** Each line once, with how often it came. */
function counted(lines: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, count]) => `${line} (${count})`)
}

export function summaryOf(rows: readonly Row[], left: readonly string[]): string {
  const outcomes = rows.flatMap(({ steps }) => [...steps.values()])
  const count = (kind: Outcome['kind']): number =>
    outcomes.filter((outcome) => outcome.kind === kind).length
  const sum = (pick: (row: Row) => number): number => rows.reduce((all, row) => all + pick(row), 0)
  return [
    `${rows.length} rows, ${rows.filter(({ spoken }) => !spoken).length} of them not spoken;`,
    `${count('ok')} steps ok, ${count('known')} known faults of peers, ${count('wrong')} not ok;`,
    `${sum(({ judged }) => judged)} messages judged,`,
    `${sum(({ ours }) => ours.length)} faults in ours, ${sum(({ theirs }) => theirs.length)} in theirs;`,
    `${left.length} peers left out`,
  ].join(' ')
}

/** The same as one value. */
export function jsonOf(rows: readonly Row[], left: readonly string[]): string {
  const value = {
    node: process.versions.node,
    left,
    asExpected: rows.every(isAsExpected),
    rows: rows.map((row) => ({ ...row, steps: Object.fromEntries(row.steps) })),
  }
  return `${JSON.stringify(value, undefined, 2)}\n`
}
