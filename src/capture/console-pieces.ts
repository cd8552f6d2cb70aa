/** The pieces that a line of the console view is made of, and the amounts in them. */

export type Style = 'dim' | 'green' | 'red' | 'yellow' | 'cyan' | 'none'

/** A piece of a line; escaped already. */
export interface Piece {
  readonly text: string
  readonly style: Style
}

export function plain(text: string): Piece {
  return { text, style: 'none' }
}

export function dim(text: string): Piece {
  return { text, style: 'dim' }
}

/** `3.2 ms`, `12 ms`, `12.3 s`. */
export function milliseconds(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`
}

/** `345 B`, `1.2 kB`, `3.4 MB`. */
export function byteCount(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}
