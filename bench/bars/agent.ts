/**
 * The agent's bars: what a call costs through loop, policy and catalogue beside the same call in this process, and what 5,000 tools cost a
 * request beside one `JSON.stringify` of their definitions. All of it is processor time.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, runDriver } from '../driver.ts'
import { middle, ratio, type Outcomes } from '../rounds.ts'
import { measureCells, problemNotes, type Bench } from '../section.ts'
import { atMost, fixed, times, type Role, type Table } from '../table.ts'

const TOOLS = 5000
const CALL_BAR = 2
const FIRST_BAR = 5
const NEXT_BAR = 1.2

interface Way {
  readonly id: string
  readonly label: string
  readonly role: Role
}

interface CallWay extends Way {
  readonly way: string
}

/** By a tool that reads a small file, as the least of real tools do; the bars are beside the same tool without the loop. */
const READING: readonly CallWay[] = [
  { id: 'checked', way: 'checked', label: 'function, arguments checked', role: 'base' },
  { id: 'server', way: 'server', label: 'server in this process', role: 'base' },
  {
    id: 'native',
    way: 'loopNative',
    label: 'loop, tool of the host',
    role: 'ours',
  },
  { id: 'loop', way: 'loop', label: 'loop, that server', role: 'ours' },
]

/** Each beside the same call without the loop. */
const BARS: readonly (readonly [id: string, base: string])[] = [
  ['native', 'checked'],
  ['loop', 'server'],
]

/** By a tool that does nothing: what all of it costs by itself. */
const IDLE: readonly CallWay[] = READING.map((way) => ({
  ...way,
  id: `${way.id}Idle`,
  label: `${way.label}; does nothing`,
}))

const CALLS: readonly CallWay[] = [...READING, ...IDLE]

export async function agentCallTable(bench: Bench): Promise<Table> {
  const { quick } = bench.options
  const scale = { calls: quick ? 1000 : 16_000, warmUp: quick ? 500 : 20_000 }
  const outcomes = await measure(
    bench,
    ['agentcalls', 'agent-calls'],
    CALLS.map((call) => ({
      ...call,
      order: {
        way: call.way,
        body: READING.includes(call) ? 'file' : 'none',
        perReply: 8,
        perRun: 80,
        tools: 100,
        ...scale,
      },
    })),
  )
  const of = (id: string, base: string): number | undefined => ratio(outcomes, [id, base], 'us')
  return {
    name: 'agentcalls',
    title:
      'a call that a model wants, among 100 tools, eight in a reply; the tool reads a file of 3 KB',
    columns: ['CPU us', 'of the function', 'of the server'],
    rows: CALLS.map((call) => {
      const end = READING.includes(call) ? '' : 'Idle'
      return {
        subject: call.label,
        role: call.role,
        figures: [
          fixed(middle(outcomes, call.id, 'us')),
          times(of(call.id, `checked${end}`)),
          times(of(call.id, `server${end}`)),
        ],
      }
    }),
    verdicts: BARS.map(([id, base]) => {
      const label = CALLS.find((call) => call.id === id)?.label ?? id
      return atMost(`${label}: CPU of the same call without it`, of(id, base), CALL_BAR)
    }),
    notes: problemNotes(CALLS, outcomes),
  }
}

interface Catalogue extends Way {
  readonly dialect: string
  readonly discovery: string
}

const CATALOGUES: readonly Catalogue[] = [
  { id: 'plain', label: 'all sent', role: 'ours', dialect: 'plain', discovery: 'off' },
  {
    id: 'deepseek',
    label: 'all sent to DeepSeek',
    role: 'ours',
    dialect: 'deepseek',
    discovery: 'off',
  },
  {
    id: 'deferred',
    label: 'looked up by the model',
    role: 'ours',
    dialect: 'deepseek',
    discovery: 'auto',
  },
]

export async function agentCatalogueTable(bench: Bench): Promise<Table> {
  const { quick } = bench.options
  const tools = quick ? 500 : TOOLS
  const outcomes = await measure(
    bench,
    ['agentcatalogue', 'agent-catalogue'],
    CATALOGUES.map(({ dialect, discovery, ...way }) => ({
      ...way,
      order: { tools, dialect, discovery, repeats: quick ? 5 : 15 },
    })),
  )
  const of = (id: string, value: string): number | undefined => quotient(outcomes, id, value)
  return {
    name: 'agentcatalogue',
    title: `a request with ${tools} tools in the catalogue, beside one JSON.stringify of their definitions`,
    columns: ['stringify ms', 'first ms', 'of it', 'next ms', 'of it'],
    rows: CATALOGUES.map(({ id, label, role }) => ({
      subject: label,
      role,
      figures: [
        fixed(middle(outcomes, id, 'stringifyMs')),
        fixed(middle(outcomes, id, 'firstMs')),
        times(of(id, 'firstMs')),
        fixed(middle(outcomes, id, 'nextMs'), 2),
        times(of(id, 'nextMs')),
      ],
    })),
    verdicts: CATALOGUES.flatMap(({ id, label }) => [
      atMost(`${label}: first, of one stringify`, of(id, 'firstMs'), FIRST_BAR),
      atMost(`${label}: next, of one stringify`, of(id, 'nextMs'), NEXT_BAR),
    ]),
    notes: problemNotes(CATALOGUES, outcomes),
  }
}

/** The median over all rounds of a value divided by the time of one stringify in the same process. */
function quotient(outcomes: Outcomes, id: string, value: string): number | undefined {
  const outcome = outcomes.get(id)
  if (outcome === undefined) return undefined
  const quotients = outcome.samples.map((sample) => ({
    of: (sample?.[value] ?? Number.NaN) / (sample?.['stringifyMs'] ?? Number.NaN),
  }))
  return middle(new Map([[id, { samples: quotients }]]), id, 'of')
}

interface Measured extends Way {
  readonly order: Readonly<Record<string, string | number>>
}

function measure(
  bench: Bench,
  [section, driver]: readonly [string, string],
  ways: readonly Measured[],
): Promise<Outcomes> {
  const built = existsSync(join(root, 'dist/agent/index.js'))
  const problem = 'dist/ is not built: run "npm run build"'
  const cells = ways.map(({ id, order }) => ({
    id,
    measure: () => runDriver(driver, order),
  }))
  return measureCells(bench, {
    section,
    cells: built ? cells : [],
    problems: new Map(built ? [] : ways.map(({ id }) => [id, problem])),
  })
}
