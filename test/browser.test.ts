/**
 * The core runs in a browser: Node's modules and globals stay in the folders meant for them, and
 * packages in the layers that took them in.
 */
import { expect, it } from 'vitest'
import { layerOf, onNode, packages } from './support/layers.ts'
import { place, readSources, walk } from './support/sources.ts'
import type { SyntaxNode } from './support/sources.ts'

const globals = new Set([
  'Buffer',
  'NodeJS',
  '__dirname',
  '__filename',
  'clearImmediate',
  'global',
  'process',
  'require',
  'setImmediate',
])
const files = readSources('src').filter((source) => !source.isTest)

/** Whether an identifier is a member's or a key's name and so refers to nothing by itself. */
function isOnlyAName(key: string, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined || parent['computed'] === true || parent['shorthand'] === true)
    return false
  if (key === 'property') return parent.type === 'MemberExpression'
  if (key === 'right') return parent.type === 'TSQualifiedName'
  return key === 'key' || (key === 'imported' && parent.type === 'ImportSpecifier')
}

it('imports node: modules only where Node is at home', () => {
  const strangers = files
    .filter(({ path }) => !onNode(path))
    .flatMap(({ path, specifiers }) =>
      specifiers.filter((name) => name.startsWith('node:')).map((name) => `${path}: ${name}`),
    )
  expect(strangers).toEqual([])
})

it('imports a package only in the layer that took it in', () => {
  const strangers = files.flatMap(({ path, specifiers }) =>
    specifiers
      .filter((name) => !/^(\.|node:)/.test(name))
      .filter((name) => packages[layerOf(path)]?.includes(name) !== true)
      .map((name) => `${path}: ${name}`),
  )
  expect(strangers).toEqual([])
})

it('uses no global of Node in the parts that run in a browser', () => {
  const uses = files
    .filter(({ path }) => !onNode(path))
    .flatMap((file) =>
      [...walk(file.tree)]
        .filter(({ node }) => node.type === 'Identifier' && globals.has(String(node['name'])))
        .filter(({ key, parent }) => !isOnlyAName(key, parent))
        .map(({ node }) => `${place(file, node)}: ${String(node['name'])}`),
    )
  expect(uses).toEqual([])
})
