/** Which names of tools are near to one that a model made up. */

/** Longest name that is looked at; a tool's has 64 at most. */
const MAX_LENGTH = 128
/** Least likeness, from 0 to 1. */
const NEAR = 0.5

/**
 * Up to three names, nearest first: alike in most pairs of neighbouring letters, or the same up to what stands before the tool's own
 * name. Costs one pass over the names.
 */
export function nearNames(name: string, all: Iterable<string>): readonly string[] {
  if (name.length > MAX_LENGTH) return []
  const wanted = plain(name)
  const pairs = pairsOf(wanted)
  const near: { readonly name: string; readonly likeness: number }[] = []
  for (const other of all) {
    const likeness = likenessOf(wanted, pairs, plain(other))
    if (likeness >= NEAR) near.push({ name: other, likeness })
  }
  return near
    .sort((one, two) => two.likeness - one.likeness)
    .slice(0, 3)
    .map((found) => found.name)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '')
}

/** Twice the shared pairs over all pairs; names that hold the other one are near in any case. */
function likenessOf(wanted: string, pairs: ReadonlySet<string>, other: string): number {
  if (wanted === other) return 1
  if (wanted.length >= 3 && other.length >= 3 && (other.endsWith(wanted) || wanted.endsWith(other)))
    return 0.99
  const others = pairsOf(other)
  let shared = 0
  for (const pair of others) if (pairs.has(pair)) shared += 1
  return (2 * shared) / Math.max(1, pairs.size + others.size)
}

function pairsOf(name: string): ReadonlySet<string> {
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < name.length; at += 1) pairs.add(name.slice(at, at + 2))
  return pairs
}
