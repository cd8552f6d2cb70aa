/**
 * Adds and removes whole tables of a TOML file, as text. What is not written as tables of its own cannot be edited here;
 * whoever calls reads the result again, compares, and says so.
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'

/** The file with a table at its end. Texts in it are strings, lists of strings, booleans and tables of strings. */
export async function appendTomlTable(
  text: string,
  path: readonly string[],
  value: JsonObject,
): Promise<string> {
  const toml = await import('smol-toml')
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const plain = Object.entries(value).filter(([, inner]) => !isJsonObject(inner))
  const tables = Object.entries(value).flatMap(([key, inner]) =>
    isJsonObject(inner) ? [[key, inner] as const] : [],
  )
  const parts = [
    `${header(path)}\n${toml.stringify(Object.fromEntries(plain))}`.trimEnd(),
    ...tables.map(([key, inner]) =>
      `${header([...path, key])}\n${toml.stringify(inner)}`.trimEnd(),
    ),
  ]
  const before = text.trimEnd() === '' ? '' : `${text.trimEnd()}${eol}${eol}`
  return `${before}${parts.join('\n\n').replaceAll('\n', eol)}${eol}`
}

function header(path: readonly string[]): string {
  const keys = path.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key)))
  return `[${keys.join('.')}]`
}

/** The file without the table and those below it, as far as they have headers of their own. */
export async function removeTomlTables(text: string, path: readonly string[]): Promise<string> {
  const toml = await import('smol-toml')
  const pathOf = (line: string): readonly string[] | undefined => {
    try {
      return keysOf(toml.parse(line))
    } catch {
      // A line that looks like a header and is none stands in a text of several lines.
      return undefined
    }
  }
  const kept: string[] = []
  let [removing, quotes] = [false, '']
  for (const line of text.split(/(?<=\n)/)) {
    if (quotes === '' && /^\s*\[/.test(line)) {
      const found = pathOf(line)
      if (found !== undefined) removing = path.every((key, at) => found[at] === key)
    }
    quotes = openQuotes(line, quotes)
    if (!removing) kept.push(line)
  }
  return kept.join('')
}

/** The only path of keys in a table that has nothing but a header. */
function keysOf(table: unknown): readonly string[] {
  const inner: unknown = Array.isArray(table) ? table[0] : table
  if (!isJsonObject(inner)) return []
  const [entry] = Object.entries(inner)
  return entry === undefined ? [] : [entry[0], ...keysOf(entry[1])]
}

/** The quotes of a text of several lines that is open behind this line, or none. */
function openQuotes(line: string, open: string): string {
  let quotes = open
  let at = 0
  while (at < line.length) {
    if (quotes !== '') {
      const end = line.indexOf(quotes, at)
      if (end < 0) return quotes
      at = end + 3
      quotes = ''
      continue
    }
    const next = /"""|'''|#|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g
    next.lastIndex = at
    const found = next.exec(line)
    if (found === null || found[0] === '#') return ''
    at = found.index + found[0].length
    if (found[0] === '"""' || found[0] === "'''") [quotes] = found
  }
  return quotes
}
