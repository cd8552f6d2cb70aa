/** P12: what an installation brings, and how large the client's import closure is. */

import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { capture, root } from '../driver.ts'
import { npmCommand, peerFolder, type PeerName } from '../peers/install.mjs'
import type { Bench } from '../section.ts'
import { missingPeer } from '../subjects.ts'
import { fixed, type Role, type Table, type Verdict } from '../table.ts'

interface Subject {
  readonly label: string
  readonly role: Role
  readonly peer?: PeerName
  /** The modules that a stdio client imports. */
  readonly modules?: readonly string[]
}

const SUBJECTS: readonly Subject[] = [
  { label: 'deep-pilot', role: 'ours', modules: ['./dist/index.js', './dist/node/index.js'] },
  {
    label: 'SDK v1',
    role: 'peer',
    peer: 'sdk-v1',
    modules: [
      '@modelcontextprotocol/sdk/client/index.js',
      '@modelcontextprotocol/sdk/client/stdio.js',
    ],
  },
  {
    label: 'SDK v2, client only',
    role: 'peer',
    peer: 'sdk-v2-client',
    modules: ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'],
  },
  {
    label: '@ai-sdk/mcp',
    role: 'peer',
    peer: 'ai-sdk',
    modules: ['@ai-sdk/mcp', '@ai-sdk/mcp/mcp-stdio'],
  },
  { label: 'fastmcp', role: 'peer', peer: 'fastmcp' },
  { label: 'mcporter', role: 'peer', peer: 'mcporter' },
  { label: 'Inspector', role: 'peer', peer: 'inspector' },
]
const BARS = { packages: 16, megabytes: 6, closureKb: 60 }
/** What a user writes to connect over stdio; what the bundler keeps for it is the import closure. */
const OUR_ENTRY = `import { connect } from './dist/index.js'
import { stdio } from './dist/node/index.js'
globalThis.x = [connect, stdio]`

interface Size {
  readonly packages: number
  readonly megabytes: number
  readonly scripts: number
}

interface Closure {
  readonly gzipKb: number
  readonly foreign: number
}

export async function installTable(bench: Bench): Promise<Table> {
  const rows: Table['rows'][number][] = []
  const notes: string[] = []
  let verdicts: readonly Verdict[] = judge(undefined, undefined)
  for (const subject of SUBJECTS) {
    bench.progress(`P12: ${subject.label}`)
    try {
      const { size, closure } = await measure(subject, bench)
      rows.push({ subject: subject.label, role: subject.role, figures: figures(size, closure) })
      if (subject.role === 'ours') verdicts = judge(size, closure)
    } catch (error) {
      rows.push({
        subject: subject.label,
        role: subject.role,
        figures: figures(undefined, undefined),
      })
      notes.push(`${subject.label}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return {
    name: 'P12',
    title: 'an installation from the packed tarball, and the import closure of a stdio client',
    columns: ['packages', 'MB on disk', 'install scripts', 'closure gzip kB', 'foreign modules'],
    rows,
    verdicts,
    notes: [...notes, 'Foreign modules: those in the closure that come from another package.'],
  }
}

async function measure(
  subject: Subject,
  bench: Bench,
): Promise<{ size: Size; closure: Closure | undefined }> {
  if (subject.peer === undefined) return await measureOurs(subject.modules ?? [])
  const reason = missingPeer(subject.peer, bench.options.install)
  if (reason !== undefined) throw new Error(reason)
  const folder = peerFolder(subject.peer)
  const closure =
    subject.modules === undefined
      ? undefined
      : await closureOf(folder, entryOf(subject.modules), subject.modules[0])
  return { size: sizeOf(folder), closure }
}

async function measureOurs(modules: readonly string[]): Promise<{ size: Size; closure: Closure }> {
  if (!existsSync(join(root, 'dist/index.js')))
    throw new Error('dist/ is not built: run "npm run build"')
  const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-bench-install-'))
  try {
    const packed = await npm(
      ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
      root,
    )
    const [first]: readonly { filename: string }[] = JSON.parse(packed) // npm's documented shape
    if (first === undefined) throw new Error('npm pack made no tarball')
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const tarball = join(folder, first.filename)
    const quiet = [
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--loglevel=error',
    ]
    await npm(['install', ...quiet, tarball], folder)
    return { size: sizeOf(folder), closure: await closureOf(root, OUR_ENTRY, modules[0]) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function npm(words: readonly string[], cwd: string): Promise<string> {
  const [command, ...first] = npmCommand()
  const { stdout, stderr, code } = await capture(command, [...first, ...words], {
    cwd,
    timeoutMs: 240_000,
  })
  if (code !== 0) throw new Error(`npm ${words[0]}: ${stderr.trim().split('\n')[0] ?? ''}`)
  return stdout
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>
}

function sizeOf(folder: string): Size {
  const modules = join(folder, 'node_modules')
  const lock: Lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) // npm's documented shape
  const entries = Object.entries(lock.packages).filter(([place]) => existsSync(join(folder, place)))
  return {
    packages: entries.length,
    megabytes: bytesBelow(modules) / 1e6,
    scripts: entries.filter(([, entry]) => entry.hasInstallScript === true).length,
  }
}

/** What the files take on the disk, in whole blocks where the system tells them. */
function bytesBelow(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const { blocks, size } = statSync(join(entry.parentPath, entry.name))
    bytes += process.platform === 'win32' ? size : blocks * 512
  }
  return bytes
}

function entryOf(modules: readonly string[]): string {
  const lines = modules.map((name, index) => `import * as m${index} from '${name}'`)
  return [...lines, `globalThis.x = [${modules.map((_, index) => `m${index}`).join(', ')}]`].join(
    '\n',
  )
}

/** Bundled and minified, with what is only loaded later left in chunks of its own. */
async function closureOf(folder: string, contents: string, own = ''): Promise<Closure> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: join(folder, 'out'),
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  })
  const loaded = new Set<string>()
  const load = (name: string): void => {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && path in metafile.outputs) load(path)
    }
  }
  for (const [name, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint === '<stdin>') load(name)
  }
  const inputs = [...loaded].flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}))
  const ownFolder = own.startsWith('.')
    ? 'dist/'
    : `node_modules/${own.split('/').slice(0, 2).join('/')}/`
  const foreign = inputs.filter((name) => name !== '<stdin>' && !name.startsWith(ownFolder))
  const texts = outputFiles.filter(({ path }) => [...loaded].some((name) => path.endsWith(name)))
  const gzipKb = texts.reduce((sum, { contents: text }) => sum + gzipSync(text).length, 0) / 1000
  return { gzipKb, foreign: foreign.length }
}

function figures(size: Size | undefined, closure: Closure | undefined): readonly string[] {
  return [
    fixed(size?.packages, 0),
    fixed(size?.megabytes),
    fixed(size?.scripts, 0),
    fixed(closure?.gzipKb),
    fixed(closure?.foreign, 0),
  ]
}

function judge(size: Size | undefined, closure: Closure | undefined): readonly Verdict[] {
  const limit = (what: string, value: number | undefined, bar: number): Verdict => ({
    what,
    figure: fixed(value),
    bar: `<= ${bar}`,
    reached: value === undefined ? undefined : value <= bar,
  })
  return [
    limit('packages', size?.packages, BARS.packages),
    limit('MB installed', size?.megabytes, BARS.megabytes),
    limit('install scripts', size?.scripts, 0),
    limit('import closure, gzip kB', closure?.gzipKb, BARS.closureKb),
    limit('foreign modules in it', closure?.foreign, 0),
  ]
}
