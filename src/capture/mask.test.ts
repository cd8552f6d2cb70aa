import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../jsonrpc/wire.ts'
import { captureFuzz, sampleCapture } from '../../test/support/capture-fuzz.ts'
import { maskCapture } from './mask.ts'
import { CaptureParser } from './reader.ts'
import { recorder } from './recorder.ts'

function capture(run: {
  pid: number
  id: string
  wall: number
  home: string
  version: string
}): string {
  const lines: string[] = []
  const sink = recorder((line) => lines.push(line), {
    product: `deep-pilot/${run.version}`,
    created: run.wall,
  })
  const base = {
    connection: 'fs',
    transport: `node ${run.home}/server.mjs`,
    at: run.wall / 7,
    wall: run.wall,
  }
  const texts = [
    `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"${run.version}"}}}`,
    `{"jsonrpc":"2.0","id":2,"method":"m","params":{"task":"${run.id}","again":"${run.id}","when":"${new Date(run.wall).toISOString()}"}}`,
  ]
  const events: WireEvent[] = [
    {
      ...base,
      seq: 0,
      type: 'note',
      note: { kind: 'spawn', data: { pid: run.pid, cwd: run.home } },
    },
    ...texts.map((text, n): WireEvent => ({
      ...base,
      seq: n + 1,
      type: 'message',
      direction: 'in',
      text,
    })),
    {
      ...base,
      seq: 3,
      type: 'note',
      note: { kind: 'stderr', text: `listening on http://127.0.0.1:${run.pid}/` },
    },
  ]
  for (const event of events) sink(event)
  return lines.join('')
}

describe('masking', () => {
  const first = {
    pid: 4711,
    id: '0b0e7b9c-4f4f-4e51-8f0e-2a61f2b4d001',
    wall: 1_700_000_000_123,
    home: '/home/me',
    version: '1.2.3',
  }
  const second = {
    pid: 815,
    id: '7c9d1f00-1111-4222-8333-444455556666',
    wall: 1_800_000_000_456,
    home: '/tmp/x',
    version: '2026.8.31',
  }
  const mask = (run: typeof first): string =>
    maskCapture(capture(run), { replace: { [run.home]: '<home>' } })

  it('makes two runs of the same thing equal, byte for byte', () => {
    expect(mask(first)).toBe(mask(second))
    expect(capture(first)).not.toBe(capture(second))
  })

  it('gives a sound capture in which the same id is still the same', () => {
    const parser = new CaptureParser()
    const items = [...parser.push(mask(first)), ...parser.end()]
    expect(
      items
        .filter((item) => item.kind === 'damage')
        .map((item) => item.kind === 'damage' && item.damage.code),
    ).toEqual(['unfinished'])
    expect(mask(first)).toContain('\\"task\\":\\"<uuid-1>\\",\\"again\\":\\"<uuid-1>\\"')
  })

  it('keeps what is no chance: protocol versions, methods, ids, order', () => {
    const text = mask(first)
    expect(text).toContain('2025-11-25')
    expect(text).toContain('\\"id\\":2')
    expect(maskCapture(text)).toBe(text)
  })
})

describe('the fuzz entry', () => {
  it('starts from sound captures', () => {
    const parser = new CaptureParser()
    const items = [...parser.push(sampleCapture(40)), ...parser.end()]
    expect(items.filter((item) => item.kind === 'damage')).toEqual([])
  })

  it('survives mutated captures and gives one outcome however they are cut', () => {
    let state = 20261201
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    const seeds = captureFuzz.seeds()
    for (let round = 0; round < 1000; round += 1) {
      const bytes = Uint8Array.from(seeds[round % seeds.length] ?? [])
      for (let n = random(4); n >= 0; n -= 1) {
        const at = random(bytes.length)
        if (random(3) === 0) bytes.copyWithin(at, random(bytes.length), random(bytes.length))
        else bytes[at] = random(256)
      }
      const cuts = [random(bytes.length), random(bytes.length)].sort((a, b) => a - b)
      expect(captureFuzz.run(bytes, cuts)).toBe(captureFuzz.run(bytes))
    }
  })
})
