/** A set of ASCII characters that is asked by character code: for walks over text that must take one step a character. */

/** Whether a code is a member stands at its place. */
export type AsciiSet = Uint8Array

/** `members` as in the brackets of a pattern: `A-Za-z0-9_`. */
export function asciiSet(members: string): AsciiSet {
  const pattern = new RegExp(`[${members}]`)
  return Uint8Array.from({ length: 128 }, (_, code) =>
    pattern.test(String.fromCharCode(code)) ? 1 : 0,
  )
}

/** NaN, which `charCodeAt` gives outside of the text, is in no set. */
export function isIn(set: AsciiSet, code: number): boolean {
  return code < 128 && set[code] === 1
}

/** Where the run of members ends that begins at `from`. */
export function runEnd(text: string, from: number, set: AsciiSet): number {
  let at = from
  while (isIn(set, text.charCodeAt(at))) at += 1
  return at
}
