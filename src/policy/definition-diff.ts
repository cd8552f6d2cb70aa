/**
 * The difference of two definitions for a person: which member, what was there, what is there now. Every line is escaped for a
 * terminal, has its mark in front, and is cut to a width; there are not more than a bounded number.
 */

import { canonicalJson, isJsonObject, type JsonValue } from '../base/json.ts'
import { terminalText } from '../base/terminal-text.ts'
import { textDiff } from './text-diff.ts'

/** Most lines of one difference, the last one counting what is left out. */
export const MAX_DIFF_LINES = 200
/** Deeper members are compared and shown as one value. */
const MAX_DEPTH = 64
/** Longest list that is compared item by item. */
const MAX_ITEMS = 500
/** Longest path of a member that is written out, in characters. */
const MAX_PATH = 200

/**
 * Lines of the difference: `path:` of a member, then `- ` what it was and `+ ` what it is. Empty for equal values; undefined stands for what is not there. Paths are
 * member names joined by `/`, as `inputSchema/properties/path/description`.
 */
export function definitionDiff(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly string[] {
  const diff = new DiffLines()
  compare(before, after, { diff, path: [] })
  return diff.finish()
}

interface Step {
  readonly diff: DiffLines
  readonly path: readonly string[]
}

function compare(before: JsonValue | undefined, after: JsonValue | undefined, step: Step): void {
  if (before === after) return
  if (isJsonObject(before) && isJsonObject(after) && step.path.length < MAX_DEPTH) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    for (const key of [...keys].toSorted())
      compare(own(before, key), own(after, key), into(step, key))
  } else if (isShortList(before) && isShortList(after) && step.path.length < MAX_DEPTH) {
    compareLists(before, after, step)
  } else if (typeof before === 'string' && typeof after === 'string') {
    step.diff.add(step.path, textDiff(before, after))
  } else if (
    before === undefined ||
    after === undefined ||
    canonicalJson(before) !== canonicalJson(after)
  ) {
    const lines = textDiff(shown(before), shown(after))
    // An empty text that comes or goes, and a number that becomes a text, have no other lines.
    step.diff.add(step.path, lines.length > 0 ? lines : [`- ${exact(before)}`, `+ ${exact(after)}`])
  }
}

/** Items that are equal at both ends stay out; lists of one length are compared item by item. */
function compareLists(before: readonly JsonValue[], after: readonly JsonValue[], step: Step): void {
  if (before.length === after.length) {
    for (const [index, item] of before.entries())
      compare(item, after[index], into(step, String(index)))
    return
  }
  const [old, now] = [
    before.map((item) => canonicalJson(item)),
    after.map((item) => canonicalJson(item)),
  ]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  const room = Math.min(old.length, now.length) - start
  while (end < room && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const lines = (items: readonly string[]): string =>
    items.slice(start, items.length - end).join('\n')
  step.diff.add(step.path, textDiff(lines(old), lines(now)))
}

function isShortList(value: JsonValue | undefined): value is JsonValue[] {
  return Array.isArray(value) && value.length <= MAX_ITEMS
}

function own(
  value: { readonly [key: string]: JsonValue | undefined },
  key: string,
): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function into({ diff, path }: Step, key: string): Step {
  return { diff, path: [...path, key] }
}

/** A text as it is, so that its lines are lines; anything else as JSON. */
function shown(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : canonicalJson(value)
}

function exact(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : terminalText(canonicalJson(value)).slice(0, MAX_PATH)
}

class DiffLines {
  readonly #lines: string[] = []
  #left = 0

  add(path: readonly string[], changes: readonly string[]): void {
    if (changes.length === 0) return
    const name = terminalText(path.join('/').slice(0, MAX_PATH))
    for (const line of path.length === 0 ? changes : [`${name}:`, ...changes]) {
      // One line is kept for the count.
      if (this.#lines.length < MAX_DIFF_LINES - 1) this.#lines.push(line)
      else this.#left += 1
    }
  }

  finish(): readonly string[] {
    return this.#left === 0
      ? this.#lines
      : [...this.#lines, `… and ${this.#left} more lines that are not shown`]
  }
}
