/**
 * The host's bars: `P9host`, starting fifty servers through `Host.open`; `hostfaults`, what one server's fault costs the calls to
 * nineteen others beside a bare reader of the same fault, and what servers cost that crash in a loop.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { benchFile, root, runDriver } from '../driver.ts'
import { middle, ratio, type Cell, type Outcomes } from '../rounds.ts'
import { measureCells, problemNotes, type Bench } from '../section.ts'
import { atMost, fixed, percent, times, type Role, type Table, type Verdict } from '../table.ts'

const SERVERS = 50
const OTHERS = 19
const LOOPING = 20
/** At most five crashes are allowed in this time, so that no loop costs more than this over and over. */
const CRASH_WINDOW_MS = 180_000
const LOOP_BAR = 0.05

interface Way {
  readonly id: string
  readonly label: string
  readonly role: Role
  readonly way: string
}

const OPENINGS: readonly Way[] = [
  { id: 'raw', label: 'raw handshake', role: 'base', way: 'raw' },
  { id: 'listed', label: 'raw handshake and list', role: 'base', way: 'listed' },
  { id: 'host', label: 'host', role: 'ours', way: 'host' },
  { id: 'disk', label: 'host with records on disk', role: 'ours', way: 'disk' },
]

const rawServer = {
  command: process.execPath,
  args: [benchFile('subjects', 'raw-server.mjs')],
}
const faultyServer = (way: string): object => ({
  command: process.execPath,
  args: [join(root, 'test', 'support', 'peers', 'faulty.mjs'), way],
})

export async function hostOpenTable(bench: Bench): Promise<Table> {
  const servers = bench.options.quick ? 10 : SERVERS
  const outcomes = await measure(
    bench,
    'hostopen',
    OPENINGS.map(({ id, way }) => ({
      id,
      measure: () => runDriver('host-open', { way, servers, server: rawServer }),
    })),
  )
  return {
    name: 'P9host',
    title: `starting ${servers} stdio servers at once, until all of them can be used`,
    columns: ['wall ms', 'of raw', 'CPU ms', 'of raw'],
    rows: OPENINGS.map(({ id, label, role }) => ({
      subject: label,
      role,
      figures: [
        fixed(middle(outcomes, id, 'wallMs')),
        times(ratio(outcomes, [id, 'raw'], 'wallMs')),
        fixed(middle(outcomes, id, 'cpuMs')),
        times(ratio(outcomes, [id, 'raw'], 'cpuMs')),
      ],
    })),
    verdicts: ['host', 'disk'].map((id) =>
      atMost(`${id}, ${servers}: wall, of raw`, ratio(outcomes, [id, 'raw'], 'wallMs'), 1.1),
    ),
    notes: notes(OPENINGS, outcomes),
  }
}

/** The word of the faulty server, and what people call the fault. */
const FAULTS: readonly (readonly [way: string, label: string])[] = [
  ['steady', 'killed every 400 ms'],
  ['hang', 'hangs'],
  ['stdout', 'floods stdout'],
  ['stderr', 'floods stderr'],
  ['notifications', 'floods notifications'],
  ['storm', 'storm of list_changed'],
  ['garbage', 'garbage'],
  ['loop', 'crash loop'],
  ['mute', 'never starts'],
]

