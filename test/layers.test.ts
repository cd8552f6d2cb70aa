/**
 * The layer law: a file imports from its own folder or from a lower floor, types included, and there
 * is no circle of files. Unit tests are exempt; what they need is never shipped.
 */
import { expect, it } from 'vitest'
import { floorOf, isDoor, layerOf } from './support/layers.ts'
import { asNode, place, readSources, target, textOf, walk } from './support/sources.ts'

const files = readSources('src').filter((source) => !source.isTest)
const edges = files.map((file) => ({
  file,
  targets: file.specifiers.flatMap((specifier) => target(file, specifier) ?? []),
}))

it('knows the layer of every source file', () => {
  expect(files.length).toBeGreaterThan(0)
  const lost = files.filter(({ path }) => floorOf(layerOf(path)) < 0)
  expect(lost.map(({ path }) => path)).toEqual([])
})

it('has one file in src/ itself, the door', () => {
  const loose = files.filter(({ path }) => layerOf(path) === '(door)')
  expect(loose.map(({ path }) => path).filter((path) => path !== 'src/index.ts')).toEqual([])
})

it('imports only from the own layer or a lower floor', () => {
  const climbs = edges.flatMap(({ file, targets }) =>
    targets
      .filter((to) => layerOf(to) !== layerOf(file.path))
      .filter((to) => floorOf(layerOf(to)) >= floorOf(layerOf(file.path)))
      .map((to) => `${file.path} may not import ${to}`),
  )
  expect(climbs).toEqual([])
})

it('imports the file that has the name; only doors gather the layers’ index.ts', () => {
  const detours = edges
    .filter(({ file }) => !isDoor(file.path))
    .flatMap(({ file, targets }) =>
      targets
        .filter((to) => /^src\/[^/]+\/index\.ts$/.test(to))
        .map((to) => `${file.path} may not import ${to}`),
    )
  expect(detours).toEqual([])
})

it('imports no test', () => {
  const backwards = edges.flatMap(({ file, targets }) =>
    targets
      .filter((to) => /\.test(-d)?\.ts$/.test(to) || !to.startsWith('src/'))
      .map((to) => `${file.path} may not import ${to}`),
  )
  expect(backwards).toEqual([])
})

it('has no circle of files, also not through types', () => {
  const next = new Map(edges.map(({ file, targets }) => [file.path, targets]))
  const done = new Set<string>()
  const circlesFrom = (path: string, trail: readonly string[]): readonly string[] => {
    const start = trail.indexOf(path)
    if (start >= 0) return [[...trail.slice(start), path].join(' → ')]
    if (done.has(path)) return []
    const found = (next.get(path) ?? []).flatMap((to) => circlesFrom(to, [...trail, path]))
    done.add(path)
    return found
  }
  expect([...next.keys()].flatMap((path) => circlesFrom(path, []))).toEqual([])
})

it('names every module literally, so that no import escapes the law', () => {
  const computed = files.flatMap((file) =>
    [...walk(file.tree)]
      .filter(({ node }) => node.type === 'ImportExpression')
      .filter(({ node }) => textOf(asNode(node['source']) ?? node) === '')
      .map(({ node }) => place(file, node)),
  )
  expect(computed).toEqual([])
})
