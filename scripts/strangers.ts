/**
 * Meets published servers of other authors: installs each into a folder of its own outside the repository,
 * speaks with it in both eras through the stdio client, and tells every difference from what is known of it.
 *
 * `node scripts/run.mjs scripts/strangers.ts [names]`; the list is `../shared/strangers.json`, or the file that
 * STRANGERS names. Installed packages are kept for the next run. Not part of the tests: it needs a network.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { checkStranger, type Stranger } from './stranger-check.ts'

const listFile = resolve(process.env['STRANGERS'] ?? '../shared/strangers.json')
const home = join(tmpdir(), 'deep-pilot-strangers')

if (!existsSync(listFile)) {
  console.log(`There is no ${listFile}: nobody to meet.`)
} else {
  process.exitCode = await meetAll(process.argv.slice(2))
}

async function meetAll(names: readonly string[]): Promise<number> {
  // The list is our own file; what it lacks shows at once.
  const all = JSON.parse(readFileSync(listFile, 'utf8')) as readonly Stranger[]
  const wanted = all.filter(({ name }) => names.length === 0 || names.includes(name))
  let bad = 0
  for (const stranger of wanted) {
    const problems = await meet(stranger)
    if (problems === undefined) continue
    if (problems.length > 0) bad += 1
    console.log(`${stranger.name}: ${problems.length === 0 ? 'as expected' : 'DIFFERENT'}`)
    for (const problem of problems) console.log(`  ${problem}`)
  }
  console.log(`${wanted.length} servers, ${bad} with differences`)
  return bad === 0 ? 0 : 1
}

/** The differences, or nothing when the server was not met. */
async function meet(stranger: Stranger): Promise<readonly string[] | undefined> {
  if (stranger.transport !== 'stdio') {
    console.log(`${stranger.name}: left out, it is reached over ${stranger.transport}`)
    return undefined
  }
  const folder = join(home, stranger.name)
  const trouble = install(stranger, folder)
  if (trouble !== undefined) {
    console.log(`${stranger.name}: left out, it does not install here: ${trouble}`)
    return undefined
  }
  // Without capitals: some servers compare paths in small letters only.
  const scratch = join(tmpdir(), `deep-pilot-stranger-${randomBytes(8).toString('hex')}`)
  mkdirSync(scratch)
  try {
    for (const [path, text] of Object.entries(stranger.files ?? {})) {
      mkdirSync(dirname(join(scratch, path)), { recursive: true })
      writeFileSync(join(scratch, path), text)
    }
    return await checkStranger(stranger, { command: join(folder, stranger.command), scratch })
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
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
