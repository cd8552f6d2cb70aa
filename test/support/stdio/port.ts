/** A port that remembers what a link hands over, and processes that are looked at from outside. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LinkPort, Unreadable } from '../../../src/jsonrpc/link.ts'
import type { WireNote } from '../../../src/jsonrpc/wire.ts'

/** The scripted peer; its first argument is the way it behaves. */
export const PEER: string = join(import.meta.dirname, 'peer.mjs')

export interface RecordingPort extends LinkPort {
  readonly closed: (reason?: Error) => void
  readonly texts: string[]
  readonly pieces: Unreadable[]
  readonly notes: WireNote[]
  /** How often the end was told. */
  readonly ends: (Error | undefined)[]
  /** Settles with the reason when the end is told. */
  readonly ended: Promise<Error | undefined>
  /** Settles with the next text that nobody has waited for yet. */
  next(): Promise<string>
  /** Settles when a note of this kind came, or is there already. */
  noted(kind: string): Promise<WireNote>
}

export interface PortOptions {
  readonly maxMessageBytes?: number
  /** What `text` answers, to play a reader that is full. */
  readonly onText?: (text: string) => void | Promise<void>
}

export function recordingPort(options: PortOptions = {}): RecordingPort {
  const texts: string[] = []
  const pieces: Unreadable[] = []
  const notes: WireNote[] = []
  const ends: (Error | undefined)[] = []
  const ended = deferred<Error | undefined>()
  const readers: ((text: string) => void)[] = []
  const watchers: { kind: string; resolve(note: WireNote): void }[] = []
  let taken = 0
  return {
    maxMessageBytes: options.maxMessageBytes ?? 32 * 1024 * 1024,
    texts,
    pieces,
    notes,
    ends,
    ended: ended.promise,
    text(text) {
      texts.push(text)
      const reader = readers.shift()
      if (reader !== undefined) {
        taken += 1
        reader(text)
      }
      return options.onText?.(text)
    },
    unreadable: (piece) => void pieces.push(piece),
    failed() {},
    note(note) {
      notes.push(note)
      for (const watcher of watchers) if (watcher.kind === note.kind) watcher.resolve(note)
    },
    closed(reason) {
      ends.push(reason)
      ended.resolve(reason)
    },
    next() {
      const text = texts[taken]
      if (text !== undefined) {
        taken += 1
        return Promise.resolve(text)
      }
      return new Promise((resolve) => readers.push(resolve))
    },
    noted(kind) {
      const note = notes.find((one) => one.kind === kind)
      if (note !== undefined) return Promise.resolve(note)
      return new Promise((resolve) => watchers.push({ kind, resolve }))
    },
  }
}

function deferred<Value>(): { promise: Promise<Value>; resolve(value: Value): void } {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => (resolve = settle))
  return { promise, resolve }
}

/** Whether a process lives; one that has ended and waits to be collected does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}

/** Looks again and again until all are gone; the milliseconds that took, or `undefined` when some stayed. */
export async function untilGone(
  pids: readonly number[],
  limitMs = 30_000,
): Promise<number | undefined> {
  const start = performance.now()
  while (pids.some(isAlive)) {
    if (performance.now() - start > limitMs) return undefined
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return performance.now() - start
}
