/**
 * Makes captures of two runs equal where only time, chance or the machine differs, for golden files in tests.
 *
 * The result is a capture with right checksums. Ids that were the same stay the same, under new names.
 */

import { CaptureParser } from './reader.ts'
import { Sealer } from './format.ts'
import type { CaptureHeader, CaptureRecord } from './format.ts'

export interface MaskOptions {
  /** Text to replace wherever it stands, e.g. `{ '/home/me/project': '<project>' }`; longest first. Empty by default. */
  readonly replace?: Readonly<Record<string, string>>
}

/** Masked text of a capture. Damaged records are left out. */
export function maskCapture(text: string, options: MaskOptions = {}): string {
  const mask = new Mask(options)
  const sealer = new Sealer()
  const parser = new CaptureParser({ readings: false, verify: false })
  let out = ''
  for (const item of [...parser.push(text), ...parser.end()]) {
    if (item.kind === 'header') out += sealer.header(maskHeader(item.header))
    else if (item.kind !== 'damage') out += sealer.record(mask.members(item.record))
  }
  return out
}

function maskHeader(header: CaptureHeader): {
  product: string
  created: number
  redaction: 'on' | 'off'
} {
  return {
    product: header.product.replace(/\/.*/, '/<version>'),
    created: 0,
    redaction: header.redaction === 'off' ? 'off' : 'on',
  }
}

/** Members whose numbers differ from run to run. */
const NUMBERS: ReadonlySet<string> = new Set([
  'pid',
  'ppid',
  'port',
  'ms',
  'durationMs',
  'elapsedMs',
  'at',
  'wall',
  'startedAt',
])

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** Long runs of hex: hashes, random ids. At least one digit, or a word could be one. */
const HEX = /\b(?=[a-f]{0,64}[0-9])[0-9a-f]{16,64}\b/gi
const DATE = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})/g
const PORT = /\b(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g
/** The version of a program, not that of the protocol, which is a date. */
const VERSION = /("version"\s?:\s?")\d{1,6}\.\d{1,6}[^"]{0,64}(")/g

class Mask {
  readonly #replace: readonly (readonly [string, string])[]
  readonly #names = new Map<string, string>()

  constructor(options: MaskOptions) {
    this.#replace = Object.entries(options.replace ?? {}).sort(([a], [b]) => b.length - a.length)
  }

  /** The members of a record after `seq` and before `prev`, in the order they had. */
  members(record: CaptureRecord): string {
    const parts: string[] = []
    for (const [name, value] of Object.entries(record)) {
      if (name === 'seq' || name === 'prev' || name === 'crc') continue
      const masked = name === 'wall' || name === 'at' ? 0 : this.#value(name, value)
      parts.push(`${JSON.stringify(name)}:${JSON.stringify(masked)}`)
    }
    return parts.join(',')
  }

  #value(name: string, value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number') return NUMBERS.has(name) ? 0 : value
    if (Array.isArray(value)) return value.map((item) => this.#value('', item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.#value(key, inner)]),
    )
  }

  #text(text: string): string {
    let out = text
    for (const [from, to] of this.#replace) if (from !== '') out = out.replaceAll(from, to)
    return out
      .replace(DATE, '<time>')
      .replace(UUID, (id) => this.#name('uuid', id))
      .replace(HEX, (id) => this.#name('id', id))
      .replace(PORT, '$1:<port>')
      .replace(VERSION, '$1<version>$2')
      .replace(/("(?:pid|ppid|port|ms|durationMs|elapsedMs)"\s?:\s?)\d{1,15}/g, '$10')
  }

  /** Numbered in the order of appearance. */
  #name(kind: string, id: string): string {
    const key = id.toLowerCase()
    let name = this.#names.get(key)
    if (name === undefined) {
      name = `<${kind}-${this.#names.size + 1}>`
      this.#names.set(key, name)
    }
    return name
  }
}
