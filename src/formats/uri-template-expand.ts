/**
 * Expands the parts of a URI template with values, RFC 6570 level 4. Pure; nothing is fetched.
 */

import { UsageError } from '../base/errors.ts'
import type { Expression, Operator, Part, Variable } from './uri-template-parts.ts'

type Scalar = string | number | boolean

/** What a variable may hold. An empty list or object, null and undefined are no value: the variable is left out. */
export type UriValue =
  | Scalar
  | readonly Scalar[]
  | Readonly<Record<string, Scalar>>
  | null
  | undefined

/** Throws `UsageError` for half a surrogate pair, and for a length asked of a list. */
export function expandParts(
  parts: readonly Part[],
  values: Readonly<Record<string, UriValue>>,
): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : expandExpression(part, values)))
    .join('')
}

function expandExpression(
  { operator, variables }: Expression,
  values: Readonly<Record<string, UriValue>>,
): string {
  const written = variables.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined
    return writeValue(variable, operator, value)
  })
  return written.length === 0 ? '' : operator.first + written.join(operator.separator)
}

/** The value of one variable: nothing, one text, or with `*` one for each item. */
function writeValue(variable: Variable, operator: Operator, value: UriValue): readonly string[] {
  if (value === null || value === undefined) return []
  const { name, prefix, explode } = variable
  const encode = (scalar: Scalar): string => encodeScalar(scalar, variable, operator)
  if (typeof value !== 'object')
    return [withName(operator, name, encode(cut(String(value), prefix)))]
  const items: readonly (readonly string[])[] = isList(value)
    ? value.map((item) => [encode(item)])
    : Object.entries(value).map(([key, item]) => [encode(key), encode(item)])
  if (items.length === 0) return []
  if (prefix !== undefined) {
    throw new UsageError(
      `The variable "${name}" of a URI template takes a text, for it asks for ${prefix} characters; this is a list.`,
    )
  }
  if (!explode) return [withName(operator, name, items.flat().join(','))]
  return items.map(([first = '', second]) => {
    if (second === undefined) return withName(operator, name, first)
    return operator.named ? withName(operator, first, second) : `${first}=${second}`
  })
}

function withName({ named, ifEmpty }: Operator, name: string, encoded: string): string {
  if (!named) return encoded
  return encoded === '' ? name + ifEmpty : `${name}=${encoded}`
}

function encodeScalar(scalar: Scalar, { name }: Variable, { reserved }: Operator): string {
  try {
    return reserved ? encodeReserved(String(scalar)) : encodeUnreserved(String(scalar))
  } catch (error) {
    throw new UsageError(
      `The variable "${name}" of a URI template cannot hold half of a surrogate pair.`,
      { cause: error },
    )
  }
}

/** All but unreserved characters become octets. RFC 3986 §2.3 */
function encodeUnreserved(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Reserved characters stay as well, and octets that are encoded already. RFC 6570 §3.2.3 */
function encodeReserved(value: string): string {
  return encodeURI(value)
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replace(/%25([0-9A-Fa-f]{2})/g, '%$1')
}

/** The first characters, none of them half. */
function cut(value: string, length: number | undefined): string {
  return length === undefined ? value : Array.from(value).slice(0, length).join('')
}

function isList(
  value: readonly Scalar[] | Readonly<Record<string, Scalar>>,
): value is readonly Scalar[] {
  return Array.isArray(value)
}
