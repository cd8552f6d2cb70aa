/** P14: JS heap that an idle stdio connection keeps in the client. */

import { measurePairs, pairRows, problemNotes, type Bench } from '../section.ts'
import { middle, ratio } from '../rounds.ts'
import { clients as c, servers as s, type Pair } from '../subjects.ts'
import { fixed, times, type Table } from '../table.ts'

const PAIRS: readonly Pair[] = [
  { id: 'raw', label: 'raw', role: 'base', client: c.raw, server: s.raw },
  { id: 'ours', label: 'deep-pilot', role: 'ours', client: c.ours, server: s.raw },
  {
    id: 'oursLegacy',
    label: 'deep-pilot handshake',
    role: 'ours',
    client: c.oursLegacy,
    server: s.raw,
  },
  { id: 'sdk1', label: 'SDK v1', role: 'peer', client: c.sdk1, server: s.raw },
  { id: 'sdk2', label: 'SDK v2 handshake', role: 'peer', client: c.sdk2, server: s.raw },
  {
    id: 'sdk2Modern',
    label: 'SDK v2 2026-07-28',
    role: 'peer',
    client: c.sdk2Modern,
    server: s.raw,
  },
  { id: 'aiSdk', label: '@ai-sdk/mcp', role: 'peer', client: c.aiSdk, server: s.raw },
]
const BAR_KB = 15

export async function idleTable(bench: Bench): Promise<Table> {
  const outcomes = await measurePairs(bench, {
    section: 'idle',
    driver: 'idle',
    pairs: PAIRS,
    order: () =>
      bench.options.quick ? { before: 40, connections: 16 } : { before: 40, connections: 40 },
    nodeWords: ['--expose-gc', '--no-opt', '--no-sparkplug', '--no-flush-bytecode'],
  })
  return {
    name: 'P14',
    title: 'JS heap of an idle stdio connection',
    columns: ['kB', 'of raw'],
    rows: pairRows(PAIRS, ({ id }) => [
      fixed(middle(outcomes, id, 'heapKb')),
      times(ratio(outcomes, [id, 'raw'], 'heapKb')),
    ]),
    verdicts: ['ours', 'oursLegacy'].map((id) => {
      const kb = middle(outcomes, id, 'heapKb')
      const reached = kb === undefined ? undefined : kb <= BAR_KB
      return { what: id, figure: `${fixed(kb)} kB`, bar: `<= ${BAR_KB} kB`, reached }
    }),
    notes: problemNotes(PAIRS, outcomes),
  }
}
