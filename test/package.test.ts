/**
 * The package as a stranger gets it: packed, installed in an empty folder without a network, every door
 * imported, its command run. Also what it brings along. Reads dist/, so build first (`npm test` does).
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bytesIn, manifestIn, npm, runNode } from './support/npm.ts'
import { listFiles, parseSource } from './support/sources.ts'

const own = manifestIn('.')
const doors = Object.keys(own.exports ?? {}).map((door) =>
  join(own.name, door).replaceAll('\\', '/'),
)
const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-package-'))
const installed = join(folder, 'node_modules', own.name)
/** A file of the examples that a page quotes. */
const EXAMPLE = /^<!-- file: examples\/(\S+) -->\n```ts\n([^]*?)^```$/gm
const closure = closureOf(Object.keys(own.dependencies ?? {}))

beforeAll(() => {
  npm('.', 'pack', '--pack-destination', folder)
  const local = [...closure].map((name) => [name, `file:${resolve('node_modules', name)}`])
  const tarball = `file:${own.name}-${own.version}.tgz`
  const project = {
    private: true,
    type: 'module',
    dependencies: { [own.name]: tarball },
    overrides: Object.fromEntries(local),
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  npm(folder, 'install', '--no-audit', '--no-fund')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('holds only what was built and what a reader needs', () => {
  const files = listFiles(installed).map((path) => path.slice(installed.length + 1))
  const meant =
    /^(dist\/.+\.(js|d\.ts|js\.map)|docs\/.+\.md|examples\/.+|package\.json|(README(\.zh-CN)?|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE)$/
  expect(files.filter((path) => !meant.test(path) || /\.(test|test-d|bench)\./.test(path))).toEqual(
    [],
  )
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/cli/main.js']),
  )
})

it('has every file that a link of one of its pages leads to', () => {
  const links = pagesOf(installed).flatMap((page) =>
    linksIn(readFileSync(page, 'utf8')).map((link) => ({ page, link })),
  )
  const dead = links.filter(({ page, link }) => !existsSync(join(dirname(page), link)))
  expect(links.length).toBeGreaterThan(100)
  expect(dead).toEqual([])
})

it('says of commands that need the repository that they do', () => {
  const silent = pagesOf(join(installed, 'docs')).filter((page) => {
    const text = readFileSync(page, 'utf8')
    const needs = /^(?:npm run|npm ci|node scripts\/|.*&& node scripts\/)/m.test(text)
    return needs && !/In a copy of the repository|代码仓库的副本/.test(text)
  })
  expect(silent).toEqual([])
})

it.each(doors)('can be imported as %s', (door) => {
  const options = door.endsWith('.json') ? `, { with: { type: 'json' } }` : ''
  const script = `console.log(Object.keys(await import('${door}'${options})).length)`
  expect(Number(runNode(folder, '--input-type=module', '-e', script))).toBeGreaterThan(0)
})

it('has declarations that a strict program for the browser can read, without Node and without a library of disposables', () => {
  const apart = new Set(['./node', './package.json'])
  const names = Object.keys(own.exports ?? {}).filter((door) => !apart.has(door))
  const lines = names.map((door, at) => `export * as door${at} from '${join(own.name, door)}'`)
  writeFileSync(join(folder, 'page.ts'), `${lines.join('\n').replaceAll('\\', '/')}\n`)
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    module: 'esnext',
    moduleResolution: 'bundler',
    noEmit: true,
  }
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ['page.ts'] }))
  expect(runNode(folder, resolve('node_modules/typescript/bin/tsc'), '-p', project)).toBe('')
})

it('gives a project of ES modules the client and the server that its README prints', () => {
  const blocks = [...readFileSync(join(installed, 'README.md'), 'utf8').matchAll(EXAMPLE)]
  const files = blocks.map(([, name = '', text = '']) => ({ name, text }))
  expect(files.map(({ name }) => name)).toEqual(['quick-start.ts', 'quick-server.ts'])
  for (const { name, text } of files) writeFileSync(join(folder, name), text)
  // As `tsc --init --types node` of TypeScript 7 has it.
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    target: 'esnext',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    skipLibCheck: true,
  }
  const project = join(folder, 'tsconfig.readme.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files: files.map(({ name }) => name) }))
  expect(runNode(folder, resolve('node_modules/typescript/bin/tsc'), '-p', project)).toBe('')
  const command = join(installed, 'dist', 'cli', 'main.js')
  const call = ['call', 'greet', 'name=Ada', '--', process.execPath, 'quick-server.js']
  expect(runNode(folder, command, ...call)).toBe('Hello, Ada!\n')
})

it('opens no way past its doors', () => {
  const script = `await import('${own.name}/dist/index.js').catch((error) => console.log(error.code))`
  expect(runNode(folder, '--input-type=module', '-e', script)).toBe(
    'ERR_PACKAGE_PATH_NOT_EXPORTED\n',
  )
})

it('runs its command', () => {
  expect(runNode(folder, join(installed, 'dist', 'cli', 'main.js'), '--version')).toContain(
    own.version,
  )
})

it('names in its declarations only modules that come with it', () => {
  const strangers = listFiles(installed)
    .filter((path) => path.endsWith('.d.ts'))
    .flatMap((path) => parseSource(path, readFileSync(path, 'utf8')).specifiers)
    .filter((name) => !/^(\.|node:)/.test(name) && !closure.has(name))
  expect(strangers).toEqual([])
})

it('depends on no MCP SDK and no model SDK', () => {
  const sdk =
    /modelcontextprotocol|fastmcp|mcp-|openai|anthropic|@ai-sdk|^ai$|langchain|google.*gen/
  expect([...closure].filter((name) => sdk.test(name))).toEqual([])
})

it('brings at most 16 packages and 6 MB, freely licensed, that run nothing when installed', () => {
  const packages = [...closure].map((name) => resolve('node_modules', name))
  expect(packages.length + 1).toBeLessThanOrEqual(16)
  expect(packages.reduce((sum, path) => sum + bytesIn(path), bytesIn(installed))).toBeLessThan(6e6)
  const manifests = [...packages.map(manifestIn), manifestIn(installed)]
  expect(
    manifests.filter(({ license }) => !/^(MIT|ISC|BSD-[23]-Clause)$/.test(license ?? '')),
  ).toEqual([])
  const hooks = manifests.flatMap(({ scripts }) => Object.keys(scripts ?? {}))
  expect(hooks.filter((name) => /^(pre|post)?install$/.test(name))).toEqual([])
})

function pagesOf(at: string): readonly string[] {
  return listFiles(at).filter(
    (path) => path.endsWith('.md') && !path.includes('node_modules', at.length),
  )
}

/** Those to other files of the same package. */
function linksIn(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`(?!\])/g, '')
  const links = [...prose.matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link)
  return links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => decodeURI(link))
}

/** All packages that the named ones need, themselves included; all lie flat in node_modules. */
function closureOf(names: readonly string[], seen: Set<string> = new Set()): ReadonlySet<string> {
  for (const name of names.filter((next) => !seen.has(next))) {
    seen.add(name)
    closureOf(Object.keys(manifestIn(join('node_modules', name)).dependencies ?? {}), seen)
  }
  return seen
}
