import { describe, expect, it } from 'vitest'
import { memoryArtifacts, type ArtifactStore } from './artifacts.ts'

/** Everything, read in parts of `limit` bytes. */
async function readAll(store: ArtifactStore, id: string, limit: number): Promise<string> {
  let text = ''
  for (let next: number | undefined = 0; next !== undefined;) {
    const part = await store.read(id, next, limit)
    if (part === undefined) throw new Error('gone')
    text += part.text
    next = part.next
  }
  return text
}

describe('artifacts in memory', () => {
  it('get ids that count up and are read back whole', async () => {
    const store = memoryArtifacts()
    expect([await store.put('one'), await store.put('two')]).toEqual(['a1', 'a2'])
    expect(await store.read('a2')).toEqual({
      text: 'two',
      offset: 0,
      end: 3,
      bytes: 3,
      isText: true,
      mimeType: 'text/plain',
    })
  })

  it.each([1, 4, 5, 7, 97, 1000])(
    'are read in parts of %i bytes without a broken character',
    async (limit) => {
      const store = memoryArtifacts()
      const text = 'aé中🙂\n'.repeat(40)
      await store.put(text)
      expect(await readAll(store, 'a1', limit)).toBe(text)
    },
  )

  it('begin a part at the character that the offset lies in', async () => {
    const store = memoryArtifacts()
    await store.put('a🙂bcdef')
    const part = await store.read('a1', 3, 4)
    expect(part).toMatchObject({ text: '🙂bc', offset: 1, end: 7, next: 7 })
  })

  it('give an empty part beyond their end', async () => {
    const store = memoryArtifacts()
    await store.put('abc')
    expect(await store.read('a1', 1e9)).toMatchObject({ text: '', offset: 3, end: 3, bytes: 3 })
  })

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'take an offset of %d for the start',
    async (offset) => {
      const store = memoryArtifacts()
      await store.put('abc')
      expect(await store.read('a1', offset, offset)).toMatchObject({ text: 'abc', offset: 0 })
    },
  )

  it('never give more than 1 MiB at once', async () => {
    const store = memoryArtifacts()
    await store.put('x'.repeat(3_000_000))
    const part = await store.read('a1', 0, 2_000_000_000)
    expect(part).toMatchObject({ end: 1024 * 1024, next: 1024 * 1024 })
  })

  it.each(['a0', 'a01', 'a2', '1', '', '__proto__', 'a1/../a1', 'constructor'])(
    'have no %j when only a1 was made',
    async (id) => {
      const store = memoryArtifacts()
      await store.put('abc')
      expect(await store.read(id)).toBeUndefined()
      expect(await store.bytes(id)).toBeUndefined()
    },
  )

  it('drop the oldest when there are too many bytes', async () => {
    const store = memoryArtifacts({ maxBytes: 10 })
    for (const text of ['aaaa', 'bbbb', 'cccc']) await store.put(text)
    expect(await store.read('a1')).toBeUndefined()
    expect((await store.read('a2'))?.text).toBe('bbbb')
    expect((await store.read('a3'))?.text).toBe('cccc')
  })

  it('drop the oldest when there are too many', async () => {
    const store = memoryArtifacts({ maxItems: 2 })
    for (const text of ['a', 'b', 'c']) await store.put(text)
    expect(await store.read('a1')).toBeUndefined()
    expect((await store.read('a3'))?.text).toBe('c')
  })

  it('are not made of what is larger than the store, and nothing is dropped for it', async () => {
    const store = memoryArtifacts({ maxBytes: 10 })
    await store.put('small')
    expect(await store.put('x'.repeat(11))).toBeUndefined()
    expect((await store.read('a1'))?.text).toBe('small')
  })

  it('keep bytes that no one can change from outside', async () => {
    const store = memoryArtifacts()
    const given = new Uint8Array([1, 2, 3])
    await store.put(given, { mimeType: 'image/png' })
    given[0] = 9
    const taken = await store.bytes('a1')
    expect(taken).toEqual(new Uint8Array([1, 2, 3]))
    if (taken !== undefined) taken[1] = 9
    expect(await store.bytes('a1')).toEqual(new Uint8Array([1, 2, 3]))
  })

  it('tell bytes from texts', async () => {
    const store = memoryArtifacts()
    const utf8 = new TextEncoder().encode('a,b\n')
    await store.put(utf8, { mimeType: 'text/csv' })
    await store.put(utf8, { mimeType: 'image/png' })
    await store.put(new Uint8Array([0xff]), { mimeType: 'text/plain' })
    expect(await store.read('a1')).toMatchObject({
      isText: true,
      text: 'a,b\n',
      mimeType: 'text/csv',
    })
    expect(await store.read('a2')).toMatchObject({ isText: false, text: '', bytes: 4 })
    expect(await store.read('a3')).toMatchObject({ isText: false, text: '' })
  })
})
