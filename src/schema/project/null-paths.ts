/**
 * Where null was added so that a member can be left out, in a dialect that requires every member; and how arguments are
 * rid of it again.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'

/** Most such places of one schema. */
const MAX_PATHS = 1_000

export class NullPaths {
  readonly #paths = new Map<
    string,
    { readonly path: readonly string[]; readonly isAdded: boolean }
  >()

  /**
   * Notes that null at a path was added, or that it was there. False when the same path is both, in two alternatives: then
   * nobody can tell what a null means.
   */
  note(path: readonly string[], isAdded: boolean): boolean {
    const key = JSON.stringify(path)
    const before = this.#paths.get(key)
    if (before !== undefined) return before.isAdded === isAdded
    if (this.#paths.size >= MAX_PATHS) return false
    this.#paths.set(key, { path, isAdded })
    return true
  }

  /** Paths at which null means "left out". */
  get added(): readonly (readonly string[])[] {
    return [...this.#paths.values()].filter(({ isAdded }) => isAdded).map(({ path }) => path)
  }
}

/** The arguments without members that are null at one of the paths. What is not changed is not copied. */
export function withoutNulls(args: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  let stripped: JsonValue = args
  for (const path of paths) stripped = withoutNull(stripped, path, 0)
  return isJsonObject(stripped) ? stripped : args
}

function withoutNull(value: JsonValue, path: readonly string[], at: number): JsonValue {
  const name = path[at]
  if (name === undefined) return value
  if (Array.isArray(value)) {
    if (name !== ITEMS) return value
    const items = value.map((item) => withoutNull(item, path, at + 1))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value
  const member = value[name]
  if (at === path.length - 1) {
    if (member !== null) return value
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  }
  if (member === undefined) return value
  const stripped = withoutNull(member, path, at + 1)
  if (stripped === member) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === name ? stripped : one]),
  )
}

/** Stands for the items of an array in a path. */
export const ITEMS = '*'
