/**
 * `npm run bench`: measures this project beside its peers in one run and prints a table for each bar.
 * All figures are ratios to a named base of the same run; absolute times mean nothing elsewhere.
 */

import { writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform } from 'node:os'
import { agentCallTable, agentCatalogueTable } from './bars/agent.ts'
import { bigTable } from './bars/big.ts'
import { callTables } from './bars/calls.ts'
import { channelTable } from './bars/channel.ts'
import { connectTable } from './bars/connect.ts'
import { exitTable } from './bars/exit.ts'
import { hostFaultsTable, hostOpenTable } from './bars/host.ts'
import { bigHttpTable, httpTables } from './bars/http.ts'
import { idleTable } from './bars/idle.ts'
import { importTable } from './bars/import.ts'
import { installTable } from './bars/install.ts'
import { listTable } from './bars/list.ts'
import { oneShotTable } from './bars/one-shot.ts'
import { sessionTable } from './bars/sessions.ts'
import { readOptions, USAGE, type Options, type Section } from './options.ts'
import { profileCalls } from './profile.ts'
import type { Outcomes } from './rounds.ts'
import type { Bench } from './section.ts'
import { render, type Table } from './table.ts'

const SINGLE: readonly (readonly [Section, (bench: Bench) => Promise<Table>])[] = [
  ['P8', bigTable],
  ['P8http', bigHttpTable],
  ['P9', connectTable],
  ['P9host', hostOpenTable],
  ['P10', listTable],
  ['P11', importTable],
  ['P12', installTable],
  ['P13', oneShotTable],
  ['P14', idleTable],
  ['P15', sessionTable],
  ['channel', channelTable],
  ['exit', exitTable],
  ['hostfaults', hostFaultsTable],
  ['agentcalls', agentCallTable],
  ['agentcatalogue', agentCatalogueTable],
]

await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<void> {
  if (words.includes('--help')) {
    process.stdout.write(USAGE)
    return
  }
  let options: Options
  try {
    options = readOptions(words)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exitCode = 1
    return
  }
  await run(options)
}

async function run(options: Options): Promise<void> {
  const kept: Record<string, Record<string, unknown>> = {}
  const bench: Bench = {
    options,
    progress(text) {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
    },
    keep(section, outcomes: Outcomes) {
      kept[section] = Object.fromEntries(outcomes)
    },
  }
  const tables: Table[] = []
  const machine = machineLine(options)
  print(machine)
  const show = (table: Table): void => {
    tables.push(table)
    print(`\n${render(table)}`)
  }
  for (const table of await callTables(bench, options.only)) show(table)
  for (const table of await httpTables(bench, options.only)) show(table)
  for (const [name, make] of SINGLE) if (options.only.has(name)) show(await make(bench))
  if (options.profile !== undefined) print(`\n${await profileCalls(bench, options.profile)}`)
  print(`\n${summary(tables)}; load at the end ${loadavg()[0]?.toFixed(1)}`)
  if (options.json !== undefined) {
    writeFileSync(
      options.json,
      `${JSON.stringify({ machine, options: { ...options, only: [...options.only] }, tables, samples: kept }, null, 1)}\n`,
    )
  }
}

function print(text: string): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K')
  process.stdout.write(`${text}\n`)
}

function machineLine({ rounds, quick }: Options): string {
  const load = loadavg()[0] ?? 0
  const busy = load > 1 ? ' - busy: wait for a quiet machine before you believe a figure' : ''
  return `Node ${process.versions.node}, ${platform()} ${arch()}, ${cpus().length} cores, load ${load.toFixed(1)}${busy}; ${rounds} rounds${quick ? ', quick: proves no bar' : ''}`
}

function summary(tables: readonly Table[]): string {
  const verdicts = tables.flatMap((table) => table.verdicts)
  const count = (reached: boolean | undefined): number =>
    verdicts.filter((verdict) => verdict.reached === reached).length
  return `Bars reached: ${count(true)}, missed: ${count(false)}, open: ${count(undefined)}`
}
