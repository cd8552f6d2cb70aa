/**
 * Builds dist/ from src/ with tsc. The new tree is made beside the old one and takes its place in one
 * rename, so that a program which runs from dist/ meanwhile never sees half a build.
 * `--if-needed` does nothing while the sources are those of the last build.
 */
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { rolldown } from 'rolldown'
import { bin, cache, node, root } from './tools.mjs'

const dist = join(root, 'dist')
const stamp = join(cache, 'build.stamp')
const inputs = [
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
]

/** Builds; answers the exit code. With type errors there is a build all the same, and a code of 1. */
export async function build(options = {}) {
  const now = fingerprint()
  if (options.ifNeeded && existsSync(dist) && existsSync(stamp)) {
    if (readFileSync(stamp, 'utf8') === now) return 0
  }
  const fresh = join(root, `.dist-${process.pid}`)
  const old = join(root, `.dist-${process.pid}-old`)
  const clean = () => {
    rmSync(fresh, { recursive: true, force: true })
    rmSync(old, { recursive: true, force: true, maxRetries: 3 })
  }
  clean()
  try {
    const failed = node(bin('typescript', 'tsc'), ['-p', 'tsconfig.build.json', '--outDir', fresh])
    if (!existsSync(fresh)) throw new Error('tsc wrote no files; its messages stand above.')
    if (existsSync(join(fresh, 'cli', 'main.js'))) await bundleCommand(fresh)
    await bundleDoors(fresh)
    pruneTypes(fresh)
    takeIn(fresh)
    rmSync(stamp, { force: true })
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(fresh, dist)
    if (failed) return 1
    mkdirSync(cache, { recursive: true })
    writeFileSync(stamp, now)
    return 0
  } finally {
    clean()
  }
}

/**
 * The program in a few files: it starts once for every call from a shell. Reading a hundred small files took a third of that, and
 * one file of everything nearly as much: most runs need a seventh of it. So what is needed together lies together, and commands
 * stay unread until they are named. What few runs need is loaded from its package.
 */
async function bundleCommand(dist) {
  const folder = join(dist, 'cli')
  const out = join(dist, '.cli')
  const parts = partsOfCommand(dist)
  const bundle = await rolldown({
    cwd: dist,
    input: { main: join(folder, 'main.js') },
    // The command line library is one small file of what its package brings.
    external: (id) => !isAbsolute(id) && !id.startsWith('.') && id !== 'commander',
    platform: 'node',
    treeshake: { moduleSideEffects: false },
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
    // What is loaded later by one way is loaded at once by another.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await bundle.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Names of classes and functions are for people who read an error; those of variables weigh a sixth of the program. No map: Node
    // reads one only when told to, and it would weigh as much as the program.
    minify: {
      compress: false,
      mangle: { toplevel: false, keepNames: true },
      codegen: { removeWhitespace: true },
    },
    comments: { legal: false, annotation: false, jsdoc: false },
    codeSplitting: {
      // A part has all that it loads at once, itself or in an earlier part: none needs a later one.
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'parts', name: (id) => parts.get(normalize(id)) ?? vendorPart(id) }],
    },
  })
  await bundle.close()
  rmSync(folder, { recursive: true })
  renameSync(out, folder)
  const holder = output.find(
    ({ type, moduleIds = [] }) =>
      type === 'chunk' && moduleIds.some((id) => vendorPart(id) !== null),
  )
  appendFileSync(join(folder, holder.fileName), notices(['commander']))
  chmodSync(join(folder, 'main.js'), 0o755)
}

/**
 * What most runs need; what some need of the layers below, before what is built on it, so that none is read for a piece of it; what
 * is needed with each other. Behind these each command has a part of its own.
 */
