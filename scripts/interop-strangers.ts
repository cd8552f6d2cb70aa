/**
 * Published servers of other authors: installs each into a folder of its own outside the repository, speaks with it in both
 * eras over the transport that it has, and tells every difference from what is known of it, as rows of the matrix.
 *
 * The list is `../shared/strangers.json`, or the file that STRANGERS names; without it there is nobody to meet.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isRevision } from '../src/protocol/revision.ts'
import type { JudgedWire } from '../test/support/judged-wire.ts'
import { startProgram } from './interop-process.ts'
import { STEPS, type Outcome, type Row, type Step } from './interop-rows.ts'
import { openWire, type RowName } from './interop-wire.ts'
import {
  checkStranger,
  environmentFor,
  ERAS,
  wordsFor,
  type Finding,
  type Place,
  type StrangerEra,
  type Stranger,
} from './stranger-check.ts'

const listFile = resolve(process.env['STRANGERS'] ?? '../shared/strangers.json')
const home = join(tmpdir(), 'deep-pilot-strangers')
const START_MS = 20_000

export interface Met {
  readonly rows: readonly Row[]
  /** Those that could not be met, and why. */
  readonly left: readonly string[]
}

/** Meets those of the names, or all; `tell` hears of each row, and wires go to the folder. */
export async function meetStrangers(
  names: readonly string[],
  { folder, tell }: { readonly folder: string; readonly tell: (row: Row) => void },
): Promise<Met> {
  if (!existsSync(listFile)) {
    console.log(`There is no ${listFile}: nobody to meet.`)
    return { rows: [], left: [] }
  }
  // The list is our own file; what it lacks shows at once.
  const all = JSON.parse(readFileSync(listFile, 'utf8')) as readonly Stranger[]
  const rows: Row[] = []
  const left: string[] = []
  for (const stranger of all.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const place = join(home, stranger.name)
    const trouble = install(stranger, place)
    if (trouble !== undefined) left.push(`${stranger.name}: it does not install here: ${trouble}`)
    else rows.push(...(await meet(stranger, { place, folder })))
    if (trouble === undefined) for (const row of rows.slice(-ERAS.length)) tell(row)
  }
  return { rows, left }
}

async function meet(
  stranger: Stranger,
  { place: installed, folder }: { readonly place: string; readonly folder: string },
): Promise<readonly Row[]> {
  // Without capitals: some servers compare paths in small letters only.
  const scratch = join(tmpdir(), `deep-pilot-stranger-${randomBytes(8).toString('hex')}`)
  mkdirSync(scratch)
  const place: Place = { command: join(installed, stranger.command), scratch }
  const running = stranger.url === undefined ? undefined : serve(stranger, place)
  try {
    for (const [path, text] of Object.entries(stranger.files ?? {})) {
      mkdirSync(dirname(join(scratch, path)), { recursive: true })
      writeFileSync(join(scratch, path), text)
    }
    if (stranger.url !== undefined) await answering(stranger.url)
    const rows: Row[] = []
    for (const era of ERAS) {
      const { judge: wire, sink } = openWire(nameOf(stranger, era), folder)
      const began = performance.now()
      const finding = await checkStranger(stranger, era, { ...place, wire: sink })
      rows.push(rowOf(stranger, finding, { wire, ms: Math.round(performance.now() - began) }))
    }
    return rows
  } finally {
    await running?.close()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
  }
}

function nameOf({ name, url }: Stranger, era: StrangerEra): RowName {
  return {
    peer: name,
    role: 'server',
    way: url === undefined ? 'stdio' : 'http',
    wanted: era === 'auto' ? era : '2025-11-25',
  }
}

function rowOf(
  stranger: Stranger,
  { era, revision, steps }: Finding,
  { wire, ms }: { readonly wire: JudgedWire; readonly ms: number },
): Row {
  const outcomes = new Map<Step, Outcome>()
  for (const step of STEPS) {
    const why = steps.get(step)
    if (!steps.has(step)) outcomes.set(step, { kind: 'absent' })
    else outcomes.set(step, why === undefined ? { kind: 'ok' } : { kind: 'wrong', why })
  }
  return {
    ...nameOf(stranger, era),
    version: stranger.package.slice(stranger.package.lastIndexOf('@') + 1),
    wanted: era === 'legacy' && isRevision(revision) ? revision : 'auto',
    revision,
    spoken: true,
    steps: outcomes,
    ours: wire.ours,
    theirs: wire.theirs,
    judged: wire.judged,
    ms,
  }
}

/** Starts one that is reached over HTTP. It gets its scratch folder, PATH and nothing else. */
function serve(stranger: Stranger, { command, scratch }: Place): ReturnType<typeof startProgram> {
  const { PATH } = process.env
  const env = { PATH, ...environmentFor(stranger, scratch) }
  return startProgram([command, ...wordsFor(stranger, scratch)], { cwd: scratch, env })
}

/** Settles when something answers at the address, or when it has had the time for it. */
async function answering(url: string): Promise<void> {
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    const answer = await fetch(url).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer !== undefined) return
    await pause(100)
  }
}

/** Installs exactly the version named, or says why that failed. */
function install({ package: name, command }: Stranger, folder: string): string | undefined {
  const mark = join(folder, 'installed.txt')
  const done = existsSync(mark) && readFileSync(mark, 'utf8') === name
  if (done && existsSync(join(folder, command))) return undefined
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const words = ['i', name, '--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts']
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) return stderr.trim().split('\n').slice(0, 3).join(' ')
  if (!existsSync(join(folder, command))) return `it has no ${command}`
  writeFileSync(mark, name)
  return undefined
}
