/** What the JSON-RPC layer costs by itself: a pulled iterator against a callback, and the wire tap. No bar of its own. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, runDriver } from '../driver.ts'
import { middle, ratio, type Cell } from '../rounds.ts'
import { measureCells, problemNotes, type Bench } from '../section.ts'
import { fixed, percent, type Role, type Table } from '../table.ts'

interface Kind {
  readonly id: string
  readonly label: string
  readonly role: Role
  readonly kind: 'callback' | 'pull' | 'peer'
  readonly tap: boolean
}

const KINDS: readonly Kind[] = [
  { id: 'callback', label: 'callback at the link', role: 'base', kind: 'callback', tap: false },
  { id: 'pull', label: 'channel, pulled', role: 'ours', kind: 'pull', tap: false },
  { id: 'pullTap', label: 'channel, pulled, tap on', role: 'ours', kind: 'pull', tap: true },
  { id: 'peer', label: 'peer', role: 'ours', kind: 'peer', tap: false },
  { id: 'peerTap', label: 'peer, tap on', role: 'ours', kind: 'peer', tap: true },
]

export async function channelTable(bench: Bench): Promise<Table> {
  const built = existsSync(join(root, 'dist/jsonrpc/index.js'))
  const problem = 'dist/ is not built: run "npm run build"'
  const window = bench.options.quick ? 300 : 1500
  const order = {
    warmUp: { atLeast: 20_000, ms: window / 2 },
    measure: { atLeast: 20_000, ms: window },
  }
  const cells: Cell[] = KINDS.map(({ id, kind, tap }) => ({
    id,
    measure: () => runDriver('channel', { kind, tap, ...order }),
  }))
  const outcomes = await measureCells(bench, {
    section: 'channel',
    cells: built ? cells : [],
    problems: new Map(built ? [] : KINDS.map(({ id }) => [id, problem])),
  })
  return {
    name: 'channel',
    title: 'calls within one process over the memory link, both ends, 64 in flight',
    columns: ['calls/s', 'of callback', 'CPU us'],
    rows: KINDS.map(({ id, label, role }) => ({
      subject: label,
      role,
      figures: [
        fixed(middle(outcomes, id, 'callsPerSecond'), 0),
        percent(ratio(outcomes, [id, 'callback'], 'callsPerSecond')),
        fixed(middle(outcomes, id, 'cpuUs'), 2),
      ],
    })),
    verdicts: [],
    notes: problemNotes(KINDS, outcomes),
  }
}
