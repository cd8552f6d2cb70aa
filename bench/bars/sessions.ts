/** P15: what a session costs an HTTP server, whether it is given back, and whether requests without one leave anything. */

import { measureCells, type Bench } from '../section.ts'
import { benchFile, runDriver } from '../driver.ts'
import { middle } from '../rounds.ts'
import { fixed, percent, type Table, type Verdict } from '../table.ts'

const BAR_KB = 4

export async function sessionTable(bench: Bench): Promise<Table> {
  const sessions = bench.options.quick ? 2000 : 10_000
  const order = { sessions, requests: bench.options.quick ? 2000 : 10_000 }
  const outcomes = await measureCells(bench, {
    section: 'sessions',
    rounds: Math.min(bench.options.rounds, 3),
    cells: [
      {
        id: 'ours',
        measure: () =>
          runDriver('sessions', order, { nodeWords: ['--expose-gc'], node: process.execPath }),
      },
    ],
  })
  const value = (name: string): number | undefined => middle(outcomes, 'ours', name)
  const problem = outcomes.get('ours')?.problem
  const at = (what: string, name: string, limit: number, unit: string): Verdict => {
    const figure = value(name)
    return {
      what,
      figure: unit === '%' ? percent(figure) : `${fixed(figure)} ${unit}`,
      bar: unit === '%' ? `<= ${percent(limit)}` : `<= ${limit} ${unit}`,
      reached: figure === undefined ? undefined : figure <= limit,
    }
  }
  return {
    name: 'P15',
    title: `HTTP server memory: ${sessions} sessions of the handshake era, then as many requests without one`,
    columns: ['kB a session', 'left after DELETE', 'left after expiry', 'kB a request'],
    rows: [
      {
        subject: 'deep-pilot',
        role: 'ours',
        figures: [
          fixed(value('sessionKb'), 2),
          percent(value('afterDelete')),
          percent(value('afterExpiry')),
          fixed(value('requestKb'), 3),
        ],
      },
    ],
    verdicts: [
      at('heap of a session', 'sessionKb', BAR_KB, 'kB'),
      at('of it left after DELETE', 'afterDelete', 0.1, '%'),
      at('of it left after expiry', 'afterExpiry', 0.1, '%'),
      at('heap that a request without a session leaves', 'requestKb', 0.02, 'kB'),
    ],
    notes: [
      `The driver runs ${benchFile('drivers', 'sessions.mjs').split('/').at(-1)}: the handler is called as a function, so that sockets are not counted.`,
      ...(problem === undefined ? [] : [problem]),
    ],
  }
}
