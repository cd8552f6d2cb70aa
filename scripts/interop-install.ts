/**
 * Brings the peers of the interop matrix: each into a folder of its own under node_modules/.cache, with exact versions, by
 * the package tool of its language. What is there already is taken. Nothing of it enters the project's dependencies.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import type { Peer, Source } from './interop-peers.ts'

const home = resolve('node_modules', '.cache', 'deep-pilot', 'interop')
const sources = resolve('test', 'interop', 'peers')
const LONGEST_MS = 1_200_000

/** A peer that is there, or why it is not. */
export type Installed = { readonly folder: string } | { readonly missing: string }

/** Where the programs of a peer are, after bringing them where need be. */
export function install(peer: Peer): Installed {
  const { source } = peer
  if (source.kind === 'own') return { folder: resolve(source.folder) }
  const folder = join(home, peer.name)
  const mark = join(folder, 'installed.txt')
  const wanted = fingerprint(source)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return { folder }
  mkdirSync(folder, { recursive: true })
  rmSync(mark, { force: true })
  const missing = bring(source, folder)
  if (missing !== undefined) return { missing }
  writeFileSync(mark, wanted)
  return { folder }
}

/** The program of a command's first word, and the words after it. */
export function commandOf(
  peer: Peer,
  folder: string,
  [first = '', ...rest]: readonly string[],
): readonly [string, ...string[]] {
  if (first === 'node') return [process.execPath, ...rest]
  if (first === 'peer') {
    const built = peer.source.kind === 'rust' ? join('target', 'debug', 'interop-peer') : 'peer'
    return [join(folder, built), ...rest]
  }
  if (first === 'script') return [join(folder, 'venv', 'bin', rest[0] ?? ''), ...rest.slice(1)]
  if (first === 'python') {
    const [file = '', ...words] = rest
    return [join(folder, 'venv', 'bin', 'python'), join(sources, file), ...words]
  }
  return [first, ...rest]
}

function bring(source: Source, folder: string): string | undefined {
  switch (source.kind) {
    case 'own':
      return undefined
    case 'python':
      return (
        run(folder, ['python3', '-m', 'venv', 'venv']) ??
        run(folder, [
          join('venv', 'bin', 'pip'),
          'install',
          '--quiet',
          '--disable-pip-version-check',
          ...source.packages,
        ])
      )
    case 'go':
      cpSync(join(sources, source.folder), folder, { recursive: true })
      return run(folder, ['go', 'build', '-o', 'peer', '.'])
    case 'rust':
      cpSync(join(sources, source.folder), folder, { recursive: true })
      return run(folder, ['cargo', 'build', '--quiet'])
    default:
      return source satisfies never
  }
}

/** Runs a tool to its end; the reason when it fails. */
function run(cwd: string, [command = '', ...args]: readonly string[]): string | undefined {
  console.log(`  ${command} ${args.join(' ')}`)
  const program = command.startsWith('venv') ? join(cwd, command) : command
  const { status, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: LONGEST_MS,
  })
  if (status === 0) return undefined
  const said = `${error?.message ?? ''} ${stderr ?? ''}`.trim().split('\n').slice(-3).join(' ')
  return `"${command} ${args.join(' ')}" failed: ${said.slice(0, 300)}`
}

/** What a built peer is made of, so that a change builds it anew. */
function fingerprint(source: Source): string {
  const hash = createHash('sha256').update(JSON.stringify(source))
  if (source.kind === 'go' || source.kind === 'rust') {
    const folder = join(sources, source.folder)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    for (const file of files.toSorted()) hash.update(readFileSync(file))
  }
  return hash.digest('hex')
}
