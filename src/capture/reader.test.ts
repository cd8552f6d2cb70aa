import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../jsonrpc/wire.ts'
import { decodeBase64, encodeBase64 } from '../formats/base64.ts'
import { crc32, crc32Text, utf8Length } from './checksum.ts'
import { endMembers, Sealer } from './format.ts'
import { captureEvents, CaptureParser, readCapture } from './reader.ts'
import type { CaptureItem, Damage, ReadCaptureOptions } from './reader.ts'
import { recorder } from './recorder.ts'
import { sampleEvents } from '../../test/support/capture-sample.ts'

const record = (events: readonly WireEvent[]): string[] => {
  const lines: string[] = []
  const sink = recorder((line) => lines.push(line), { redact: false })
  for (const event of events) sink(event)
  return lines
}
const parse = (bytes: Uint8Array | string, options: ReadCaptureOptions = {}): CaptureItem[] => {
  const parser = new CaptureParser(options)
  return [...parser.push(bytes), ...parser.end()]
}
const damages = (items: readonly CaptureItem[]): Damage[] =>
  items.flatMap((item) => (item.kind === 'damage' ? [item.damage] : []))
const codes = (items: readonly CaptureItem[]): string[] =>
  damages(items).map((damage) => damage.code)
const seqs = (items: readonly CaptureItem[]): number[] =>
  items.flatMap((item) =>
    item.kind === 'event' || item.kind === 'record' ? [item.record.seq] : [],
  )

describe('checksum and Base64', () => {
  it('agree with the ones of Node for any input', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ unit: 'grapheme', maxLength: 100 }),
        (bytes, text) => {
          expect(crc32(bytes)).toBe(zlibCrc32(bytes))
          expect(crc32Text(text)).toBe(zlibCrc32(text))
          expect(utf8Length(text)).toBe(Buffer.byteLength(text))
          expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
          expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes)
        },
      ),
      { seed: 20261201 },
    )
    expect(utf8Length('a\ud800')).toBe(4)
    expect(decodeBase64('a')).toBeUndefined()
    expect(decodeBase64('aa!a')).toBeUndefined()
  })
})

