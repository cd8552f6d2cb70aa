/**
 * Cuts bytes into lines, however they arrive, without ever holding more than one line of the longest allowed length.
 */

/** One line without its line end, or the size of one that was too long and is gone. */
export type Line =
  | {
      readonly kind: 'line'
      readonly bytes: Uint8Array
      readonly offset: number
      readonly ended: boolean
    }
  | { readonly kind: 'too-long'; readonly size: number; readonly offset: number }

export class LineCutter {
  readonly #maxBytes: number
  #parts: Uint8Array[] = []
  #size = 0
  #skipping = false
  /** Place of the first byte of the current line. */
  #offset = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Calls `take` for each line that ends in this chunk. Lines may share the chunk's memory. */
  push(chunk: Uint8Array, take: (line: Line) => void): void {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end))
      this.#finish(true, take)
      from = end + 1
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
  }

  /** The rest without a line end, if there is one. */
  end(take: (line: Line) => void): void {
    if (this.#size > 0) this.#finish(false, take)
  }

  #add(part: Uint8Array): void {
    this.#size += part.length
    if (this.#size > this.#maxBytes) {
      this.#skipping = true
      this.#parts = []
    }
    if (!this.#skipping && part.length > 0) this.#parts.push(part)
  }

  #finish(ended: boolean, take: (line: Line) => void): void {
    const size = this.#size
    const offset = this.#offset
    const line: Line = this.#skipping
      ? { kind: 'too-long', size, offset }
      : { kind: 'line', bytes: join(this.#parts, size), offset, ended }
    this.#offset += size + (ended ? 1 : 0)
    this.#parts = []
    this.#size = 0
    this.#skipping = false
    take(line)
  }
}

/** Joined once a line: joining at every chunk would take quadratic time. */
function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first
  const out = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
