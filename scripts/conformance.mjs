/**
 * What the conformance suite judges, for whoever runs the suite by hand. Each is one module under node_modules/.cache,
 * bundled anew, that this Node runs.
 *
 *   node scripts/conformance.mjs server [port]    serves, prints its URL as the first line, and stays
 *   node scripts/conformance.mjs client-command   prints a command that takes a server's URL as its last word
 */
import { mkdirSync, renameSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { cache, root } from './tools.mjs'

const [word] = process.argv.slice(2)
if (word === 'server') {
  endWithNpm()
  await import(pathToFileURL(await bundle('server')).href)
} else if (word === 'client-command') console.log(command(await bundle('client')))
else {
  console.error('Say "server" or "client-command": node scripts/conformance.mjs <word>')
  process.exitCode = 1
}

/** npm hands a signal to the shell between it and this process, and that shell keeps it to itself. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 500)
  look.unref()
}

/** Takes its place in one step, for somebody else may run the last one. */
async function bundle(name) {
  const folder = join(cache, 'conformance')
  const fresh = join(folder, `${name}-${process.pid}.mjs`)
  const file = join(folder, `${name}.mjs`)
  mkdirSync(folder, { recursive: true })
  await build({
    absWorkingDir: root,
    entryPoints: [join('test', 'conformance', `${name}.ts`)],
    outfile: fresh,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  })
  renameSync(fresh, file)
  return file
}

/** The suite splits a command at blanks and knows no quotes: a path with blanks is told from where one stands. */
function command(file) {
  const path = file.includes(' ') ? relative(process.cwd(), file) : file
  if (path.includes(' ')) {
    console.error(`The suite cannot start ${file}: the path has blanks. Run this in ${root}.`)
    process.exit(1)
  }
  return `node ${path}`
}
