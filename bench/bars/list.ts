/** P10: `tools/list` of 5,000 tools of about 1.4 kB, half of them with an output schema. */

import { measurePairs, pairRows, problemNotes, type Bench } from '../section.ts'
import { middle, ratio } from '../rounds.ts'
import { clients as c, servers as s, type Pair } from '../subjects.ts'
import { atMost, fixed, times, type Table } from '../table.ts'

const PAIRS: readonly Pair[] = [
  { id: 'raw', label: 'raw', role: 'base', client: c.raw, server: s.raw },
  { id: 'oursClient', label: 'client deep-pilot', role: 'ours', client: c.ours, server: s.raw },
  { id: 'sdk1Client', label: 'client SDK v1', role: 'peer', client: c.sdk1, server: s.raw },
  { id: 'sdk2Client', label: 'client SDK v2', role: 'peer', client: c.sdk2, server: s.raw },
  { id: 'aiSdkClient', label: 'client @ai-sdk/mcp', role: 'peer', client: c.aiSdk, server: s.raw },
  { id: 'oursServer', label: 'server deep-pilot', role: 'ours', client: c.raw, server: s.ours },
  {
    id: 'oursModernServer',
    label: 'server deep-pilot 2026-07-28',
    role: 'ours',
    client: c.rawModern,
    server: s.ours,
  },
  { id: 'sdk1Server', label: 'server SDK v1', role: 'peer', client: c.raw, server: s.sdk1 },
  { id: 'sdk2Server', label: 'server SDK v2', role: 'peer', client: c.raw, server: s.sdk2 },
  { id: 'fastmcpServer', label: 'server fastmcp', role: 'peer', client: c.raw, server: s.fastmcp },
]
const TOOLS = 5000

export async function listTable(bench: Bench): Promise<Table> {
  const outcomes = await measurePairs(bench, {
    section: 'list',
    driver: 'list',
    pairs: PAIRS,
    order: () => ({ tools: TOOLS, repeats: bench.options.quick ? 3 : 6 }),
    serverWords: () => ['--tools', String(TOOLS)],
  })
  const of = (id: string, value: string): number | undefined => ratio(outcomes, [id, 'raw'], value)
  return {
    name: 'P10',
    title: 'tools/list of 5,000 tools',
    columns: [
      'first ms',
      'of raw',
      'later ms',
      'of raw',
      'client CPU',
      'of raw',
      'server CPU',
      'of raw',
    ],
    rows: pairRows(PAIRS, ({ id }) =>
      ['firstMs', 'laterMs', 'laterCpuMs', 'laterServerCpuMs'].flatMap((value) => [
        fixed(middle(outcomes, id, value), 0),
        times(of(id, value)),
      ]),
    ),
    verdicts: [
      atMost('client, first list, of raw', of('oursClient', 'firstMs'), 1.3),
      atMost('client, later lists, of raw', of('oursClient', 'laterMs'), 1.3),
      atMost('client CPU, later lists, of raw', of('oursClient', 'laterCpuMs'), 1.3),
      atMost('server, from the second list, of raw', of('oursServer', 'laterMs'), 1.1),
      atMost(
        'server 2026-07-28, from the second list, of raw',
        of('oursModernServer', 'laterMs'),
        1.1,
      ),
    ],
    notes: ['CPU: milliseconds a later list.', ...problemNotes(PAIRS, outcomes)],
  }
}
