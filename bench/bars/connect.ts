/** P9: connecting 1, 10 and 50 servers over stdio at once, always raw servers. */

import { measurePairs, problemNotes, type Bench } from '../section.ts'
import { middle, ratio } from '../rounds.ts'
import { clients as c, servers as s, type Pair } from '../subjects.ts'
import { atMost, fixed, times, type Table } from '../table.ts'

const COUNTS = [1, 10, 50] as const

const CLIENTS: readonly Pair[] = [
  { id: 'raw', label: 'raw', role: 'base', client: c.raw, server: s.raw },
  { id: 'ours', label: 'deep-pilot auto', role: 'ours', client: c.ours, server: s.raw },
  {
    id: 'oursFallback',
    label: 'deep-pilot auto, old server',
    role: 'ours',
    client: c.ours,
    server: s.rawLegacy,
  },
  {
    id: 'oursLegacy',
    label: 'deep-pilot handshake',
    role: 'ours',
    client: c.oursLegacy,
    server: s.raw,
  },
  {
    id: 'oursModern',
    label: 'deep-pilot 2026-07-28',
    role: 'ours',
    client: c.oursModern,
    server: s.raw,
  },
  { id: 'sdk1', label: 'SDK v1', role: 'peer', client: c.sdk1, server: s.raw },
  { id: 'sdk2', label: 'SDK v2 handshake', role: 'peer', client: c.sdk2, server: s.raw },
  { id: 'sdk2Auto', label: 'SDK v2 auto', role: 'peer', client: c.sdk2Auto, server: s.raw },
  {
    id: 'sdk2Modern',
    label: 'SDK v2 2026-07-28',
    role: 'peer',
    client: c.sdk2Modern,
    server: s.raw,
  },
  { id: 'aiSdk', label: '@ai-sdk/mcp', role: 'peer', client: c.aiSdk, server: s.raw },
]

export async function connectTable(bench: Bench): Promise<Table> {
  const pairs = COUNTS.flatMap((count) =>
    CLIENTS.map((pair) => ({ ...pair, id: `${pair.id}-${count}`, base: `raw-${count}`, count })),
  )
  const counts = new Map(pairs.map(({ id, count }) => [id, count]))
  const outcomes = await measurePairs(bench, {
    section: 'connect',
    driver: 'connect',
    pairs,
    order: ({ id }) => ({ servers: counts.get(id) }),
  })
  const ours = pairs.filter(({ role }) => role === 'ours')
  return {
    name: 'P9',
    title: 'connecting 1, 10, 50 stdio servers at once',
    columns: ['servers', 'wall ms', 'of raw', 'client CPU ms', 'of raw', 'starts/server'],
    rows: pairs.map(({ id, base, label, role, count }) => ({
      subject: label,
      role,
      figures: [
        String(count),
        fixed(middle(outcomes, id, 'wallMs')),
        times(ratio(outcomes, [id, base], 'wallMs')),
        fixed(middle(outcomes, id, 'cpuMs')),
        times(ratio(outcomes, [id, base], 'cpuMs')),
        fixed(middle(outcomes, id, 'spawnsPerServer')),
      ],
    })),
    verdicts: ours.flatMap(({ id, base, label, count }) => [
      atMost(`${label}, ${count}: client CPU, of raw`, ratio(outcomes, [id, base], 'cpuMs'), 1.3),
      atMost(`${label}, ${count}: starts per server`, middle(outcomes, id, 'spawnsPerServer'), 1),
      ...(count === 50
        ? [atMost(`${label}, 50: wall, of raw`, ratio(outcomes, [id, base], 'wallMs'), 1.1)]
        : []),
    ]),
    notes: problemNotes(pairs, outcomes).slice(0, 6),
  }
}