const PARTS = [
  [
    'start',
    [
      'cli/main',
      'cli/commands/call',
      'cli/messages/en',
      'cli/messages/host-en',
      'transport/node/stdio-client',
      'transport/node/stdio-open',
    ],
  ],
  ['schema', ['schema/compile']],
  [
    'http',
    ['transport/node/http-client', 'transport/node/http-exchange', 'transport/http/open-link'],
  ],
  ['capture', ['capture/node/file', 'capture/console']],
  ['serving', ['server/serving', 'cli/commands/serve']],
  ['config', ['config/node/load']],
  ['host', ['host/host', 'cli/commands/list', 'cli/commands/tools-host', 'cli/commands/call-host']],
  ['agent', ['cli/commands/chat', 'cli/commands/run']],
  ['zh', ['cli/messages/zh']],
]

const COMMANDER = `${sep}node_modules${sep}commander${sep}`

/** The command line library is read at every start. */
function vendorPart(id) {
  return normalize(id).includes(COMMANDER) ? 'start' : null
}

/** For each file of the program that lies in a part, the name of the first part that loads it at once. */
function partsOfCommand(dist) {
  const commands = readdirSync(join(dist, 'cli', 'commands'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => name.slice(0, -'.js'.length))
    .toSorted()
  const { inputs } = structureFrom(dist, 'cli/main.js')
  const parts = new Map()
  const all = [...PARTS, ...commands.map((name) => [name, [`cli/commands/${name}`]])]
  for (const [part, files] of all) {
    const loaded = new Set(files.map((file) => `${file}.js`))
    for (const file of loaded) {
      if (inputs[file] === undefined) throw new Error(`The program does not load ${file}.`)
      for (const { path, kind, external } of inputs[file].imports)
        if (kind === 'import-statement' && !external) loaded.add(path)
    }
    for (const file of loaded) {
      const path = normalize(join(dist, file))
      // The entry waits for the program to end: nothing may wait for the entry.
      if (file !== 'cli/main.js' && !parts.has(path)) parts.set(path, part)
    }
  }
  return parts
}

/**
 * The doors, with chunks for what they share, so that a class is the same behind all of them. Reading a module costs more
 * than what stands in it: everything that is loaded at once lies in a few large chunks, one for each door that is the first
 * to need it. What is behind `import()` is cut by itself. Nothing is minified: whoever steps into it reads it.
 */
async function bundleDoors(dist) {
  const out = join(dist, '.doors')
  const doors = new Map(
    Object.entries(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports)
      .filter(([, door]) => door.default !== undefined)
      .map(([name, door]) => [name.slice(2), join(dist, door.default.replace('./dist/', ''))])
      .filter(([, path]) => existsSync(path)),
  )
  const firsts = firstDoors(dist, doors)
  const bundle = await rolldown({
    cwd: dist,
    input: Object.fromEntries(
      [...doors.values()].map((path) => [relative(dist, path).slice(0, -'.js'.length), path]),
    ),
    external: (id) => !isAbsolute(id) && !id.startsWith('.'),
    platform: 'node',
    treeshake: { moduleSideEffects: false },
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
  })
  await bundle.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: false,
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: {
      // A door's chunk has all that the door loads at once, so that no chunk needs a later one.
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'doors', name: (id) => firsts.get(normalize(id)) ?? null }],
    },
  })
  await bundle.close()
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const stays = [join(dist, 'cli'), out].some((folder) => path.startsWith(folder + sep))
    if (entry.isFile() && /\.js(\.map)?$/.test(entry.name) && !stays) rmSync(path)
  }
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const from = join(entry.parentPath, entry.name)
    const to = join(dist, relative(out, from))
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
  }
  rmSync(out, { recursive: true })
}

/** Libraries that come inside of the build: what we load of them is a fraction of what their packages bring. */
const TAKEN_IN = ['re2js']

