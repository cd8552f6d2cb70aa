/** P6 and P7: small calls over HTTP, and P8 over HTTP: big results. */

import { measurePairs, pairRows, problemNotes, type Bench } from '../section.ts'
import { median, middle, ratio, type Outcomes } from '../rounds.ts'
import type { Pair } from '../subjects.ts'
import { atLeast, atMost, fixed, percent, times, type Table } from '../table.ts'

const plain = { file: 'http-plain-client' }
const ours = { file: 'deep-pilot-http-client' }
const server = { file: 'deep-pilot-http-server' }
const raw = { file: 'http-raw-server' }
const sdk2 = { client: { file: 'sdk2-http-client' }, server: { file: 'sdk2-http-server' } }

const PAIRS: readonly Pair[] = [
  {
    id: 'echo',
    label: 'echo',
    role: 'base',
    client: { ...plain, variant: 'echo' },
    server: { file: 'http-echo-server' },
  },
  { id: 'raw', label: 'raw', role: 'base', client: { ...plain, variant: 'raw' }, server: raw },
  {
    id: 'rawModern',
    label: 'raw 2026-07-28',
    role: 'peer',
    client: { ...plain, variant: 'modern' },
    server: raw,
  },
  {
    id: 'ours',
    label: 'deep-pilot 2026-07-28',
    role: 'ours',
    client: { ...ours, variant: 'modern' },
    server,
  },
  {
    id: 'oursLegacy',
    label: 'deep-pilot handshake',
    role: 'ours',
    client: { ...ours, variant: 'legacy' },
    server,
  },
  {
    id: 'oursClient',
    label: 'client deep-pilot, raw server',
    role: 'ours',
    client: { ...ours, variant: 'modern' },
    server: raw,
  },
  {
    id: 'oursServer',
    label: 'server deep-pilot, raw client',
    role: 'ours',
    client: { ...plain, variant: 'modern' },
    server,
  },
  {
    id: 'sdk1',
    label: 'SDK v1',
    role: 'peer',
    client: { file: 'sdk1-http-client' },
    server: { file: 'sdk1-http-server' },
  },
  {
    id: 'sdk2',
    label: 'SDK v2 handshake',
    role: 'peer',
    client: { ...sdk2.client, variant: 'legacy' },
    server: sdk2.server,
  },
  {
    id: 'sdk2Modern',
    label: 'SDK v2 2026-07-28',
    role: 'peer',
    client: { ...sdk2.client, variant: 'modern' },
    server: sdk2.server,
  },
]

const LONG = {
  inFlight: 32,
  warmUp: { atLeast: 4000, ms: 1000 },
  measure: { atLeast: 2000, ms: 1500 },
  serial: { atLeast: 300, ms: 500 },
}
const SHORT = {
  inFlight: 32,
  warmUp: { atLeast: 800, ms: 300 },
  measure: { atLeast: 500, ms: 300 },
  serial: { atLeast: 100, ms: 100 },
}

export async function httpTables(bench: Bench, wanted: ReadonlySet<string>): Promise<Table[]> {
  if (!wanted.has('P6') && !wanted.has('P7')) return []
  const outcomes = await measurePairs(bench, {
    section: 'http',
    driver: 'calls',
    pairs: PAIRS,
    order: () => (bench.options.quick ? SHORT : LONG),
  })
  const tables = [
    ...(wanted.has('P6') ? [throughput(outcomes)] : []),
    ...(wanted.has('P7') ? [serial(outcomes)] : []),
  ]
  return tables
}

const OURS = [
  ['ours', '2026-07-28'],
  ['oursLegacy', 'handshake'],
] as const

function throughput(outcomes: Outcomes): Table {
  const ofFloor = (id: string): number | undefined => againstFloor(outcomes, id, 'callsPerSecond')
  const over = (id: string, peer: string): number | undefined =>
    ratio(outcomes, [id, peer], 'callsPerSecond')
  return {
    name: 'P6',
    title: 'HTTP, 32 calls in flight, answers of JSON',
    columns: ['calls/s', 'of floor', 'client CPU us', 'server CPU us'],
    rows: pairRows(PAIRS, ({ id }) => [
      fixed(middle(outcomes, id, 'callsPerSecond'), 0),
      percent(ofFloor(id)),
      fixed(middle(outcomes, id, 'clientUs')),
      fixed(middle(outcomes, id, 'serverUs')),
    ]),
    verdicts: [
      ...OURS.map(([id, era]) => atLeast(`calls/s ${era}, of the floor`, ofFloor(id), 0.75)),
      atLeast('calls/s 2026-07-28, of SDK v2 2026-07-28', over('ours', 'sdk2Modern'), 5),
      atLeast('calls/s handshake, of SDK v1', over('oursLegacy', 'sdk1'), 8),
    ],
    notes: [
      'The floor is the better of echo and raw in a round.',
      ...problemNotes(PAIRS, outcomes),
    ],
  }
}

