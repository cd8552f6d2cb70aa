/**
 * Weighs what an import costs: each door as esbuild bundles it, packages left outside, against a budget.
 * Only what is loaded at once counts, compressed as one piece, as `dist` has it in few chunks; what is behind `import()` is
 * loaded when it is first needed.
 * `plain` is the same without minifying, `later` the number of chunks behind `import()`.
 * Prints a table, and exits with 1 when a door is too heavy or loads a package where it may not.
 */
import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Metafile } from 'esbuild'

interface Budget {
  readonly name: string
  /** The doors' layers that are imported together; '' is `deep-pilot` itself. */
  readonly doors: readonly string[]
  /** Minified and gzipped, in kB of 1,000 bytes. */
  readonly maxKb: number
  /** Packages that may be loaded at once. */
  readonly packages?: readonly string[]
}

const schemaPackages = ['@cfworker/json-schema', 're2js']
const budgets: readonly Budget[] = [
  { name: 'client and stdio (. and ./node)', doors: ['', 'node'], maxKb: 60 },
  // Client and server, with every feature of the protocol that is no link: whoever bundles it takes what he names.
  { name: '.', doors: [''], maxKb: 55 },
  // Only the functions that open something: what they open is loaded then.
  { name: './node', doors: ['node'], maxKb: 12 },
  { name: './jsonrpc', doors: ['jsonrpc'], maxKb: 10 },
  { name: './protocol', doors: ['protocol'], maxKb: 20 },
  { name: './schema', doors: ['schema'], maxKb: 10, packages: schemaPackages },
  { name: './capture', doors: ['capture'], maxKb: 25 },
  { name: './testing', doors: ['testing'], maxKb: 45 },
]

const rows = []
for (const budget of budgets) rows.push(await weigh(budget))
console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])))
process.exitCode = rows.every(({ verdict }) => verdict === 'ok') ? 0 : 1

async function weigh({ name, doors, maxKb, packages = [] }: Budget) {
  const files = doors.map((door) => ['src', door, 'index.ts'].filter(Boolean).join('/'))
  const missing = files.filter((file) => !existsSync(file))
  if (missing.length > 0) return { name, verdict: `no ${missing.join(', ')}` }
  const small = await bundle(files, true)
  const gzip = kilobytes(small.texts)
  const strangers = small.strangers.filter((path) => !packages.includes(path))
  const faults = [
    ...(gzip > maxKb ? [`over ${maxKb} kB`] : []),
    ...strangers.map((path) => `loads ${path}`),
  ]
  return {
    name,
    gzip,
    budget: maxKb,
    plain: kilobytes((await bundle(files, false)).texts),
    later: small.later,
    verdict: faults.join(', ') || 'ok',
  }
}

async function bundle(files: readonly string[], minify: boolean) {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: files.map((file) => `export * from './${file}'`).join('\n'),
      resolveDir: process.cwd(),
    },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify,
    packages: 'external',
    platform: 'neutral',
    format: 'esm',
    target: 'node20',
    outdir: 'out',
    legalComments: 'none',
    logLevel: 'error',
  })
  const atOnce = loadedAtOnce(metafile)
  const paths = outputFiles.map(({ path }) => path.replaceAll('\\', '/'))
  return {
    texts: outputFiles
      .filter((_, index) => [...atOnce].some((path) => paths[index]?.endsWith(`/${path}`)))
      .map(({ text }) => text),
    strangers: importsOf(metafile, atOnce).filter((path) => !isBuiltin(path)),
    later: Object.keys(metafile.outputs).length - atOnce.size,
  }
}

/** The entry and all chunks that it imports by statement, also by way of others. */
function loadedAtOnce({ outputs }: Metafile): ReadonlySet<string> {
  // What is behind `import()` is an entry point as well.
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>')
  const seen = new Set(entry === undefined ? [] : [entry])
  for (const path of seen) {
    for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) seen.add(next)
    }
  }
  return seen
}

/** The modules from outside that those chunks import by statement. */
function importsOf({ outputs }: Metafile, paths: ReadonlySet<string>): readonly string[] {
  const all = [...paths].flatMap((path) => outputs[path]?.imports ?? [])
  const outside = all.filter(({ kind, external }) => kind === 'import-statement' && external)
  return [...new Set(outside.map(({ path }) => path))]
}

function kilobytes(texts: readonly string[]): number {
  return Math.round(gzipSync(texts.join('\n'), { level: 9 }).length / 100) / 10
}
