/**
 * Installs the peers of the bench, each into a folder of its own under node_modules/.cache, outside the
 * project's dependency tree: exact versions, no install scripts. `node bench/peers/install.mjs [name …]`.
 * Some peers need a newer Node than the project; that comes as a package, too.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = repository(dirname(fileURLToPath(import.meta.url)))
const cache = join(root, 'node_modules', '.cache', 'bench-peers')
const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** `node` is the major version that a peer needs where the project's own is too old. */
export const PEERS = {
  'sdk-v1': { packages: ['@modelcontextprotocol/sdk@1.32.2'] },
  'sdk-v2-client': { packages: ['@modelcontextprotocol/client@2.4.0'] },
  fastmcp: { packages: ['fastmcp@4.20.16'] },
  'ai-sdk': { packages: ['@ai-sdk/mcp@2.0.99', 'zod@4.6.7'], node: 22 },
  mcporter: { packages: ['mcporter@0.12.3'], node: 24 },
  inspector: { packages: ['@modelcontextprotocol/inspector@2.12.0'], node: 22 },
  'node-22': { packages: [`node-${platform}@22.23.5`] },
  'node-24': { packages: [`node-${platform}@24.22.3`] },
}

export function peerFolder(name) {
  return join(cache, name)
}

/** The Node to run a peer with: this one where it is new enough, else the installed one. */
export function nodeFor(name) {
  const { node } = PEERS[name]
  return node === undefined ? process.execPath : nodeFrom(node)
}

/** This Node where its major version is that or newer, else the one of that version, once it is installed. */
export function nodeFrom(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return process.execPath
  const binary = process.platform === 'win32' ? 'node.exe' : 'bin/node'
  return join(peerFolder(`node-${major}`), 'node_modules', `node-${platform}`, binary)
}

/** Installs what is not there yet; gives the reason where that fails, else undefined. */
export function install(name) {
  const { packages, node } = PEERS[name]
  if (node !== undefined && nodeFor(name) !== process.execPath) {
    const reason = install(`node-${node}`)
    if (reason !== undefined) return reason
  }
  return installPackages(peerFolder(name), packages)
}

/**
 * Installs exact packages into a folder of their own, once; gives the reason where that fails, else undefined.
 * What was there of other packages goes.
 */
export function installPackages(folder, packages) {
  const stamp = join(folder, 'installed.json')
  const wanted = JSON.stringify(packages)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  // Names are found from where a module stands, so one stands here.
  writeFileSync(join(folder, 'load.mjs'), 'export const load = (name) => import(name)\n')
  const words = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--save-exact',
    '--loglevel=error',
  ]
  const npm = npmCommand()
  const done = spawnSync(
    npm[0],
    [...npm.slice(1), ...words, '--engine-strict=false', ...packages],
    {
      cwd: folder,
      encoding: 'utf8',
      timeout: 300_000,
    },
  )
  if (done.status !== 0) {
    const said = `${done.stderr ?? ''}${done.error ?? ''}`.trim().split('\n')[0] ?? ''
    return `npm install ${packages.join(' ')} failed: ${said.slice(0, 200)}`
  }
  writeFileSync(stamp, wanted)
  return undefined
}

/** npm as a script run by this Node: no shell, and no `npm.cmd` on Windows. */
export function npmCommand() {
  const bin = dirname(process.execPath)
  const places = [
    process.env.npm_execpath,
    join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  const script = places.find((place) => place?.endsWith('.js') && existsSync(place))
  return script === undefined ? ['npm'] : [process.execPath, script]
}

/** This file may run from where it stands or bundled in a cache folder: both lie below the root. */
function repository(folder) {
  return existsSync(join(folder, 'bench', 'peers', 'install.mjs'))
    ? folder
    : repository(dirname(folder))
}

if (basename(process.argv[1] ?? '') === 'install.mjs') {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PEERS)
  for (const name of names) {
    const reason = name in PEERS ? install(name) : `Known peers: ${Object.keys(PEERS).join(', ')}`
    console.log(`${name}: ${reason ?? 'installed'}`)
    if (reason !== undefined) process.exitCode = 1
  }
}
