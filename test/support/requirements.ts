/**
 * Reads the requirement list, the test titles that claim one, and the lines that cite one. It judges
 * nothing; `requirements.test.ts` does.
 */
import { existsSync, readFileSync } from 'node:fs'
import { asNode, textOf, walk } from './sources.ts'
import type { Source, SyntaxNode } from './sources.ts'

const list = 'docs/requirements.md'
const citation = /\b(?!UTF-)[A-Z]{3,5}-\d{2}(?!\d)/g

/** All IDs of the list, in its order, repeats included. */
export function readRequirements(): readonly string[] {
  if (!existsSync(list)) {
    throw new Error(`${list} is missing: no test can prove a rule that is not written down.`)
  }
  const rows = readFileSync(list, 'utf8').matchAll(/^\| ([A-Z]{3,5}-\d{2,3}) \|(?:[^|\n]*\|){5}/gm)
  return [...rows].map(([, id = '']) => id)
}

/** Every ID that the text names, each with `path:line`. */
export function citations({ path, text }: Source): readonly { id: string; at: string }[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(citation)].map(([id]) => ({ id, at: `${path}:${index + 1}` })),
    )
}

/** Every ID in brackets at the end of a test's title; a test that never runs claims nothing. */
export function claims(source: Source): readonly { id: string; at: string }[] {
  return [...walk(source.tree)].flatMap(({ node }) => {
    if (node.type !== 'CallExpression' || !isTestCall(asNode(node['callee']))) return []
    const [first] = Array.isArray(node['arguments']) ? node['arguments'] : []
    const [, ids = ''] = /\[([A-Z]+-\d+(?:, [A-Z]+-\d+)*)\]$/.exec(textOf(first)) ?? []
    return ids === '' ? [] : ids.split(', ').map((id) => ({ id, at: source.path }))
  })
}

/** `it(…)`, `test(…)`, `it.each(…)(…)`, `it.skipIf(…)(…)`; not `it.skip`, `it.todo`, `describe`. */
function isTestCall(callee: SyntaxNode | undefined): boolean {
  if (callee?.type === 'CallExpression' || callee?.type === 'TaggedTemplateExpression') {
    return isTestCall(asNode(callee['callee'] ?? callee['tag']))
  }
  if (callee?.type === 'MemberExpression') {
    const member = asNode(callee['property'])?.['name']
    return member !== 'skip' && member !== 'todo' && isTestCall(asNode(callee['object']))
  }
  return callee?.['name'] === 'it' || callee?.['name'] === 'test'
}
