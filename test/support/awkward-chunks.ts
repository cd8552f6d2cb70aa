/** Cuts bytes into pieces as no well-behaved server would: by one, in the middle of characters, or as the dice fall. */
import { dice } from './seeded.ts'

/** In one piece, in pieces of so many bytes, or in pieces of 1 to 200 bytes as a seed has it. */
export type Chunking = 'whole' | number | { readonly seed: number }

const MOST = 200

export function* chunksOf(bytes: Uint8Array, chunking: Chunking): Generator<Uint8Array> {
  const roll = typeof chunking === 'object' ? dice(chunking.seed) : undefined
  let at = 0
  while (at < bytes.length) {
    const size = roll?.between(1, MOST) ?? (typeof chunking === 'number' ? chunking : bytes.length)
    yield bytes.subarray(at, at + size)
    at += size
  }
}