function serial(outcomes: Outcomes): Table {
  const ofFloor = (id: string): number | undefined => againstFloor(outcomes, id, 'p50Us')
  return {
    name: 'P7',
    title: 'HTTP, one call after the other, p50',
    columns: ['p50 us', 'of floor'],
    rows: pairRows(PAIRS, ({ id }) => [fixed(middle(outcomes, id, 'p50Us')), times(ofFloor(id))]),
    verdicts: OURS.map(([id, era]) => atMost(`p50 ${era}, of the floor`, ofFloor(id), 1.4)),
    notes: problemNotes(PAIRS, outcomes),
  }
}

/** The median over the rounds of a value against the better of echo and raw in the same round. */
function againstFloor(
  outcomes: Outcomes,
  id: string,
  value: 'callsPerSecond' | 'p50Us',
): number | undefined {
  const better = value === 'p50Us' ? Math.min : Math.max
  const of = (one: string, round: number): number | undefined =>
    outcomes.get(one)?.samples[round]?.[value]
  const rounds = outcomes.get(id)?.samples.length ?? 0
  return median(
    Array.from({ length: rounds }, (_, round) => {
      const bases = [of('echo', round), of('raw', round)].filter((base) => base !== undefined)
      const own = of(id, round)
      return own === undefined || bases.length === 0 ? undefined : own / better(...bases)
    }),
  )
}

const MB = 1_000_000
const LIMIT = 256 * 1024 * 1024
const SIZES = [1, 10, 50] as const

const BIG: readonly Pair[] = PAIRS.filter(({ id }) => id === 'rawModern' || id === 'ours')

export async function bigHttpTable(bench: Bench): Promise<Table> {
  const sized = SIZES.flatMap((mb) => BIG.map((pair) => ({ ...pair, id: `${pair.id}-${mb}`, mb })))
  const sizes = new Map(sized.map(({ id, mb }) => [id, mb]))
  const outcomes = await measurePairs(bench, {
    section: 'big-http',
    driver: 'big',
    pairs: sized,
    order: ({ id }) => ({
      bytes: (sizes.get(id) ?? 1) * MB,
      repeats: (sizes.get(id) ?? 1) > 10 ? 2 : 5,
      maxMessageBytes: LIMIT,
    }),
  })
  const speed = (mb: number): number | undefined => {
    const slower = ratio(outcomes, [`ours-${mb}`, `rawModern-${mb}`], 'ms')
    return slower === undefined ? undefined : 1 / slower
  }
  const perMb = (id: string, mb: number): number | undefined => {
    const ms = middle(outcomes, `${id}-${mb}`, 'ms')
    return ms === undefined ? undefined : ms / mb
  }
  const [one, fifty] = [perMb('ours', 1), perMb('ours', 50)]
  const memory = (side: string): number | undefined =>
    ratio(outcomes, ['ours-50', 'rawModern-50'], side)
  return {
    name: 'P8 HTTP',
    title: 'one big result over HTTP, 1 to 50 MB',
    columns: ['MB', 'ms', 'client MiB', 'server MiB'],
    rows: sized.map(({ id, label, role, mb }) => ({
      subject: label,
      role,
      figures: [
        String(mb),
        fixed(middle(outcomes, id, 'ms')),
        fixed(middle(outcomes, id, 'clientMiB'), 0),
        fixed(middle(outcomes, id, 'serverMiB'), 0),
      ],
    })),
    verdicts: [
      atMost(
        'time per MB at 50, of that at 1',
        one === undefined || fifty === undefined ? undefined : fifty / one,
        1.2,
      ),
      ...SIZES.map((mb) => atLeast(`MB/s at ${mb} MB, of raw`, speed(mb), 0.8)),
      atMost('peak memory of the client at 50 MB, of raw', memory('clientMiB'), 1.15),
      atMost('peak memory of the server at 50 MB, of raw', memory('serverMiB'), 1.15),
    ],
    notes: problemNotes(sized, outcomes),
  }
}
