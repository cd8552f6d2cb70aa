/** Members of recorded JSON, looked up without trust in its shape: what is missing or of another kind is undefined, empty or no list. */

export function readJson(text: string): unknown {
  return JSON.parse(text)
}

/** The member at the end of a path of names. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = membersOf(found)[name]
  return found
}

/** The text there, or an empty one. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
