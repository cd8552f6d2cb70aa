/**
 * Meets the peers of the interop matrix: brings each, lets our client loose on its server and its client on ours, over every
 * transport and in every revision, and prints what came of it. The exit code is 0 when all is as expected.
 *
 * `npm run interop -- [--only NAME]… [--keep] [--json FILE]`; docs/interop.md says more. Not part of the tests: it needs a
 * network and some minutes. Only this machine's own addresses are spoken to.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Revision } from '../src/protocol/revision.ts'
import { bundleFile } from '../test/support/bundle.ts'
import { meetClient } from './interop-clients.ts'
import { commandOf, install } from './interop-install.ts'
import { PEERS, type Face, type Peer } from './interop-peers.ts'
import { startServer } from './interop-process.ts'
import { jsonOf, remarksOf, summaryOf, tableOf } from './interop-report.ts'
import {
  isAsExpected,
  wantedOver,
  WAY_NAMES,
  WAYS,
  type Role,
  type Row,
  type RowPlan,
  type Way,
} from './interop-rows.ts'
import { meetServer, servePage, urlFor, type Address } from './interop-servers.ts'
import { meetStrangers } from './interop-strangers.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    keep: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const STRANGERS = 'strangers'

/** What the rows of a run share. */
interface Run {
  readonly folder: string
  readonly ourServer: string
  readonly page: string
  readonly rows: Row[]
  readonly left: string[]
}

process.exitCode = await main()

async function main(): Promise<number> {
  const names = [...PEERS.map(({ name }) => name), STRANGERS]
  const isMeant = (name: string): boolean =>
    values.only.length === 0 || values.only.some((word) => name.includes(word))
  if (!names.some(isMeant)) {
    console.error(`There is no such peer. Known: ${names.join(', ')}`)
    return 1
  }
  const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-interop-'))
  const ourServer = await bundleFile('test/interop/peers/typescript/our-server.ts')
  const page = await servePage()
  const run: Run = { folder, ourServer, page: page.url, rows: [], left: [] }
  try {
    for (const peer of PEERS.filter(({ name }) => isMeant(name))) await meet(peer, run)
    if (isMeant(STRANGERS)) {
      const { rows, left } = await meetStrangers([], { folder, tell })
      run.rows.push(...rows)
      run.left.push(...left)
    }
  } finally {
    await page.close()
    rmSync(ourServer, { force: true })
    if (values.keep) console.log(`Wires are kept in ${folder}`)
    else rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  print(run)
  return run.left.length === 0 && run.rows.every(isAsExpected) ? 0 : 1
}

function print({ rows, left }: Run): void {
  if (rows.length > 0) console.log(`\n${tableOf(rows)}\n`)
  const remarks = remarksOf(rows)
  if (remarks !== '') console.log(`${remarks}\n`)
  for (const line of left) console.log(`left out: ${line}`)
  console.log(summaryOf(rows, left))
  if (values.json !== undefined) writeFileSync(values.json, jsonOf(rows, left))
}

function tell(row: Row): void {
  const { peer, role, way, wanted, ms } = row
  const how = !isAsExpected(row) ? 'NOT OK' : row.spoken ? 'ok' : 'not spoken'
  console.log(`  ${peer} as ${role}, ${WAY_NAMES[way]}, ${wanted}: ${how} (${ms} ms)`)
}

async function meet(peer: Peer, run: Run): Promise<void> {
  console.log(`${peer.name} ${peer.version}`)
  const installed = install(peer)
  if ('missing' in installed) {
    run.left.push(`${peer.name}: ${installed.missing}`)
    return
  }
  for (const way of WAYS) {
    await meetAsServer(peer, { ...run, way, place: installed.folder })
    await meetAsClient(peer, { ...run, way, place: installed.folder })
  }
}

interface Meeting extends Run {
  readonly way: Way
  /** Where the programs of the peer are. */
  readonly place: string
}

async function meetAsServer(peer: Peer, meeting: Meeting): Promise<void> {
  const { way, place, rows, page, folder } = meeting
  const server = peer.server?.ways[way]
  if (peer.server === undefined || server === undefined) return
  const face = filled(peer.server.face, page)
  const command = commandOf(peer, place, server.command)
  const cwd = process.cwd()
  const running = way === 'stdio' ? undefined : await startServer(command, { cwd })
  try {
    for (const plan of plansOf(peer, { role: 'server', way, speaks: server.speaks })) {
      const address: Address =
        way === 'stdio' || running === undefined
          ? { way: 'stdio', command, cwd }
          : { way, url: urlFor(server, running.url, plan) }
      keep(rows, await meetServer(plan, face, { address, folder }))
    }
  } finally {
    await running?.close()
  }
}

async function meetAsClient(peer: Peer, meeting: Meeting): Promise<void> {
  const { way, place, rows, ourServer, folder } = meeting
  const speaks = peer.client?.ways[way]
  if (peer.client === undefined || speaks === undefined) return
  const command = commandOf(peer, place, peer.client.command)
  for (const plan of plansOf(peer, { role: 'client', way, speaks }))
    keep(rows, await meetClient(plan, { command, ourServer, folder }))
}

function keep(rows: Row[], row: Row): void {
  tell(row)
  rows.push(row)
}

function plansOf(
  { name, version, faults = [] }: Peer,
  what: { readonly role: Role; readonly way: Way; readonly speaks: readonly Revision[] },
): readonly RowPlan[] {
  const { role, way, speaks } = what
  return wantedOver(way).map((wanted) => {
    const spoken = wanted === 'auto' || speaks.includes(wanted)
    return { peer: name, version, role, way, wanted, spoken, faults }
  })
}

/** The face of a server with the page's address in its arguments. */
function filled(face: Face, page: string): Face {
  return JSON.parse(JSON.stringify(face).replaceAll('${PAGE}', page)) as Face // a face is JSON
}
