/**
 * Runs npm commands with each supported Node: the one that runs now and the others, which npm's own
 * packages bring into a folder each under node_modules/.cache, so that no command of the root finds
 * them. One line a version.
 *
 *   node scripts/nodes.mjs                 test and demo, on 20 (or whichever runs now), 22 and 24
 *   node scripts/nodes.mjs check -- types  `npm run check -- types` on each
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { root } from './tools.mjs'

const majors = ['20', '22', '24']
const own = process.versions.node.split('.')[0]
const home = join(root, 'node_modules', '.cache', 'nodes')
const words = process.argv.slice(2)
const commands = words.length > 0 ? [words] : [['test'], ['demo']]

const lines = majors.map((major) => {
  const node = major === own ? process.execPath : fetchNode(major)
  if (node === undefined) return { ok: false, line: `Node ${major}: could not be had` }
  const version = run(node, ['--version'], { stdio: 'pipe', encoding: 'utf8' }).stdout.trim()
  console.log(`\n══ Node ${version}`)
  const results = commands.map(([name, ...rest]) => {
    const { status } = run(node, [npmFile(), 'run', name, ...rest])
    return { ok: status === 0, text: `${name} ${status === 0 ? 'ok' : `FAILED (${status})`}` }
  })
  return {
    ok: results.every(({ ok }) => ok),
    line: `Node ${version}: ${results.map(({ text }) => text).join(', ')}`,
  }
})
console.log(`\n══ result\n${lines.map(({ line }) => line).join('\n')}`)
process.exitCode = lines.every(({ ok }) => ok) ? 0 : 1

/** Runs a Node with its own folder first on the path, so that children of children use it as well. */
function run(node, args, options = {}) {
  const PATH = [dirname(node), process.env.PATH].join(delimiter)
  return spawnSync(node, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH },
    ...options,
  })
}

/** The newest release of a major, installed once; undefined when it cannot be had. */
function fetchNode(major) {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const folder = join(home, major)
  const file = platform === 'win' ? 'node.exe' : join('bin', 'node')
  const node = join(folder, 'node_modules', name, file)
  if (existsSync(node)) return node
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${major}`]
  spawnSync(process.execPath, [npmFile(), ...args], { cwd: folder, stdio: 'inherit' })
  return existsSync(node) ? node : undefined
}

/** npm as a file, so that any Node can run it: the one that started us, else the one beside this Node. */
function npmFile() {
  const bin = dirname(process.execPath)
  const places = [
    process.env.npm_execpath ?? '',
    join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  const found = places.find((path) => path.endsWith('npm-cli.js') && existsSync(path))
  if (found === undefined) throw new Error(`npm was not found. Looked at: ${places.join(', ')}`)
  return found
}
