/** P11: what importing the client and its stdio transport costs above a bare Node. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, runDriver } from '../driver.ts'
import { nodeFor, peerFolder } from '../peers/install.mjs'
import type { Cell, Outcomes } from '../rounds.ts'
import { median } from '../rounds.ts'
import { measureCells, problemNotes, type Bench } from '../section.ts'
import { missingPeer } from '../subjects.ts'
import { atMost, fixed, times, type Role, type Table } from '../table.ts'

interface Subject {
  readonly id: string
  readonly label: string
  readonly role: Role
  readonly modules: readonly string[]
  readonly peer?: 'fastmcp' | 'ai-sdk'
}

const SUBJECTS: readonly Subject[] = [
  { id: 'bare', label: 'bare node', role: 'base', modules: [] },
  { id: 'spawn', label: 'node:child_process alone', role: 'base', modules: ['node:child_process'] },
  {
    id: 'ours',
    label: 'deep-pilot client + stdio',
    role: 'ours',
    modules: ['dist/index.js', 'dist/node/index.js'],
  },
  {
    id: 'sdk2',
    label: 'SDK v2 client + stdio',
    role: 'peer',
    modules: ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'],
  },
  {
    id: 'sdk1',
    label: 'SDK v1 client + stdio',
    role: 'peer',
    modules: [
      '@modelcontextprotocol/sdk/client/index.js',
      '@modelcontextprotocol/sdk/client/stdio.js',
    ],
  },
  { id: 'zod', label: 'zod alone', role: 'peer', modules: ['zod'] },
  {
    id: 'aiSdk',
    label: '@ai-sdk/mcp + stdio',
    role: 'peer',
    modules: ['@ai-sdk/mcp', '@ai-sdk/mcp/mcp-stdio'],
    peer: 'ai-sdk',
  },
  { id: 'fastmcp', label: 'fastmcp', role: 'peer', modules: ['fastmcp'], peer: 'fastmcp' },
]
const BAR_MS = 30

export async function importTable(bench: Bench): Promise<Table> {
  const problems = new Map<string, string>()
  const cells: Cell[] = []
  for (const subject of SUBJECTS) {
    const problem = missing(subject, bench.options.install)
    if (problem !== undefined) problems.set(subject.id, problem)
    else cells.push(cellOf(subject))
  }
  const outcomes = await measureCells(bench, { section: 'import', cells, problems })
  const ours = above(outcomes, 'ours')
  return {
    name: 'P11',
    title: 'importing the client with stdio, above bare node',
    columns: ['CPU ms', 'of SDK v2'],
    rows: SUBJECTS.map(({ id, label, role }) => ({
      subject: label,
      role,
      figures: [
        id === 'bare' ? `(${fixed(median(cpuTimes(outcomes, id)))})` : fixed(above(outcomes, id)),
        id === 'bare' ? '' : times(ofSdk2(outcomes, id)),
      ],
    })),
    verdicts: [
      {
        what: 'CPU above bare node',
        figure: `${fixed(ours)} ms`,
        bar: `<= ${BAR_MS} ms`,
        reached: ours === undefined ? undefined : ours <= BAR_MS,
      },
      atMost('CPU above bare node, of SDK v2', ofSdk2(outcomes, 'ours'), 0.15),
    ],
    notes: [
      '@ai-sdk/mcp runs on the newer Node it needs; the bare one beside it is this one.',
      ...problemNotes(SUBJECTS, outcomes),
    ],
  }
}

function cpuTimes(outcomes: Outcomes, id: string): readonly (number | undefined)[] {
  return (outcomes.get(id)?.samples ?? []).map((sample) => sample?.['cpuMs'])
}

/** The median over the rounds of what lies above the bare node of the same round. */
function above(outcomes: Outcomes, id: string): number | undefined {
  return median(aboveByRound(outcomes, id))
}

function aboveByRound(outcomes: Outcomes, id: string): readonly (number | undefined)[] {
  const bare = cpuTimes(outcomes, 'bare')
  return cpuTimes(outcomes, id).map((cpu, round) => {
    const base = bare[round]
    return cpu === undefined || base === undefined ? undefined : cpu - base
  })
}

function ofSdk2(outcomes: Outcomes, id: string): number | undefined {
  const base = aboveByRound(outcomes, 'sdk2')
  return median(
    aboveByRound(outcomes, id).map((value, round) => {
      const below = base[round]
      return value === undefined || below === undefined ? undefined : value / below
    }),
  )
}

function missing({ id, peer }: Subject, mayInstall: boolean): string | undefined {
  if (id === 'ours' && !existsSync(join(root, 'dist/index.js'))) {
    return 'dist/ is not built: run "npm run build"'
  }
  return peer === undefined ? undefined : missingPeer(peer, mayInstall)
}

function cellOf({ id, modules, peer }: Subject): Cell {
  const node = peer === undefined ? process.execPath : nodeFor(peer)
  const loader =
    peer === undefined ? undefined : pathToFileURL(join(peerFolder(peer), 'load.mjs')).href
  return {
    id,
    measure: () => runDriver('import', { loader, modules: modules.map(address) }, { node }),
  }
}

function address(name: string): string {
  return name.startsWith('dist/') ? pathToFileURL(join(root, name)).href : name
}
