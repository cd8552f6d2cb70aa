/** P8 over stdio: one big text, whole and cut into pieces of 8 kB. */

import { measurePairs, problemNotes, type Bench } from '../section.ts'
import { middle, ratio, type Outcomes } from '../rounds.ts'
import { clients as c, servers as s, type Pair } from '../subjects.ts'
import { atLeast, atMost, fixed, percent, times, type Table, type Verdict } from '../table.ts'

const MB = 1_000_000
const LIMIT = 256 * 1024 * 1024
const SMALLEST = 1
const LARGEST = 50
/** The peers take time that grows with the square: beyond this they are not measured. */
const PEERS_UP_TO = 10

interface Sized extends Pair {
  readonly group: string
  readonly mb: number
}

const GROUPS: readonly (Omit<Pair, 'id'> & { readonly id: string })[] = [
  { id: 'raw', label: 'raw', role: 'base', client: c.raw, server: s.raw },
  { id: 'rawCut', label: 'raw, cut', role: 'base', client: c.raw, server: s.rawCut },
  { id: 'ours', label: 'deep-pilot', role: 'ours', client: c.ours, server: s.ours },
  {
    id: 'oursCut',
    label: 'deep-pilot client, cut',
    role: 'ours',
    client: c.ours,
    server: s.rawCut,
  },
  { id: 'sdk1', label: 'SDK v1', role: 'peer', client: c.sdk1, server: s.sdk1 },
  { id: 'sdk2', label: 'SDK v2', role: 'peer', client: c.sdk2, server: s.sdk2 },
  { id: 'aiSdk', label: '@ai-sdk/mcp, raw server', role: 'peer', client: c.aiSdk, server: s.raw },
]

export async function bigTable(bench: Bench): Promise<Table> {
  const sizes = bench.options.quick ? [SMALLEST, 10, LARGEST] : [SMALLEST, 10, 30, LARGEST]
  const pairs: Sized[] = sizes.flatMap((mb) =>
    GROUPS.filter(({ role }) => role !== 'peer' || mb <= PEERS_UP_TO).map((group) => ({
      ...group,
      id: `${group.id}-${mb}`,
      group: group.id,
      mb,
      client: { ...group.client },
    })),
  )
  const outcomes = await measurePairs(bench, {
    section: 'big',
    driver: 'big',
    pairs,
    order: (pair) => ({
      bytes: sizeOf(pairs, pair) * MB,
      repeats: sizeOf(pairs, pair) > 10 ? 2 : 5,
      maxMessageBytes: LIMIT,
    }),
  })
  return {
    name: 'P8',
    title: 'one big result over stdio, 1 to 50 MB, whole and in writes of 8 kB',
    columns: ['MB', 'ms', 'MB/s of raw', 'client MiB', 'of raw', 'server MiB', 'of raw'],
    rows: pairs.map(({ id, label, role, group, mb }) => {
      const base = baseOf(group, mb)
      return {
        subject: label,
        role,
        figures: [
          String(mb),
          fixed(middle(outcomes, id, 'ms')),
          percent(ratio(outcomes, [base, id], 'ms')),
          fixed(middle(outcomes, id, 'clientMiB'), 0),
          times(ratio(outcomes, [id, base], 'clientMiB')),
          fixed(middle(outcomes, id, 'serverMiB'), 0),
          times(ratio(outcomes, [id, base], 'serverMiB')),
        ],
      }
    }),
    verdicts: ['ours', 'oursCut'].flatMap((group) => verdicts(outcomes, group, sizes)),
    notes: [
      `Limits are raised for the larger ones; peers above ${PEERS_UP_TO} MB are left out: by default they close the connection there.`,
      ...problemNotes(pairs, outcomes).slice(0, 6),
    ],
  }
}

function verdicts(outcomes: Outcomes, group: string, sizes: readonly number[]): Verdict[] {
  const id = (mb: number): string => `${group}-${mb}`
  const growth = perMb(ratio(outcomes, [id(LARGEST), id(SMALLEST)], 'ms'))
  const slowest = smallest(sizes.map((mb) => ratio(outcomes, [baseOf(group, mb), id(mb)], 'ms')))
  const what = group === 'ours' ? 'whole' : 'cut'
  return [
    atMost(`${what}: time per MB at 50 MB, of that at 1 MB`, growth, 1.2),
    atLeast(`${what}: MB/s at the worst size, of raw`, slowest, 0.8),
    atMost(
      `${what}: peak memory of the client at 50 MB, of raw`,
      memory(outcomes, group, 'clientMiB'),
      1.15,
    ),
    ...(group === 'ours'
      ? [
          atMost(
            `${what}: peak memory of the server at 50 MB, of raw`,
            memory(outcomes, group, 'serverMiB'),
            1.15,
          ),
        ]
      : []),
  ]
}

function memory(outcomes: Outcomes, group: string, value: string): number | undefined {
  return ratio(outcomes, [`${group}-${LARGEST}`, baseOf(group, LARGEST)], value)
}

function baseOf(group: string, mb: number): string {
  return `${group.endsWith('Cut') ? 'rawCut' : 'raw'}-${mb}`
}

function sizeOf(pairs: readonly Sized[], pair: Pair): number {
  return pairs.find(({ id }) => id === pair.id)?.mb ?? SMALLEST
}

function perMb(growth: number | undefined): number | undefined {
  return growth === undefined ? undefined : (growth * SMALLEST) / LARGEST
}

function smallest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
