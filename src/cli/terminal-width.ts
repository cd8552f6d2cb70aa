/** Tells of a terminal that became narrower, once nobody drags at its edge any more. */

/** The part of a terminal's output that is used. */
export interface SizedTerminal {
  readonly columns?: number
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/** Without a change of the size for so long, in ms, it is as somebody wants it. */
const STILL_MS = 250

/** Calls `hear` once when it is narrower than so many columns. What it gives ends that. */
export function whenNarrower(
  terminal: SizedTerminal,
  columns: number,
  hear: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const release = (): void => {
    clearTimeout(timer)
    terminal.off('resize', look)
  }
  const look = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if ((terminal.columns ?? columns) >= columns) return
      release()
      hear()
    }, STILL_MS)
  }
  terminal.on('resize', look)
  return release
}
