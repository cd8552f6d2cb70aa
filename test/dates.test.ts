/**
 * What a revision changes is known to src/protocol/ alone: elsewhere nobody writes a revision's date
 * and nobody compares revisions. Comments and tests may.
 */
import { expect, it } from 'vitest'
import { asNode, place, readSources, textOf, walk } from './support/sources.ts'
import type { SyntaxNode } from './support/sources.ts'

const files = readSources('src').filter(
  ({ isTest, path }) => !isTest && !path.startsWith('src/protocol/'),
)
const comparisons = new Set(['<', '<=', '>', '>=', '==', '===', '!=', '!=='])
const leaves = new Set(['Literal', 'TemplateElement'])

/** Dates of others, which are no revision of this protocol, and where each stands. */
const foreign = new Set([
  'src/agent/models/anthropic-request.ts 2023-06-01', // the version of that provider's API
  'src/agent/price-data.ts 2026-10-31', // the day of the prices
  'src/agent/model-data.ts 2026-10-31', // the day of what is known of models
])

/** `revision`, `client.revision`, `facts.protocolVersion`, `theirRevision` and the like. */
function namesRevision(node: SyntaxNode | undefined): boolean {
  if (node?.type === 'ChainExpression') return namesRevision(asNode(node['expression']))
  if (node?.type === 'MemberExpression') return namesRevision(asNode(node['property']))
  const name = node?.['name']
  return typeof name === 'string' && /(revision|protocolVersion)$/i.test(name)
}

/** Whether there is one at all is a fair question anywhere; which one it is, is not. */
function isAbsence(node: SyntaxNode | undefined): boolean {
  return node?.['name'] === 'undefined' || node?.['raw'] === 'null'
}

it('writes no date outside of src/protocol/', () => {
  const dates = files.flatMap((file) =>
    [...walk(file.tree)]
      .filter(({ node }) => leaves.has(node.type) && /\b20\d\d-\d\d-\d\d\b/.test(textOf(node)))
      .filter(({ node }) => !foreign.has(`${file.path} ${String(node['value'])}`))
      .map(({ node }) => `${place(file, node)}: ${textOf(node)}`),
  )
  expect(dates).toEqual([])
})

it('compares no revisions outside of src/protocol/', () => {
  const compared = files.flatMap((file) =>
    [...walk(file.tree)]
      .filter(({ node }) => comparisons.has(String(node['operator'])))
      .map(({ node }) => ({ node, sides: [asNode(node['left']), asNode(node['right'])] }))
      .filter(({ sides }) => sides.some(namesRevision) && !sides.some(isAbsence))
      .map(
        ({ node }) => `${place(file, node)}: ${file.text.slice(node.start, Number(node['end']))}`,
      ),
  )
  expect(compared).toEqual([])
})

it('switches on no revision outside of src/protocol/', () => {
  const switches = files.flatMap((file) =>
    [...walk(file.tree)]
      .filter(({ node }) => node.type === 'SwitchStatement')
      .filter(({ node }) => namesRevision(asNode(node['discriminant'])))
      .map(({ node }) => place(file, node)),
  )
  expect(switches).toEqual([])
})
