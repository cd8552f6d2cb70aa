/**
 * Measures cells round by round: each cell once a round, every time in a fresh process, in another order
 * each round, so that a slow minute of the machine strikes all alike. Ratios are taken within a round.
 */

export type Sample = Readonly<Record<string, number | undefined>>

export interface Cell {
  readonly id: string
  measure(): Promise<Sample>
}

export interface Outcome {
  /** One entry a round; undefined where the cell failed or was given up. */
  readonly samples: (Sample | undefined)[]
  /** Why it was given up, in one line. */
  problem?: string
}

export type Outcomes = ReadonlyMap<string, Outcome>

/** A cell that fails is tried once more in the next round and then given up; the others go on. */
export async function interleave(
  cells: readonly Cell[],
  rounds: number,
  onCell: (round: number, id: string) => void = () => {},
): Promise<Outcomes> {
  const outcomes = new Map<string, Outcome & { failures: number }>()
  for (const { id } of cells) outcomes.set(id, { samples: [], failures: 0 })
  for (let round = 0; round < rounds; round++) {
    for (const cell of rotated(cells, round)) {
      const outcome = outcomes.get(cell.id)
      if (outcome === undefined || outcome.failures > 1) continue
      onCell(round, cell.id)
      try {
        outcome.samples[round] = await cell.measure()
      } catch (error) {
        outcome.failures++
        outcome.problem = error instanceof Error ? error.message : String(error)
      }
    }
  }
  return outcomes
}

/** The median of a value over all rounds; undefined without any. */
export function middle(outcomes: Outcomes, id: string, value: string): number | undefined {
  return median((outcomes.get(id)?.samples ?? []).map((sample) => sample?.[value]))
}

/** The median over all rounds of a value divided by the base's in the same round. */
export function ratio(
  outcomes: Outcomes,
  [id, base]: readonly [string, string],
  value: string,
): number | undefined {
  const bases = outcomes.get(base)?.samples ?? []
  const samples = outcomes.get(id)?.samples ?? []
  return median(
    samples.map((sample, round) => {
      const below = bases[round]?.[value]
      const above = sample?.[value]
      return above === undefined || below === undefined ? undefined : above / below
    }),
  )
}

export function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [lower, upper] = [sorted[half - 1], sorted[half]]
  if (sorted.length % 2 === 1 || lower === undefined || upper === undefined) return upper
  return (lower + upper) / 2
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const at = items.length === 0 ? 0 : (by * 3) % items.length
  const turned = [...items.slice(at), ...items.slice(0, at)]
  return by % 2 === 0 ? turned : turned.reverse()
}