/** Puts those libraries beside the doors, each in a file that is loaded when it is first needed, and leads all imports there. */
function takeIn(dist) {
  const vendor = join(dist, 'vendor')
  buildSync({
    absWorkingDir: root,
    entryPoints: TAKEN_IN,
    outdir: vendor,
    bundle: true,
    charset: 'utf8',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node20',
    // Names stay, for whoever reads an error.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  })
  for (const name of TAKEN_IN) {
    const file = join(vendor, `${name}.js`)
    appendFileSync(file, notices([name]))
    const asked = new RegExp(`(\\bimport\\(|\\bfrom\\s*)(["'])${name}\\2`, 'g')
    let led = 0
    for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !path.endsWith('.js') || path.startsWith(vendor + sep)) continue
      const text = readFileSync(path, 'utf8')
      const target = relative(dirname(path), file).replaceAll(sep, '/')
      const changed = text.replace(asked, (_, word, quote) => {
        led += 1
        return `${word}${quote}${target.startsWith('.') ? target : `./${target}`}${quote}`
      })
      if (changed !== text) writeFileSync(path, changed)
    }
    if (led === 0) throw new Error(`Nothing imports ${name} any more.`)
  }
}

/** Takes away the declarations that no door leads to: nobody can import them. */
function pruneTypes(dist) {
  const wanted = new Set(
    Object.values(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports)
      .filter(({ types }) => types !== undefined)
      .map(({ types }) => join(dist, types.replace('./dist/', '')))
      .filter((path) => existsSync(path)),
  )
  for (const path of wanted) {
    const specifiers = readFileSync(path, 'utf8').matchAll(
      /(?:\bfrom|\bimport\(|\bimport)\s*['"](\.[^'"]+)['"]/g,
    )
    for (const [, specifier] of specifiers) {
      const target = join(dirname(path), `${specifier.replace(/\.[jt]s$/, '')}.d.ts`)
      if (!existsSync(target)) throw new Error(`${path} leads to ${target}, which is not there.`)
      wanted.add(target)
    }
  }
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const declares = entry.isFile() && /\.d\.ts(\.map)?$/.test(entry.name)
    if (declares && !wanted.has(path.replace(/\.map$/, ''))) rmSync(path)
  }
}

/** Doors from those that need least to those that need most; the others follow. */
const DOOR_ORDER = ['jsonrpc', 'protocol', 'schema', '', 'node']

/** For each file that some door loads at once, the name of the first door that does. */
function firstDoors(dist, doors) {
  const firsts = new Map()
  const rank = (name) =>
    (DOOR_ORDER.indexOf(name) + DOOR_ORDER.length + 1) % (DOOR_ORDER.length + 1)
  for (const [name, path] of [...doors].toSorted(([a], [b]) => rank(a) - rank(b))) {
    for (const file of loadedAtOnce(dist, path))
      if (!firsts.has(file)) firsts.set(file, name === '' ? 'main' : name)
  }
  return firsts
}

/** The files of which something is loaded with a door. */
function loadedAtOnce(dist, door) {
  const { outputs } = structureFrom(dist, door)
  const entry = Object.keys(outputs).find((path) => {
    const { entryPoint } = outputs[path]
    return entryPoint !== undefined && join(dist, entryPoint) === door
  })
  const chunks = new Set([entry])
  for (const chunk of chunks) {
    for (const { path, kind, external } of outputs[chunk].imports)
      if (kind === 'import-statement' && !external) chunks.add(path)
  }
  return [...chunks].flatMap((chunk) =>
    Object.entries(outputs[chunk].inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => join(dist, file)),
  )
}

/** What a file loads, at once and later. Nothing is written. */
function structureFrom(dist, entry) {
  return buildSync({
    absWorkingDir: dist,
    entryPoints: [entry],
    outdir: join(dist, '.structure'),
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  }).metafile
}

/** The licences of what is bundled, as they ask for. */
function notices(names) {
  const texts = names.map((name) => {
    const folder = join(root, 'node_modules', name)
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (file === undefined) throw new Error(`${name} has no licence file.`)
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
  })
  return `\n/*\nThis file contains:\n\n${texts.join('\n\n')}\n*/\n`
}

/** Names, sizes and times of all that a build reads. */
function fingerprint() {
  const hash = createHash('sha256')
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of [...inputs.map((name) => join(root, name)), ...sources].toSorted()) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await build({ ifNeeded: process.argv.includes('--if-needed') })
}
