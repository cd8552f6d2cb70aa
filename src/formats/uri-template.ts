/**
 * URI templates, RFC 6570 level 4: expanding them, and reading URIs by them.
 *
 * The RFC says how to expand; reading is ours (`uri-template-elements.ts` has the rules). Neither builds a pattern of what a
 * peer sent, and the time both take is linear in the length of the URI, whatever stands in it.
 */

import { elementsOf, type Element } from './uri-template-elements.ts'
import { expandParts, type UriValue } from './uri-template-expand.ts'
import { findPieces } from './uri-template-match.ts'
import { readParts } from './uri-template-parts.ts'
import { readPieces, type UriMatch } from './uri-template-values.ts'

/** A template that was read. */
export interface UriTemplate {
  /** As it was given. */
  readonly text: string
  /** The names of its variables, each once, in order. */
  readonly variables: readonly string[]
  /** The URI for these values. A variable without a value is left out. Throws `UsageError` for a value that no URI can hold. */
  expand(values: Readonly<Record<string, UriValue>>): string
  /**
   * The values that make this URI, decoded, or undefined when none do. A variable with `*` gives a list, all others give
   * one text, and what the URI leaves out has no member. The object has no prototype.
   *
   * Text of a peer: without `+`, a raw "/" ends a value, but a decoded one may hold "/" and anything else. Ask
   * `hasTraversal` before a value becomes a part of a path.
   */
  match(uri: string): UriMatch | undefined
}

/** Reads a template of at most 10,000 characters. Throws `UsageError` with the place of what is wrong. // RES-04 */
export function parseTemplate(text: string): UriTemplate {
  const parts = readParts(text)
  const names = parts.flatMap((part) =>
    typeof part === 'string' ? [] : part.variables.map(({ name }) => name),
  )
  let elements: readonly Element[] | undefined
  return {
    text,
    variables: [...new Set(names)],
    expand: (values) => expandParts(parts, values),
    match(uri) {
      elements ??= elementsOf(parts)
      const pieces = findPieces(elements, uri)
      return pieces === undefined ? undefined : readPieces(elements, pieces)
    },
  }
}

/**
 * Whether a value could leave the folder that it is put behind: a segment of two dots or more, with either slash, as octets
 * too, or a NUL. An absolute path is not asked for: that depends on what the value is put behind. // RES-08
 */
export function hasTraversal(value: string): boolean {
  if (value.includes('\0') || /%00/.test(value)) return true
  const plain = value.replace(/%2e/gi, '.').replace(/%2f|%5c|\\/gi, '/')
  // Some systems drop dots and blanks at the end of a name.
  return plain.split('/').some((segment) => segment.includes('..') && /^[. ]+$/.test(segment))
}
