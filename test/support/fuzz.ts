/**
 * Mutated bytes through one parser after the other: none may throw, hang, or care how the bytes were cut.
 *
 * Seeded, so that every failure can be had again; a failing input is made as small as it gets and printed.
 */

import { dice, type Dice } from './seeded.ts'

export interface FuzzTarget {
  readonly name: string
  /** Inputs in the small run; fewer where one costs more. Default 3,000. */
  readonly small?: number
  /** Well-formed inputs to begin with. */
  seeds(): readonly Uint8Array[]
  /** Reads `bytes` in pieces that end at `cuts`, ascending, and says what came out. A throw is a failure. */
  run(bytes: Uint8Array, cuts: readonly number[]): string
}

export interface FuzzFailure {
  readonly target: string
  readonly iteration: number
  readonly problem: string
  /** The smallest input found that still fails, base64. */
  readonly input: string
}

export interface FuzzReport {
  readonly iterations: number
  readonly failures: readonly FuzzFailure[]
  /** Slowest single input, in CPU milliseconds. */
  readonly slowestMs: number
}

export interface FuzzOptions {
  readonly iterations: number
  readonly seed: number
  /** Inputs that failed once: run first, unchanged. */
  readonly corpus?: readonly Uint8Array[]
}

/** One input may take this much CPU time before it counts as a hang. */
const HANG_MS = 1000
const MAX_FAILURES = 5
const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\n',
  '\r',
  '\\',
  '\\u0000',
  '\\ud800',
  'null',
  'true',
  '-1',
  '1e308',
  '9007199254740993',
  '"jsonrpc":"2.0"',
  '"id":',
  '"method":',
  '"params":',
  '"result":',
  '"error":',
  '"__proto__":',
  '"constructor":',
  '\u00ef\u00bb\u00bf',
  '\u2028',
].map((token) => new TextEncoder().encode(token)) // prettier keeps words, one a line says nothing

/** Runs a target over mutations of its seeds. Ends early after a few failures. */
export function fuzz(target: FuzzTarget, options: FuzzOptions): FuzzReport {
  const luck = dice(options.seed)
  const seeds = target.seeds()
  const corpus = options.corpus ?? []
  const failures: FuzzFailure[] = []
  let slowestMs = 0
  let iteration = 0
  for (; iteration < options.iterations && failures.length < MAX_FAILURES; iteration += 1) {
    const bytes = corpus[iteration] ?? mutate(luck.pick(seeds), seeds, luck)
    const startedAt = process.cpuUsage()
    const problem = judge(target, bytes, cutsOf(bytes.length, luck))
    const { user } = process.cpuUsage(startedAt)
    slowestMs = Math.max(slowestMs, user / 1000)
    const found =
      problem ?? (user / 1000 > HANG_MS ? `took ${Math.round(user / 1000)} ms` : undefined)
    if (found === undefined) continue
    const smallest = problem === undefined ? bytes : shrink(target, bytes)
    failures.push({
      target: target.name,
      iteration,
      problem: found,
      input: Buffer.from(smallest).toString('base64'),
    })
  }
  return { iterations: iteration, failures, slowestMs }
}

/** What is wrong with how a target takes an input, or nothing. */
export function judge(
  target: FuzzTarget,
  bytes: Uint8Array,
  cuts: readonly number[],
): string | undefined {
  try {
    const whole = target.run(bytes, [])
    const pieces = target.run(bytes, cuts)
    return whole === pieces
      ? undefined
      : `depends on the cuts ${cuts.join(',')}: ${whole.slice(0, 200)} / ${pieces.slice(0, 200)}`
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

function cutsOf(length: number, luck: Dice): readonly number[] {
  const cuts = Array.from({ length: luck.between(0, 4) }, () => luck.between(0, length))
  return cuts.toSorted((one, other) => one - other)
}

function mutate(seed: Uint8Array, seeds: readonly Uint8Array[], luck: Dice): Uint8Array {
  let bytes = seed
  for (let step = luck.between(1, 4); step > 0; step -= 1) bytes = mutateOnce(bytes, seeds, luck)
  return bytes.length > 64 * 1024 ? bytes.subarray(0, 64 * 1024) : bytes
}

function mutateOnce(bytes: Uint8Array, seeds: readonly Uint8Array[], luck: Dice): Uint8Array {
  const at = luck.between(0, bytes.length)
  const until = Math.min(bytes.length, at + luck.between(0, 40))
  switch (luck.between(0, 6)) {
    case 0:
      return splice(bytes, at, at + 1, Uint8Array.of(luck.between(0, 255)))
    case 1:
      return splice(bytes, at, until, new Uint8Array(0))
    case 2:
      return splice(bytes, at, at, luck.pick(TOKENS))
    case 3:
      return splice(bytes, at, at, bytes.subarray(at, until))
    case 4:
      return bytes.subarray(0, at)
    case 5:
      return splice(bytes, at, until, luck.pick(seeds).subarray(0, luck.between(0, 200)))
    default:
      return splice(
        bytes,
        at,
        at,
        new Uint8Array(luck.between(0, 300)).fill(luck.pick([91, 123, 34, 92, 0xff, 0xe4])),
      )
  }
}

function splice(bytes: Uint8Array, from: number, to: number, put: Uint8Array): Uint8Array {
  const out = new Uint8Array(from + put.length + Math.max(0, bytes.length - to))
  out.set(bytes.subarray(0, from))
  out.set(put, from)
  out.set(bytes.subarray(to), from + put.length)
  return out
}

/** Leaves out ever smaller pieces for as long as it still fails. */
function shrink(target: FuzzTarget, bytes: Uint8Array): Uint8Array {
  const fails = (candidate: Uint8Array): boolean =>
    judge(
      target,
      candidate,
      Array.from({ length: candidate.length }, (_, at) => at),
    ) !== undefined
  let smallest = bytes
  for (let size = Math.ceil(smallest.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.length;) {
      const candidate = splice(smallest, at, at + size, new Uint8Array(0))
      if (fails(candidate)) smallest = candidate
      else at += size
    }
  }
  return smallest
}
