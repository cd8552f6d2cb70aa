/**
 * What a fuzzer needs to torture the capture reader: good files to start from, and one run with a comparable outcome.
 */

import { endMembers, Sealer } from '../../src/capture/format.ts'
import { CaptureParser } from '../../src/capture/reader.ts'
import { eventEncoder, headerFields } from '../../src/capture/recorder.ts'
import { sampleEvents } from './capture-sample.ts'

export interface CaptureFuzzEntry {
  readonly name: string
  /** Well-formed inputs to mutate. */
  seeds(): readonly Uint8Array[]
  /**
   * Reads `bytes` in pieces that end at `cuts` (ascending), strictly and leniently, and tells what came out. Must not
   * throw, and must not depend on `cuts`.
   */
  run(bytes: Uint8Array, cuts?: readonly number[]): string
}

export const captureFuzz: CaptureFuzzEntry = {
  name: 'capture',
  seeds: () => [12, 40].map((size) => new TextEncoder().encode(sampleCapture(size))),
  run: (bytes, cuts = []) =>
    [true, false]
      .map((verify) => outcome(new CaptureParser({ verify, maxLineBytes: 64 * 1024 }), bytes, cuts))
      .join('|'),
}

/** A finished capture of `sampleEvents`. */
export function sampleCapture(size: number): string {
  const encode = eventEncoder({})
  const sealer = new Sealer()
  let text = sealer.header(headerFields({}))
  for (const event of sampleEvents(size)) text += sealer.record(encode(event))
  return text + sealer.record(endMembers(size, { wall: 0, at: 0 }))
}

function outcome(parser: CaptureParser, bytes: Uint8Array, cuts: readonly number[]): string {
  const out: string[] = []
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    for (const item of parser.push(bytes.subarray(from, to))) out.push(told(item))
    from = Math.max(from, to)
  }
  for (const item of parser.end()) out.push(told(item))
  return out.join(' ')
}

function told(item: ReturnType<CaptureParser['end']>[number]): string {
  switch (item.kind) {
    case 'header':
      return 'header'
    case 'damage':
      return `${item.damage.code}@${item.damage.offset}`
    case 'event':
      return `${item.event.type}${item.record.seq}`
    case 'record':
      return `record${item.record.seq}`
    default:
      return item satisfies never
  }
}