export async function hostFaultsTable(bench: Bench): Promise<Table> {
  const { quick } = bench.options
  const pace = quick ? { warmUpMs: 300, ms: 700 } : { warmUpMs: 1000, ms: 3000 }
  const cells = FAULTS.flatMap(([fault]) =>
    ['bare', 'host'].map((way) => ({
      id: `${fault}-${way}`,
      measure: () =>
        runDriver('host-faults', {
          way,
          others: OTHERS,
          server: rawServer,
          faulty: faultyServer(fault),
          ...pace,
        }),
    })),
  )
  const loop: Cell = {
    id: 'loop',
    measure: () =>
      runDriver('host-loop', { servers: LOOPING, faulty: faultyServer('loop'), idleMs: 1000 }),
  }
  const outcomes = await measure(bench, 'hostfaults', [...cells, loop])
  const p99 = (fault: string): number | undefined =>
    ratio(outcomes, [`${fault}-host`, `${fault}-bare`], 'p99Ms')
  return {
    name: 'hostfaults',
    title: `calls to ${OTHERS} servers while a twentieth has a fault; beside a bare reader of the same fault`,
    columns: ['p50 ms', 'p99 ms', 'p99 ms, bare', 'p99, of bare', 'failed'],
    rows: FAULTS.map(([fault, label]) => ({
      subject: label,
      role: 'ours',
      figures: [
        fixed(middle(outcomes, `${fault}-host`, 'p50Ms'), 2),
        fixed(middle(outcomes, `${fault}-host`, 'p99Ms'), 2),
        fixed(middle(outcomes, `${fault}-bare`, 'p99Ms'), 2),
        times(p99(fault)),
        fixed(failures(outcomes, fault), 0),
      ],
    })),
    verdicts: [
      ...FAULTS.map(([fault, label]) => atMost(`${label}: p99, of bare`, p99(fault), 2)),
      noneFailed(outcomes),
      ...loopVerdicts(outcomes),
    ],
    notes: notes(
      [...cells, loop].map(({ id }) => ({ id, label: id })),
      outcomes,
    ),
  }
}

function measure(bench: Bench, section: string, cells: readonly Cell[]): Promise<Outcomes> {
  const built = existsSync(join(root, 'dist/host/index.js'))
  const problem = 'dist/ is not built: run "npm run build"'
  return measureCells(bench, {
    section,
    cells: built ? cells : [],
    problems: new Map(built ? [] : cells.map(({ id }) => [id, problem])),
  })
}

function notes(
  things: readonly { readonly id: string; readonly label: string }[],
  outcomes: Outcomes,
): readonly string[] {
  return [...new Set(problemNotes(things, outcomes))].slice(0, 6)
}

/** Calls of all rounds that failed or came back with something else; undefined when none was made. */
function failures(outcomes: Outcomes, fault: string): number | undefined {
  const samples = (outcomes.get(`${fault}-host`)?.samples ?? []).filter((one) => one !== undefined)
  if (samples.length === 0) return undefined
  return samples.reduce((sum, sample) => sum + (sample['failed'] ?? 0), 0)
}

function noneFailed(outcomes: Outcomes): Verdict {
  const counts = FAULTS.map(([fault]) => failures(outcomes, fault))
  const known = counts.every((count) => count !== undefined)
  const sum = counts.reduce<number>((all, count) => all + (count ?? 0), 0)
  return {
    what: 'calls that failed',
    figure: known ? String(sum) : '-',
    bar: '0',
    reached: known ? sum === 0 : undefined,
  }
}

/** What the loops cost until they are given up, spread over the time in which no more crashes than these are allowed. */
function loopVerdicts(outcomes: Outcomes): readonly Verdict[] {
  const host = middle(outcomes, 'loop', 'hostMs')
  const children = middle(outcomes, 'loop', 'childrenMs')
  const idle = middle(outcomes, 'loop', 'idleShare')
  const share = host === undefined ? undefined : (host + (children ?? 0)) / CRASH_WINDOW_MS
  const seconds = ((host ?? 0) / 1000).toFixed(1)
  return [
    {
      what: `${LOOPING} servers in a crash loop, of a core (host ${seconds} s, all in 3 minutes)`,
      figure: percent(share),
      bar: `< ${percent(LOOP_BAR)}`,
      reached: share === undefined ? undefined : share < LOOP_BAR,
    },
    {
      what: 'the same once they are given up, the host alone',
      figure: percent(idle),
      bar: `< ${percent(LOOP_BAR)}`,
      reached: idle === undefined ? undefined : idle < LOOP_BAR,
    },
  ]
}