describe('reading a capture', () => {
  it('gives back what was recorded, whole and in order', async () => {
    const events = sampleEvents(60)
    const items: CaptureItem[] = []
    const source = async function* (): AsyncGenerator<string> {
      for (const line of record(events)) yield line
    }
    for await (const item of readCapture(source(), { readings: false })) items.push(item)
    const read = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []))
    expect(read).toEqual(events)
    expect(codes(items)).toEqual(['unfinished'])
    expect(items[0]).toMatchObject({
      kind: 'header',
      header: { version: '1.0', product: 'deep-pilot', redaction: 'off' },
    })
  })

  it('gives the same bytes for the same events', () => {
    expect(record(sampleEvents(40))).toEqual(record(sampleEvents(40)))
  })

  it('writes members in one order', () => {
    const line = record(sampleEvents(10))[3] ?? ''
    expect(Object.keys(JSON.parse(line) as object)).toEqual([
      'seq',
      'type',
      'wall',
      'at',
      'conn',
      'n',
      'transport',
      'dir',
      'text',
      'chain',
      'prev',
      'crc',
    ])
  })

  it('tells what each text is, so that a capture can be linted', async () => {
    const source = async function* (): AsyncGenerator<string> {
      yield record(sampleEvents(10)).join('')
    }
    const kinds: string[] = []
    for await (const event of captureEvents(readCapture(source()))) {
      if (event.type === 'message') kinds.push(event.reading?.kind ?? 'none')
    }
    expect(kinds.slice(0, 2)).toEqual(['request', 'result'])
  })

  it('gives the same result however the bytes are cut', () => {
    const bytes = Buffer.from(record(sampleEvents(12)).join(''))
    const whole = parse(bytes)
    for (let size = 1; size < 200; size += 7) {
      const parser = new CaptureParser()
      const items: CaptureItem[] = []
      for (let at = 0; at < bytes.length; at += size)
        items.push(...parser.push(bytes.subarray(at, at + size)))
      expect([...items, ...parser.end()]).toEqual(whole)
    }
  })

  it('is finished by an end record', () => {
    const sealer = new Sealer()
    const text =
      sealer.header({ product: 'p', created: 0, redaction: 'on' }) +
      sealer.record(endMembers(0, { wall: 0, at: 0 }))
    expect(codes(parse(text))).toEqual([])
  })

  it('reads a capture that went through an editor: byte order mark and carriage returns', () => {
    const text = `\ufeff${record(sampleEvents(10)).join('').replaceAll('\n', '\r\n')}`
    expect(codes(parse(text))).toEqual(['unfinished'])
  })

  it('reads newer minor versions and keeps members and types it does not know', () => {
    const sealer = new Sealer()
    const head = sealer
      .header({ product: 'p', created: 0, redaction: 'on' })
      .replace('"1.0"', '"1.7"')
    const text = head + sealer.record('"type":"weather","wall":1,"at":2,"sky":"blue"')
    const items = parse(text, { verify: false })
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: 'record',
        record: expect.objectContaining({ type: 'weather', sky: 'blue' }),
      }),
    )
    expect(codes(items)).toEqual(['unfinished'])
  })

  it('refuses a newer major version with one clear message', () => {
    const items = parse(`{"format":"deep-pilot.capture","version":"2.0"}\n{"x":1}\n`, {
      verify: false,
    })
    expect(codes(items)).toEqual(['version'])
    expect(damages(items)[0]?.message).toContain('format version 2.0')
  })

  it('reads edited lines when told not to verify', () => {
    const text = record(sampleEvents(10)).join('').replaceAll('echo', 'ohce')
    expect(codes(parse(text))).toContain('checksum')
    expect(codes(parse(text, { verify: false }))).toEqual(['unfinished'])
  })

  it('tells removed, moved and foreign records apart', () => {
    const lines = record(sampleEvents(12))
    expect(damages(parse([...lines.slice(0, 4), ...lines.slice(6)].join('')))[0]).toMatchObject({
      code: 'missing',
      count: 2,
    })
    const moved = [...lines.slice(0, 4), lines[5], lines[4], ...lines.slice(6)].join('')
    expect(codes(parse(moved))).toContain('order')
    const other = record(sampleEvents(12).map((event) => ({ ...event, wall: 1 })))
    expect(codes(parse([...lines.slice(0, 5), ...other.slice(5)].join('')))).toContain('missing')
  })

  it('skips a line over the limit and goes on', () => {
    const lines = record(sampleEvents(12))
    lines.splice(4, 0, `${'x'.repeat(5000)}\n`)
    const items = parse(lines.join(''), { maxLineBytes: 1000 })
    expect(codes(items)).toEqual(['too-long', 'unfinished'])
    expect(seqs(items)).toHaveLength(12)
  })

  it('holds no more than the limit of a line without end', () => {
    const parser = new CaptureParser({ maxLineBytes: 1 << 20 })
    const chunk = new Uint8Array(1 << 20).fill(120)
    const before = process.memoryUsage().arrayBuffers
    for (let n = 0; n < 300; n += 1) parser.push(chunk)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 << 20)
    expect(codes([...parser.end()])).toEqual(['too-long', 'unfinished'])
  })

  it('never throws on garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, verify) => {
        expect(parse(bytes, { verify })).toBeInstanceOf(Array)
      }),
      { seed: 20261201, numRuns: 2000 },
    )
    for (const bomb of [
      '['.repeat(100_000),
      '{"seq":'.repeat(20_000),
      ',"crc":"00000000"}'.repeat(20_000),
      '\n'.repeat(100_000),
    ]) {
      expect(parse(`${bomb}\n`, { verify: false })).toBeInstanceOf(Array)
      expect(parse(`${bomb}\n`)).toBeInstanceOf(Array)
    }
  })

  it('hands out no prototype of the reader', () => {
    const text =
      '{"seq":1,"type":"note","wall":1,"at":1,"conn":"__proto__","n":0,"transport":"t","kind":"k","data":{"__proto__":{"x":1}}}\n'
    parse(text, { verify: false })
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

/** A capture as bytes, and where each of its lines ends. */
const written = (events: readonly WireEvent[]): { bytes: Buffer; ends: readonly number[] } => {
  const ends: number[] = []
  const lines = record(events)
  for (const line of lines) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(line))
  return { bytes: Buffer.from(lines.join('')), ends }
}

/** Whether what is read of the first bytes is all whole records, and a torn one told exactly when there is one. */
const readsToCut = (bytes: Buffer, ends: readonly number[], cut: number): boolean => {
  const items = parse(bytes.subarray(0, cut), { readings: false })
  // A record without its line end is whole.
  const whole = ends.filter((end) => end - 1 <= cut).length
  const torn = cut > 0 && !ends.includes(cut) && !ends.includes(cut + 1)
  const told = codes(items)
  return (
    items.length - told.length === whole &&
    told.every((code) => code === 'torn' || code === 'unfinished') &&
    told.includes('torn') === torn
  )
}

describe('torture of a capture', () => {
  it('reads to the last whole record after a cut at any of 25,000 bytes', () => {
    // Many short captures, so that the work is not the square of the bytes.
    const events = sampleEvents(112)
    const wrong: string[] = []
    let cuts = 0
    for (let from = 0; from < events.length; from += 8) {
      const { bytes, ends } = written(events.slice(from, from + 8))
      for (let cut = 0; cut <= bytes.length; cut += 1, cuts += 1) {
        if (!readsToCut(bytes, ends, cut)) wrong.push(`${from}.${cut}`)
      }
    }
    expect(wrong).toEqual([])
    expect(cuts).toBeGreaterThan(25_000)
  })

  it('reads to the last whole record after a cut at any byte of the last lines of a long one', () => {
    const { bytes, ends } = written(sampleEvents(112))
    const wrong: number[] = []
    for (let cut = ends.at(-3) ?? 0; cut <= bytes.length; cut += 1) {
      if (!readsToCut(bytes, ends, cut)) wrong.push(cut)
    }
    expect(wrong).toEqual([])
  })

  it('tells of a bit flipped at any of 2,000 places and reads all other records', () => {
    let state = 20261201
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    const { bytes, ends } = written(sampleEvents(56))
    const failures: string[] = []
    for (let round = 0; round < 2000; round += 1) {
      const at = random(bytes.length)
      const bit = random(8)
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ (1 << bit)
      const items = parse(copy, { readings: false })
      const hurt = ends.findIndex((end) => at < end)
      const read = seqs(items)
      const expected = ends.map((_, n) => n).filter((n) => n > 0 && n !== hurt)
      const told = codes(items).some((code) => code !== 'unfinished')
      if (!told || expected.some((seq) => !read.includes(seq))) failures.push(`${at}.${bit}`)
    }
    expect(failures).toEqual([])
  })
})

describe('recorder', () => {
  it('never throws when a line cannot be written, and says how many are missing', () => {
    const lines: string[] = []
    let calls = 0
    const sink = recorder((line) => {
      calls += 1
      if (calls >= 4 && calls <= 8) throw new Error('disk full')
      lines.push(line)
    })
    for (const event of sampleEvents(12)) sink(event)
    const items = parse(lines.join(''))
    expect(codes(items)).toEqual(['unfinished'])
    // The first failure lost its event, the next four lost a gap record each and their own event.
    expect(items).toContainEqual(
      expect.objectContaining({
        record: expect.objectContaining({
          type: 'gap',
          count: 5,
          reason: { message: 'disk full' },
        }),
      }),
    )
    expect(seqs(items)).toHaveLength(12 - 5 + 1)
  })

  it('writes 14 planted secrets nowhere, and says how many it replaced', () => {
    const lines: string[] = []
    const canary = 'cAnArY-4711'
    const sink = recorder((line) => lines.push(line), { redact: { secrets: [canary] } })
    const base = {
      connection: `c --token ${canary}`,
      transport: `npx server --api-key=${canary}`,
      at: 0,
      wall: 0,
    }
    const message = (seq: number, text: string, facts?: object): WireEvent => ({
      ...base,
      seq,
      type: 'message',
      direction: 'in',
      text,
      ...(facts ? { facts: { ...facts } } : {}),
    })
    const note = (seq: number, rest: object): WireEvent => ({
      ...base,
      seq,
      type: 'note',
      note: { kind: 'x', ...rest },
    })
    const events: WireEvent[] = [
      { ...base, seq: 0, type: 'open' },
      message(
        1,
        `{"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":{"password":"${canary}"}}}`,
      ),
      message(
        2,
        `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"a\\":\\"${canary}\\"}"}]}}`,
      ),
      message(
        3,
        `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"bad ${canary}","data":{"x":["${canary}"]}}}`,
      ),
      message(4, '{}', { headers: { Authorization: `Bearer ${canary}`, Cookie: `s=${canary}` } }),
      message(5, '{}', {
        url: `https://u:${canary}@h/?access_token=${canary}`,
        location: `/cb?code=${canary}`,
      }),
      message(
        6,
        `{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"${canary}"}}`,
      ),
      note(7, {
        kind: 'spawn',
        data: { command: 'x', args: ['--token', canary], env: { A: canary } },
      }),
      note(8, { kind: 'stderr', text: `Error: login failed for ${canary}` }),
      note(9, {
        kind: 'not-utf8',
        bytes: Buffer.concat([Buffer.from([0xff]), Buffer.from(canary)]),
      }),
      note(10, { kind: 'stray', text: `{"torn":"${canary}` }),
      note(11, { kind: 'http', text: `grant_type=x&client_secret=${encodeURIComponent(canary)}` }),
      note(12, { kind: 'sse', text: `data: ${JSON.stringify(JSON.stringify({ a: canary }))}` }),
      { ...base, seq: 13, type: 'close', reason: new Error(`exit: ${canary}`) },
    ]
    for (const event of events) sink(event)
    const file = lines.join('')
    expect(file).not.toContain(canary)
    expect(file).not.toContain(Buffer.from(canary).toString('base64').slice(0, 12))
    for (const line of lines.slice(2)) expect(JSON.parse(line)).toHaveProperty('redacted')
    expect(codes(parse(file))).toEqual(['unfinished'])
  })

  it('hides a private key that a server prints line by line', () => {
    const lines: string[] = []
    const sink = recorder((line) => lines.push(line))
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEcanary',
      'AAAAcanary',
      '-----END PRIVATE KEY-----',
      'done',
    ]
    for (const [seq, text] of key.entries()) {
      sink({
        type: 'note',
        seq,
        connection: 'a',
        transport: 't',
        at: 0,
        wall: 0,
        note: { kind: 'stderr', text },
      })
    }
    expect(lines.join('')).not.toContain('canary')
    expect(lines.at(-1)).toContain('"text":"done"')
  })

  it('records what JSON cannot hold without throwing', () => {
    const lines: string[] = []
    const sink = recorder((line) => lines.push(line))
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const base = {
      type: 'message',
      connection: 'a',
      transport: 't',
      at: Number.NaN,
      wall: Infinity,
      direction: 'in',
    } as const
    sink({ ...base, seq: 0, text: 'a\ud800b', facts: circle })
    sink({ ...base, seq: 1, text: '[', facts: { big: 1n } })
    const items = parse(lines.join(''))
    expect(codes(items)).toEqual(['unfinished'])
    expect(items).toContainEqual(
      expect.objectContaining({ event: expect.objectContaining({ text: 'a\ud800b' }) }),
    )
  })
})
