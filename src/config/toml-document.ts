/**
 * TOML read into a tree. Its library tells lines of syntax errors only, so that a value is placed by its pointer and tables
 * and keys have no line.
 */

import type { ConfigNode } from './document.ts'
import { configFault, MAX_CONFIG_DEPTH, NodeMaker, pointerTo } from './document.ts'

/** The root of the file, or nothing when it holds blanks and comments only. Throws `ConfigError` with a line for what is no TOML. */
export async function readTomlDocument(
  text: string,
  file: string,
): Promise<ConfigNode | undefined> {
  const toml = await import('smol-toml')
  const value = ((): unknown => {
    try {
      return toml.parse(text, { integersAsBigInt: 'asNeeded', maxDepth: MAX_CONFIG_DEPTH })
    } catch (error) {
      if (!(error instanceof toml.TomlError))
        throw configFault({ file, pointer: '' }, { why: 'too-odd' })
      // The rest of the message repeats the text, and with it perhaps a secret.
      const [first = ''] = error.message.split('\n')
      const reason = first.replace(/^Invalid TOML document: /, '')
      const place = { file, pointer: '', line: error.line, column: error.column }
      throw configFault(place, { why: 'no-toml', reason })
    }
  })()
  const root = nodeOf(value, new NodeMaker(file), '', 1)
  return root.members.size === 0 ? undefined : root
}

function nodeOf(value: unknown, maker: NodeMaker, pointer: string, depth: number): ConfigNode {
  const place = { file: maker.file, pointer }
  maker.enter(depth, place)
  if (Array.isArray(value))
    return maker.array(
      place,
      value.map((item: unknown, index) =>
        nodeOf(item, maker, pointerTo(pointer, index), depth + 1),
      ),
    )
  switch (typeof value) {
    case 'string':
      return maker.scalar('string', place, value)
    case 'number':
    case 'bigint':
      return maker.scalar('number', place, String(value))
    case 'boolean':
      return maker.scalar('boolean', place, String(value))
    case 'object':
      if (value === null || value instanceof Date)
        return maker.scalar('other', place, value === null ? '' : value.toISOString())
      return maker.object(
        place,
        Object.entries(value).map(([key, inner]: [string, unknown]) => [
          key,
          nodeOf(inner, maker, pointerTo(pointer, key), depth + 1),
        ]),
      )
    default:
      return maker.scalar('other', place, '')
  }
}
