/**
 * The lock file names exact, hashed packages of the registry and nothing else: no address, no git, no
 * folder, no install script that was not allowed, no name that only looks like a well-known one.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}

// Both files are npm's own and are made by npm; a wrong shape fails the assertions below.
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, LockedPackage>>
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const locked = Object.entries(lock.packages).filter(([path]) => path !== '')
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13)

/** Names that impostors imitate, one letter away. */
const popular = (
  'ajv axios chalk commander cors cross-spawn debug dotenv esbuild eslint execa express fast-check ' +
  'fastify glob hono ioredis jest jose jsdom json5 knip lodash minimatch moment mocha nanoid ' +
  'node-fetch oxlint playwright postcss preact prettier publint qs react redux request rimraf ' +
  'rolldown rollup rxjs semver tinybench tslib typescript undici uuid vite vitest vue webpack yaml yargs zod'
).split(' ')

it('is a version 3 lock file with a sha512 hash for each package', () => {
  expect(lock.lockfileVersion).toBe(3)
  const bare = locked.filter(([, entry]) => !/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? ''))
  expect(bare.map(([path]) => path)).toEqual([])
})

it('names no address, no git, no file and no link', () => {
  const placed = locked.filter(([, entry]) => entry.resolved !== undefined || entry.link === true)
  expect(placed.map(([path]) => path)).toEqual([])
  expect(locked.filter(([, { version }]) => !/^\d+\.\d+\.\d+/.test(version ?? ''))).toEqual([])
})

it('has no install script beyond those that were looked at', () => {
  const scripted = locked.filter(([, entry]) => entry.hasInstallScript === true)
  const seen = scripted.map(([path]) => nameOf(path)).filter((name) => name !== 'fsevents')
  expect(seen).toEqual(Object.keys(manifest.allowScripts))
})

it('asks for exact versions, and runs nothing when it is installed', () => {
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(ranges.filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([])
  const hooks = Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))
  expect(hooks).toEqual([])
  expect(Object.values(manifest.scripts).filter((line) => /npx|@latest/.test(line))).toEqual([])
})

it('has no package whose name is one letter away from a well-known one', () => {
  const names = new Set(locked.map(([path]) => nameOf(path)).filter((name) => name.length > 3))
  const near = [...names].flatMap((name) =>
    popular
      .filter((known) => known.length > 3 && isOneEditAway(name, known))
      .map((known) => `${name} ~ ${known}`),
  )
  expect(near).toEqual([])
})

it('knows an impostor when it meets one', () => {
  expect(
    ['lodahs', 'lodas', 'lodassh', 'l0dash'].every((name) => isOneEditAway(name, 'lodash')),
  ).toBe(true)
  expect(['lodash', 'lo', 'express'].some((name) => isOneEditAway(name, 'lodash'))).toBe(false)
})

/** One letter more, less or other, or two neighbours swapped. */
function isOneEditAway(name: string, known: string): boolean {
  let head = 0
  while (head < known.length && name[head] === known[head]) head += 1
  const [a, b] = [name.slice(head), known.slice(head)]
  if (a === b) return false
  const swapped = (a[1] ?? '') + (a[0] ?? '') + a.slice(2)
  return (
    a.slice(1) === b ||
    a === b.slice(1) ||
    a.slice(1) === b.slice(1) ||
    (swapped === b && a.length > 1)
  )
}
