import { describe, expect, it, vi } from 'vitest'
import { ByteHold } from './byte-hold.ts'
import { canGrow, GrowingBytes } from './growing-bytes.ts'
import { createLineReader } from './ndjson.ts'

const MIB = 1024 * 1024

describe('growing memory', () => {
  it('holds what was appended, also beyond what was set aside', () => {
    const grown = new GrowingBytes(10)
    const piece = new Uint8Array(MIB)
    for (let turn = 0; turn < 70; turn += 1) grown.append(piece.fill(turn))
    const bytes = grown.bytes()
    expect(bytes.length).toBe(70 * MIB)
    for (let turn = 0; turn < 70; turn += 1) {
      expect([bytes[turn * MIB], bytes[(turn + 1) * MIB - 1]]).toEqual([turn, turn])
    }
    grown.free()
  })

  it('is given back at once', () => {
    const grown = new GrowingBytes(10)
    grown.append(new Uint8Array(MIB))
    const { buffer } = grown.bytes()
    grown.free()
    expect(buffer.byteLength).toBe(0)
  })

  it('is to be had in this runtime', () => {
    expect(canGrow()).toBe(true)
  })
})

describe('a hold of many bytes', () => {
  it.each([1000, 20_000, 100_000])('gives them as they came, in pieces of %i', (size) => {
    const bytes = Uint8Array.from({ length: MIB + 7 }, (_, at) => at % 251)
    const hold = new ByteHold()
    for (let from = 0; from < bytes.length; from += size)
      hold.add(bytes.subarray(from, from + size))
    expect(hold.size).toBe(bytes.length)
    expect(hold.use((held) => Buffer.compare(held, bytes))).toBe(0)
    expect(hold.size).toBe(0)
    hold.add(bytes)
    expect(Buffer.compare(hold.take(), bytes)).toBe(0)
  })

  it('gives their memory back, also when the reader of them throws', () => {
    const hold = new ByteHold()
    hold.add(new Uint8Array(MIB))
    const seen: ArrayBufferLike[] = []
    const read = vi.fn<(held: Uint8Array) => void>((held) => {
      seen.push(held.buffer)
      throw new Error('no')
    })
    expect(() => hold.use(read)).toThrow('no')
    expect(seen.map(({ byteLength }) => byteLength)).toEqual([0])
    expect(hold.size).toBe(0)
  })
})

describe('a long line', () => {
  it('is the same text wherever it was cut, in the middle of characters too', () => {
    const line = 'aé漢😀'.repeat(120_000)
    const bytes = new TextEncoder().encode(`${line}\n`)
    for (const size of [4093, 65_537]) {
      const texts: string[] = []
      const reader = createLineReader({
        maxBytes: 2 * MIB,
        onText: (text) => texts.push(text),
        onUnreadable: () => texts.push('unreadable'),
      })
      for (let from = 0; from < bytes.length; from += size) {
        reader.push(bytes.subarray(from, from + size))
      }
      expect(texts.map((text) => text === line)).toEqual([true])
    }
  })

  it('holds no bytes any more when its text is told', () => {
    const free = vi.spyOn(GrowingBytes.prototype, 'free')
    const freed: number[] = []
    const reader = createLineReader({
      maxBytes: 2 * MIB,
      onText: () => freed.push(free.mock.calls.length),
      onUnreadable: () => {},
    })
    for (let turn = 0; turn < 20; turn += 1) reader.push(new Uint8Array(50_000).fill(120))
    reader.push(Uint8Array.of(10))
    free.mockRestore()
    expect(freed).toEqual([1])
  })
})
