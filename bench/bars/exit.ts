/** From a killed server's exit to the last of 100 rejected calls. No bar of its own: the slowest may take 250 ms. */

import { measurePairs, pairRows, problemNotes, type Bench } from '../section.ts'
import { middle } from '../rounds.ts'
import { clients as c, servers as s, type Pair } from '../subjects.ts'
import { fixed, type Table } from '../table.ts'

const PAIRS: readonly Pair[] = [
  { id: 'raw', label: 'raw', role: 'base', client: c.raw, server: s.raw },
  { id: 'ours', label: 'deep-pilot', role: 'ours', client: c.ours, server: s.raw },
  { id: 'sdk1', label: 'SDK v1', role: 'peer', client: c.sdk1, server: s.raw },
  { id: 'sdk2', label: 'SDK v2', role: 'peer', client: c.sdk2, server: s.raw },
  { id: 'aiSdk', label: '@ai-sdk/mcp', role: 'peer', client: c.aiSdk, server: s.raw },
]
const SLOWEST_MS = 250

export async function exitTable(bench: Bench): Promise<Table> {
  const outcomes = await measurePairs(bench, {
    section: 'exit',
    driver: 'exit',
    pairs: PAIRS,
    order: () => ({ calls: 100 }),
    timeoutMs: 30_000,
  })
  const all = (outcomes.get('ours')?.samples ?? []).flatMap(
    (sample) => sample?.['killToLastMs'] ?? [],
  )
  const slowest = all.length === 0 ? undefined : Math.max(...all)
  return {
    name: 'exit',
    title: 'a killed server: from its exit (and from the kill) to the last of 100 rejected calls',
    columns: ['from exit, ms', 'from kill, ms'],
    rows: pairRows(PAIRS, ({ id }) => [
      fixed(middle(outcomes, id, 'exitToLastMs'), 2),
      fixed(middle(outcomes, id, 'killToLastMs'), 2),
    ]),
    verdicts: [
      {
        what: 'slowest from the kill',
        figure: `${fixed(slowest)} ms`,
        bar: `<= ${SLOWEST_MS} ms`,
        reached: slowest === undefined ? undefined : slowest <= SLOWEST_MS,
      },
    ],
    notes: problemNotes(PAIRS, outcomes),
  }
}
