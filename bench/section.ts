/** What each section of the bench is given, and the way from pairs to interleaved outcomes. */

import type { Options } from './options.ts'
import { runDriver, type DriverOptions } from './driver.ts'
import { interleave, type Cell, type Outcomes } from './rounds.ts'
import { missing, sides, type Pair } from './subjects.ts'
import type { Row } from './table.ts'

export interface Bench {
  readonly options: Options
  /** Tells people which cell is measured now. */
  progress(text: string): void
  /** Keeps the samples for `--json`. */
  keep(section: string, outcomes: Outcomes): void
}

export interface PairPlan extends DriverOptions {
  readonly section: string
  readonly driver: string
  readonly pairs: readonly Pair[]
  /** What the driver is told beside the two sides. */
  readonly order: (pair: Pair) => object
  readonly serverWords?: (pair: Pair) => readonly string[]
  /** Default: as many as the options say. */
  readonly rounds?: number
}

/** Measures pairs, interleaved. Those that lack something get that as their problem. */
export async function measurePairs(bench: Bench, plan: PairPlan): Promise<Outcomes> {
  const problems = new Map<string, string>()
  const cells: Cell[] = []
  for (const pair of plan.pairs) {
    const problem = missing(pair, bench.options.install)
    if (problem !== undefined) problems.set(pair.id, problem)
    else cells.push(pairCell(plan, pair))
  }
  return await measureCells(bench, { ...plan, cells, problems })
}

export interface CellPlan {
  readonly section: string
  readonly cells: readonly Cell[]
  readonly problems?: ReadonlyMap<string, string>
  readonly rounds?: number
}

export async function measureCells(bench: Bench, plan: CellPlan): Promise<Outcomes> {
  const rounds = plan.rounds ?? bench.options.rounds
  const measured = await interleave(plan.cells, rounds, (round, id) => {
    bench.progress(`${plan.section}: round ${round + 1} of ${rounds}, ${id}`)
  })
  const outcomes = new Map(measured)
  for (const [id, problem] of plan.problems ?? []) outcomes.set(id, { samples: [], problem })
  bench.keep(plan.section, outcomes)
  return outcomes
}

/** One row a pair; where it has no samples, its problem stands in the notes. */
export function pairRows(
  pairs: readonly Pair[],
  figures: (pair: Pair) => readonly string[],
): readonly Row[] {
  return pairs.map((pair) => ({ subject: pair.label, role: pair.role, figures: figures(pair) }))
}

export function problemNotes(
  things: readonly { readonly id: string; readonly label: string }[],
  outcomes: Outcomes,
): readonly string[] {
  return things.flatMap(({ id, label }) => {
    const problem = outcomes.get(id)?.problem
    return problem === undefined ? [] : [`${label}: ${problem}`]
  })
}

function pairCell(plan: PairPlan, pair: Pair): Cell {
  const { order, node } = sides(pair, plan.serverWords?.(pair))
  return {
    id: pair.id,
    measure: () => runDriver(plan.driver, { ...order, ...plan.order(pair) }, { ...plan, node }),
  }
}
