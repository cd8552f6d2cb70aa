/** P1 to P5: small calls over stdio. One set of cells feeds all five tables. */

import { measurePairs, pairRows, problemNotes, type Bench } from '../section.ts'
import { middle, ratio, type Outcomes } from '../rounds.ts'
import { clients as c, servers as s, type Pair } from '../subjects.ts'
import { atLeast, atMost, fixed, percent, times, type Table, type Verdict } from '../table.ts'

const echo: Pair = { id: 'echo', label: 'echo', role: 'base', client: c.echo, server: s.echo }

const PAIRS: readonly Pair[] = [
  echo,
  { id: 'joined', label: 'echo, joined writes', role: 'base', client: c.joined, server: s.joined },
  { id: 'raw', label: 'raw', role: 'peer', client: c.raw, server: s.raw },
  { id: 'rawModern', label: 'raw 2026-07-28', role: 'peer', client: c.rawModern, server: s.raw },
  { id: 'ours', label: 'deep-pilot 2026-07-28', role: 'ours', client: c.ours, server: s.ours },
  {
    id: 'oursLegacy',
    label: 'deep-pilot handshake',
    role: 'ours',
    client: c.oursLegacy,
    server: s.ours,
  },
  { id: 'sdk1', label: 'SDK v1', role: 'peer', client: c.sdk1, server: s.sdk1 },
  { id: 'sdk2', label: 'SDK v2 handshake', role: 'peer', client: c.sdk2, server: s.sdk2 },
  {
    id: 'sdk2Modern',
    label: 'SDK v2 2026-07-28',
    role: 'peer',
    client: c.sdk2Modern,
    server: s.sdk2,
  },
  { id: 'aiSdk', label: '@ai-sdk/mcp, raw server', role: 'peer', client: c.aiSdk, server: s.raw },
  {
    id: 'fastmcp',
    label: 'fastmcp, SDK v1 client',
    role: 'peer',
    client: c.sdk1,
    server: s.fastmcp,
  },
]

const ALONE: readonly Pair[] = [
  {
    id: 'oursClient',
    label: 'client deep-pilot 2026-07-28',
    role: 'ours',
    client: c.ours,
    server: s.raw,
  },
  {
    id: 'oursLegacyClient',
    label: 'client deep-pilot handshake',
    role: 'ours',
    client: c.oursLegacy,
    server: s.raw,
  },
  { id: 'sdk1Client', label: 'client SDK v1', role: 'peer', client: c.sdk1, server: s.raw },
  {
    id: 'sdk2Client',
    label: 'client SDK v2 handshake',
    role: 'peer',
    client: c.sdk2,
    server: s.raw,
  },
  {
    id: 'sdk2ModernClient',
    label: 'client SDK v2 2026-07-28',
    role: 'peer',
    client: c.sdk2Modern,
    server: s.raw,
  },
  {
    id: 'oursServer',
    label: 'server deep-pilot 2026-07-28',
    role: 'ours',
    client: c.rawModern,
    server: s.ours,
  },
  {
    id: 'oursLegacyServer',
    label: 'server deep-pilot handshake',
    role: 'ours',
    client: c.raw,
    server: s.ours,
  },
  { id: 'sdk1Server', label: 'server SDK v1', role: 'peer', client: c.raw, server: s.sdk1 },
  {
    id: 'sdk2Server',
    label: 'server SDK v2 handshake',
    role: 'peer',
    client: c.raw,
    server: s.sdk2,
  },
  {
    id: 'sdk2ModernServer',
    label: 'server SDK v2 2026-07-28',
    role: 'peer',
    client: c.rawModern,
    server: s.sdk2,
  },
  { id: 'fastmcpServer', label: 'server fastmcp', role: 'peer', client: c.raw, server: s.fastmcp },
]

const LONG = {
  inFlight: 64,
  warmUp: { atLeast: 10_000, ms: 1000 },
  measure: { atLeast: 5000, ms: 1500 },
  serial: { atLeast: 500, ms: 500 },
}
const SHORT = {
  inFlight: 64,
  warmUp: { atLeast: 3000, ms: 300 },
  measure: { atLeast: 2000, ms: 300 },
  serial: { atLeast: 200, ms: 100 },
}

export async function callTables(bench: Bench, wanted: ReadonlySet<string>): Promise<Table[]> {
  const tables = [throughput, alone, serialTime, cpu, eras].filter(({ bar }) => wanted.has(bar))
  if (tables.length === 0) return []
  const ids = new Set(tables.flatMap(({ pairs }) => pairs.map(({ id }) => id)))
  const outcomes = await measurePairs(bench, {
    section: 'calls',
    driver: 'calls',
    pairs: [...PAIRS, ...ALONE].filter(({ id }) => ids.has(id)),
    order: () => (bench.options.quick ? SHORT : LONG),
  })
  return tables.map((table) => table.make(outcomes))
}

interface Plan {
  readonly bar: string
  readonly pairs: readonly Pair[]
  make(outcomes: Outcomes): Table
}

const OURS = ['ours', 'oursLegacy'] as const
const ERA = { ours: '2026-07-28', oursLegacy: 'handshake' }

