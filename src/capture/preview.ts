/**
 * The beginning of a JSON value as text, at a cost that depends on what is shown and not on how large the value is.
 */

import { JsonText } from '../base/json.ts'

/** Compact JSON of at least the first `budget` characters; not valid JSON where it was left off. */
export function previewJson(value: unknown, budget: number): string {
  const out: string[] = []
  append(value, { out, left: budget, depth: 0 })
  return out.join('')
}

interface Sheet {
  readonly out: string[]
  left: number
  depth: number
}

/** A view never shows what lies deeper. */
const MAX_DEPTH = 32

function append(value: unknown, sheet: Sheet): void {
  if (value instanceof JsonText) put(sheet, value.text.slice(0, sheet.left))
  else if (typeof value === 'string') put(sheet, JSON.stringify(value.slice(0, sheet.left)))
  else if (typeof value !== 'object' || value === null) put(sheet, JSON.stringify(value) ?? 'null')
  else if (sheet.depth >= MAX_DEPTH) put(sheet, '…')
  else {
    sheet.depth += 1
    if (Array.isArray(value)) appendArray(value, sheet)
    else appendObject(value, sheet)
    sheet.depth -= 1
  }
}

function appendArray(items: readonly unknown[], sheet: Sheet): void {
  put(sheet, '[')
  for (let n = 0; n < items.length && sheet.left > 0; n += 1) {
    if (n > 0) put(sheet, ',')
    append(items[n], sheet)
  }
  put(sheet, ']')
}

function appendObject(value: object, sheet: Sheet): void {
  put(sheet, '{')
  let first = true
  for (const key in value) {
    if (sheet.left <= 0) break
    if (!Object.hasOwn(value, key)) continue
    put(sheet, `${first ? '' : ','}${JSON.stringify(key.slice(0, sheet.left))}:`)
    // `key` is an own property, found one line above.
    append((value as Record<string, unknown>)[key], sheet)
    first = false
  }
  put(sheet, '}')
}

function put(sheet: Sheet, text: string): void {
  sheet.out.push(text)
  sheet.left -= text.length
}
