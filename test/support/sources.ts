/**
 * Reads the project's own sources as syntax trees, for the tests that hold the house rules. It
 * resolves nothing outside the project and runs none of what it reads.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { parseSync } from 'vite'

/** A node of a syntax tree; which other keys there are depends on `type`. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

/** One source file, with its path from the root in forward slashes. */
export interface Source {
  readonly path: string
  readonly text: string
  readonly isTest: boolean
  readonly tree: SyntaxNode
  /** Every module it names, as written, once each: imports, re-exports, types and `import()`. */
  readonly specifiers: readonly string[]
}

/** All TypeScript files below a folder of the root, sorted; empty when the folder does not exist. */
export function readSources(folder: string): readonly Source[] {
  return listFiles(folder)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => parseSource(path, readFileSync(path, 'utf8')))
}

/** All files below a folder, sorted, in forward slashes from the root. */
export function listFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).split(sep).join('/'))
    .toSorted()
}

/** The tree of a text, as though it stood at that path. */
export function parseSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text, { lang: 'ts', sourceType: 'module' })
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  // The parser's node types are a closed union of plain objects; here they are read by key.
  const tree = program as unknown as SyntaxNode
  const specifiers = new Set<string>()
  for (const { node } of walk(tree)) {
    const source = asNode(node['source'])
    if (source !== undefined && /Import|Export/.test(node.type)) specifiers.add(textOf(source))
  }
  specifiers.delete('')
  return {
    path,
    text,
    isTest: /\.test(-d)?\.ts$/.test(path) || path.startsWith('test/'),
    tree,
    specifiers: [...specifiers],
  }
}

/** Every node of a tree with its parent and the key it hangs on, parents first. */
export function* walk(
  root: SyntaxNode,
): Generator<{ node: SyntaxNode; parent?: SyntaxNode; key: string }> {
  const stack: { node: SyntaxNode; parent?: SyntaxNode; key: string }[] = [{ node: root, key: '' }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    yield top
    for (const [key, value] of Object.entries(top.node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        const node = asNode(child)
        if (node !== undefined) stack.push({ node, parent: top.node, key })
      }
    }
  }
}

/** The fixed text of a string, template or regular expression; empty for all else. */
export function textOf(node: SyntaxNode): string {
  if (node.type === 'Literal') {
    return typeof node['value'] === 'string' || node['regex'] !== undefined
      ? String(node['raw']).replace(/^['"]|['"]$/g, '')
      : ''
  }
  if (node.type === 'TemplateLiteral' && Array.isArray(node['quasis'])) {
    return node['quasis'].map((quasi) => textOf(quasi)).join('…')
  }
  if (node.type === 'TemplateElement') return String(Object(node['value']).raw)
  return ''
}

/** The file a relative specifier leads to, from the root; undefined for packages and `node:`. */
export function target(from: Source, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from.path), specifier) : undefined
}

/** `path:line`, for messages. */
export function place(source: Source, node: SyntaxNode): string {
  return `${source.path}:${source.text.slice(0, node.start).split('\n').length}`
}

/** The value as a node, when it is one. */
export function asNode(value: unknown): SyntaxNode | undefined {
  // Proven by the check before it: an object with a string `type` is how the tree marks its nodes.
  const isNode =
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  return isNode ? (value as SyntaxNode) : undefined
}