const throughput: Plan = {
  bar: 'P1',
  pairs: PAIRS,
  make: (outcomes) => {
    const table = rateTable(outcomes, PAIRS)
    return {
      columns: [...table.columns, 'of joined echo'],
      rows: table.rows.map((row, index) => ({
        ...row,
        figures: [...row.figures, percent(ofCeiling(outcomes, PAIRS[index]?.id))],
      })),
      name: 'P1',
      title: 'stdio, 64 calls in flight, client and server',
      verdicts: OURS.flatMap((id) => [
        atLeast(`calls/s ${ERA[id]}, of echo`, rate(outcomes, id), 1.3),
        atLeast(`calls/s ${ERA[id]}, of echo, stretch`, rate(outcomes, id), 1.8),
      ]),
      notes: [ceilingNote(outcomes), ...table.notes],
    }
  },
}

const alone: Plan = {
  bar: 'P2',
  pairs: [echo, ...ALONE],
  make: (outcomes) => ({
    ...rateTable(outcomes, [echo, ...ALONE]),
    name: 'P2',
    title: 'stdio, 64 calls in flight, one side against the raw other',
    verdicts: ALONE.filter(({ role }) => role === 'ours').map(({ id, label }) =>
      atLeast(`${label}, of echo`, rate(outcomes, id), 1),
    ),
  }),
}

const serialTime: Plan = {
  bar: 'P3',
  pairs: PAIRS,
  make: (outcomes) => ({
    name: 'P3',
    title: 'stdio, one call after the other, p50',
    columns: ['p50 us', 'of echo'],
    rows: pairRows(PAIRS, ({ id }) => [
      fixed(middle(outcomes, id, 'p50Us')),
      times(ratio(outcomes, [id, 'echo'], 'p50Us')),
    ]),
    verdicts: OURS.map((id) =>
      atMost(`p50 ${ERA[id]}, of echo`, ratio(outcomes, [id, 'echo'], 'p50Us'), 1.25),
    ),
    notes: problemNotes(PAIRS, outcomes),
  }),
}

const cpu: Plan = {
  bar: 'P4',
  pairs: PAIRS,
  make: (outcomes) => ({
    name: 'P4',
    title: 'CPU per stdio call, user and system, 64 in flight',
    columns: ['client us', 'of echo', 'server us', 'of echo'],
    rows: pairRows(PAIRS, ({ id }) => [
      fixed(middle(outcomes, id, 'clientUs')),
      times(ratio(outcomes, [id, 'echo'], 'clientUs')),
      fixed(middle(outcomes, id, 'serverUs')),
      times(ratio(outcomes, [id, 'echo'], 'serverUs')),
    ]),
    verdicts: OURS.flatMap((id) => [
      atMost(`client ${ERA[id]}, of echo`, ratio(outcomes, [id, 'echo'], 'clientUs'), 1),
      atMost(`server ${ERA[id]}, of echo`, ratio(outcomes, [id, 'echo'], 'serverUs'), 1),
    ]),
    notes: problemNotes(PAIRS, outcomes),
  }),
}

const ERA_PAIRS = [
  { id: 'raw', label: 'raw', modern: 'rawModern', legacy: 'raw', role: 'base' },
  { id: 'ours', label: 'deep-pilot', modern: 'ours', legacy: 'oursLegacy', role: 'ours' },
  { id: 'sdk2', label: 'SDK v2', modern: 'sdk2Modern', legacy: 'sdk2', role: 'peer' },
] as const

const eras: Plan = {
  bar: 'P5',
  pairs: PAIRS.filter(({ id }) =>
    ERA_PAIRS.some(({ modern, legacy }) => id === modern || id === legacy),
  ),
  make: (outcomes) => {
    const share = (modern: string, legacy: string): number | undefined =>
      ratio(outcomes, [modern, legacy], 'callsPerSecond')
    return {
      name: 'P5',
      title: '2026-07-28 against the handshake era, stdio calls/s',
      columns: ['2026-07-28', 'handshake', 'ratio'],
      rows: ERA_PAIRS.map(({ label, role, modern, legacy }) => ({
        subject: label,
        role,
        figures: [
          fixed(middle(outcomes, modern, 'callsPerSecond'), 0),
          fixed(middle(outcomes, legacy, 'callsPerSecond'), 0),
          percent(share(modern, legacy)),
        ],
      })),
      verdicts: [atLeast('2026-07-28, of handshake', share('ours', 'oursLegacy'), 0.9)],
      notes: [],
    }
  },
}

function rate(outcomes: Outcomes, id: string): number | undefined {
  return ratio(outcomes, [id, 'echo'], 'callsPerSecond')
}

/** Joining writes is the lever of this bar: an echo that does nothing else shows how far it goes here and now. */
function ceilingNote(outcomes: Outcomes): string {
  const ceiling = rate(outcomes, 'joined')
  const within = ceiling === undefined || ceiling >= 1.3 ? '' : ', which is below the bar'
  return `The ceiling: an echo that joins its writes and checks nothing reached ${percent(ceiling)} of the echo in this run${within}.`
}

function ofCeiling(outcomes: Outcomes, id: string | undefined): number | undefined {
  return id === undefined ? undefined : ratio(outcomes, [id, 'joined'], 'callsPerSecond')
}

function rateTable(
  outcomes: Outcomes,
  pairs: readonly Pair[],
): { columns: string[]; rows: Table['rows']; verdicts: Verdict[]; notes: Table['notes'] } {
  return {
    columns: ['calls/s', 'of echo', 'client CPU us', 'server CPU us'],
    rows: pairRows(pairs, ({ id }) => [
      fixed(middle(outcomes, id, 'callsPerSecond'), 0),
      percent(rate(outcomes, id)),
      fixed(middle(outcomes, id, 'clientUs')),
      fixed(middle(outcomes, id, 'serverUs')),
    ]),
    verdicts: [],
    notes: problemNotes(pairs, outcomes),
  }
}
