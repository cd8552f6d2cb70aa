/** Which names a pattern stands for: a star at its beginning or end for whatever is there. No expression is made of either. */

/** Upper and lower case are the same. */
export function fitsName(name: string, pattern: string): boolean {
  const [one, other] = [name.toLowerCase(), pattern.toLowerCase()]
  const isOpenBefore = other.startsWith('*')
  const isOpenAfter = other.length > 1 && other.endsWith('*')
  const text = other.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined)
  if (isOpenBefore && isOpenAfter) return one.includes(text)
  if (isOpenBefore) return one.endsWith(text)
  return isOpenAfter ? one.startsWith(text) : one === text
}
