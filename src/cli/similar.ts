/** Which names are near to one that does not exist. */

/** Names looked at; a list may be a stranger's. */
const MAX_NAMES = 2000
/** Characters of a name that count. */
const MAX_LENGTH = 64

/** Up to three names, nearest first; those that only differ in case or hold the other one count as near. */
export function similarNames(name: string, all: readonly string[]): readonly string[] {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase()
  return all
    .slice(0, MAX_NAMES)
    .map((other) => ({
      other,
      distance: distanceTo(wanted, other.slice(0, MAX_LENGTH).toLowerCase()),
    }))
    .filter(
      ({ other, distance }) => distance <= Math.max(1, Math.min(wanted.length, other.length) * 0.4),
    )
    .sort((one, two) => one.distance - two.distance)
    .slice(0, 3)
    .map(({ other }) => other)
}

function distanceTo(wanted: string, other: string): number {
  const isPart = wanted.length >= 3 && (other.includes(wanted) || wanted.includes(other))
  return isPart && other !== '' ? 0.5 : edits(wanted, other)
}

/** Insertions, deletions, changes and swaps of neighbours that lead from one to the other. */
function edits(one: string, two: string): number {
  let before: number[] = []
  let row = Array.from({ length: two.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= two.length; j += 1) {
      const same = one[i - 1] === two[j - 1]
      const change = at(row, j - 1) + (same ? 0 : 1)
      let least = Math.min(change, at(row, j) + 1, at(next, j - 1) + 1)
      if (i > 1 && j > 1 && one[i - 1] === two[j - 2] && one[i - 2] === two[j - 1]) {
        least = Math.min(least, at(before, j - 2) + 1)
      }
      next.push(least)
    }
    before = row
    row = next
  }
  return at(row, two.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
