/**
 * Counts the work of code that reads bytes: what it searches, copies and decodes, and its calls. The same on every
 * machine, so a test can say how it grows.
 */

interface Sized {
  readonly length: number
}
type Cost = (self: Sized, args: readonly unknown[], found: unknown) => number

const whole: Cost = (self) => self.length
const nothing: Cost = () => 0
const first: Cost = (_, [source]) => (source as Sized).length
/** From where a search starts to where it ends. */
const forward: Cost = (self, [, from], found) =>
  (typeof found === 'number' && found >= 0 ? found : self.length) - Math.max(0, Number(from ?? 0))
const backward: Cost = (self, [, from], found) =>
  Number(from ?? self.length) - Math.max(0, Number(found))

const TYPED = Object.getPrototypeOf(Uint8Array.prototype) as object
const COUNTED: readonly (readonly [object, string, Cost])[] = [
  [TYPED, 'indexOf', forward],
  [TYPED, 'lastIndexOf', backward],
  [TYPED, 'copyWithin', whole],
  [TYPED, 'slice', whole],
  [TYPED, 'set', first],
  [TYPED, 'subarray', nothing],
  [TextDecoder.prototype, 'decode', first],
  [String.prototype, 'indexOf', forward],
  [String.prototype, 'lastIndexOf', backward],
  [String.prototype, 'includes', whole],
]

/** Units of work that happen inside `run`: what native methods look at, and one for each call of them. */
export function workOf(run: () => void): number {
  let work = 0
  const undo = COUNTED.map(([owner, name, cost]) => {
    const before = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor
    const original = before.value as (...args: unknown[]) => unknown
    // A plain replacement: a spy remembers every call, which is more work than what it counts.
    function counted(this: Sized, ...args: unknown[]): unknown {
      const found = original.apply(this, args)
      work += 1 + cost(this, args, found)
      return found
    }
    Object.defineProperty(owner, name, { ...before, value: counted })
    return () => Object.defineProperty(owner, name, before)
  })
  try {
    run()
  } finally {
    for (const step of undo) step()
  }
  return work
}

/** One chunk over and over. */
export function* repeat(chunk: Uint8Array, times: number): Generator<Uint8Array> {
  for (let turn = 0; turn < times; turn += 1) yield chunk
}
