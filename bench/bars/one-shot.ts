/** P13: one tool call from a shell, the whole process, against a script that does just that. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchFile, capture, root } from '../driver.ts'
import { nodeFor, peerFolder } from '../peers/install.mjs'
import { middle, ratio, type Cell, type Outcomes } from '../rounds.ts'
import { measureCells, problemNotes, type Bench } from '../section.ts'
import { missingPeer } from '../subjects.ts'
import { atMost, fixed, times, type Role, type Table, type Verdict } from '../table.ts'

interface Subject {
  readonly id: string
  readonly label: string
  readonly role: Role
  readonly peer?: 'mcporter' | 'inspector'
  /** The script and its words; some take the server from the config file at that path. */
  words(config: string): readonly string[]
}

const TEXT = 'hello'
const SERVER = [process.execPath, benchFile('subjects', 'raw-server.mjs')]
const CALL = ['echo', `text=${TEXT}`, '--', ...SERVER]
const SUBJECTS: readonly Subject[] = [
  {
    id: 'script',
    label: 'script of 40 lines',
    role: 'base',
    words: () => [benchFile('subjects', 'one-shot.mjs'), ...CALL],
  },
  {
    id: 'ours',
    label: 'deep-pilot call',
    role: 'ours',
    words: () => [join(root, 'dist/cli/main.js'), 'call', ...CALL],
  },
  {
    id: 'mcporter',
    label: 'mcporter call',
    role: 'peer',
    peer: 'mcporter',
    words: (config) => [
      join(peerFolder('mcporter'), 'node_modules/mcporter/dist/cli.js'),
      '--config',
      config,
      'call',
      'raw.echo',
      `text=${TEXT}`,
    ],
  },
  {
    id: 'inspector',
    label: 'Inspector --cli',
    role: 'peer',
    peer: 'inspector',
    words: (config) => [
      join(
        peerFolder('inspector'),
        'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
      ),
      '--cli',
      '--config',
      config,
      '--server',
      'raw',
      '--method',
      'tools/call',
      '--tool-name',
      'echo',
      '--tool-arg',
      `text=${TEXT}`,
    ],
  },
]

export async function oneShotTable(bench: Bench): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-bench-call-'))
  try {
    return tableOf(await measure(bench, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(bench: Bench, folder: string): Promise<Outcomes> {
  const config = join(folder, '.mcp.json')
  const [command, ...args] = SERVER
  writeFileSync(config, JSON.stringify({ mcpServers: { raw: { command, args } } }))
  const problems = new Map<string, string>()
  const cells: Cell[] = []
  for (const subject of SUBJECTS) {
    const problem = missing(subject, bench.options.install)
    if (problem !== undefined) problems.set(subject.id, problem)
    else cells.push(cellOf(subject, folder, config))
  }
  return await measureCells(bench, { section: 'one-shot', cells, problems })
}

function cellOf(subject: Subject, folder: string, config: string): Cell {
  const node = subject.peer === undefined ? process.execPath : nodeFor(subject.peer)
  return {
    id: subject.id,
    async measure() {
      // A home of its own, so that no peer finds or leaves anything in the user's.
      const env = { ...process.env, HOME: folder }
      const done = await capture(node, subject.words(config), {
        cwd: folder,
        env,
        timeoutMs: 60_000,
      })
      if (done.code !== 0 || !done.stdout.includes(TEXT)) {
        throw new Error(
          `exit ${done.code}: ${done.stderr.trim().split('\n')[0] ?? ''}`.slice(0, 160),
        )
      }
      return { wallMs: done.wallMs }
    },
  }
}

function missing({ id, peer }: Subject, mayInstall: boolean): string | undefined {
  if (id === 'ours' && !existsSync(join(root, 'dist/cli/main.js'))) {
    return 'dist/cli/main.js is not built: run "npm run build"'
  }
  return peer === undefined ? undefined : missingPeer(peer, mayInstall)
}

function tableOf(outcomes: Outcomes): Table {
  const of = (id: string, base: string): number | undefined => ratio(outcomes, [id, base], 'wallMs')
  return {
    name: 'P13',
    title: 'one call of a tool from a shell, whole process',
    columns: ['ms', 'of the script'],
    rows: SUBJECTS.map(({ id, label, role }) => ({
      subject: label,
      role,
      figures: [fixed(middle(outcomes, id, 'wallMs'), 0), times(of(id, 'script'))],
    })),
    verdicts: [
      atMost('whole process, of the script', of('ours', 'script'), 1.2),
      faster('mcporter', of('mcporter', 'ours')),
      faster('Inspector', of('inspector', 'ours')),
    ],
    notes: [
      'mcporter and the Inspector run on the newer Node that they ask for.',
      ...problemNotes(SUBJECTS, outcomes),
    ],
  }
}

function faster(than: string, factor: number | undefined): Verdict {
  const reached = factor === undefined ? undefined : factor >= 3
  return { what: `faster than ${than}`, figure: times(factor), bar: '>= 3.00 x', reached }
}
