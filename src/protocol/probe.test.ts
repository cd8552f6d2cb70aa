import { describe, expect, it } from 'vitest'
import { readProbe, type Conclusion, type ProbeOutcome, type ProbeWish } from './probe.ts'
import { LEGACY_REVISIONS } from './revision.ts'

const MODERN = '2026-07-28'
const auto: ProbeWish = { asked: MODERN, modern: [MODERN], legacy: LEGACY_REVISIONS }
const onlyModern: ProbeWish = { ...auto, legacy: [] }

const discovered = (...supportedVersions: unknown[]): ProbeOutcome => ({
  kind: 'result',
  result: { supportedVersions: supportedVersions as string[], capabilities: {} },
})
const refused = (code: number, data?: unknown): ProbeOutcome => ({ kind: 'error', code, data })

type Row = readonly [
  title: string,
  outcome: ProbeOutcome,
  wish: ProbeWish,
  conclusion: Partial<Conclusion>,
]

const rows: readonly Row[] = [
  [
    'a discovery that lists the revision asked in',
    discovered(MODERN),
    auto,
    { kind: 'modern', revision: MODERN },
  ],
  [
    'a discovery of both eras',
    discovered('2025-11-25', MODERN),
    auto,
    { kind: 'modern', revision: MODERN },
  ],
  [
    'a discovery that lists legacy revisions only',
    discovered('2024-11-05', '2025-06-18'),
    auto,
    { kind: 'handshake', revision: '2025-06-18' },
  ],
  [
    'the same when there is to be no handshake',
    discovered('2025-06-18'),
    onlyModern,
    { kind: 'none', theirs: ['2025-06-18'] },
  ],
  [
    'a discovery of a future server',
    discovered('2031-01-01'),
    auto,
    { kind: 'none', theirs: ['2031-01-01'] },
  ],
  [
    'a list with things that are no text',
    discovered(1, null, MODERN),
    auto,
    { kind: 'modern', revision: MODERN },
  ],
  [
    'an empty result, as some old servers give to anything',
    { kind: 'result', result: {} },
    auto,
    { kind: 'legacy' },
  ],
  [
    'a result with versions and nothing else',
    { kind: 'result', result: { supportedVersions: [MODERN] } },
    auto,
    { kind: 'legacy' },
  ],
  [
    '-32022 with another modern revision',
    refused(-32022, { supported: ['2025-11-25'] }),
    auto,
    { kind: 'handshake', revision: '2025-11-25' },
  ],
  [
    '-32022 that lists what it refuses',
    refused(-32022, { supported: [MODERN] }),
    auto,
    { kind: 'modern', revision: MODERN, answer: undefined },
  ],
  ['-32022 without a list', refused(-32022), auto, { kind: 'none', theirs: [], code: -32022 }],
  [
    '-32022 with nonsense as a list',
    refused(-32022, { supported: 'all' }),
    auto,
    { kind: 'none', theirs: [] },
  ],
  ['-32020', refused(-32020), auto, { kind: 'none', code: -32020 }],
  ['-32021', refused(-32021, { requiredCapabilities: {} }), auto, { kind: 'none', code: -32021 }],
  ...[-32601, -32602, -32600, -32603, -32000, -32001, -32004, -32700, 0, 1].map((code): Row => [
    `${code}`,
    refused(code),
    auto,
    { kind: 'legacy' },
  ]),
  [
    '-32602 with versions, as an old server answers to initialize',
    refused(-32602, { supported: ['2025-06-18'] }),
    auto,
    { kind: 'legacy' },
  ],
  ['silence', { kind: 'silence' }, auto, { kind: 'legacy' }],
  ['an answer that is none', { kind: 'nonsense' }, auto, { kind: 'legacy' }],
]

describe('the first question', () => {
  it.each(rows)(
    'concludes from %s [VERS-10, VERS-11, VERS-12, VERS-22, VERS-24]',
    (_, outcome, wish, conclusion) => {
      expect(readProbe(outcome, wish)).toMatchObject(conclusion)
    },
  )

  it('chooses the newest modern revision that both know and asks again in it [VERS-06]', () => {
    const wish: ProbeWish = { asked: MODERN, modern: ['2025-11-25', MODERN], legacy: [] } // two modern revisions, for once
    const refusal = refused(-32022, { supported: ['2025-11-25', '2024-11-05'] })
    expect(readProbe(refusal, wish)).toEqual({
      kind: 'modern',
      revision: '2025-11-25',
      answer: undefined,
    })
  })

  it('reads at most 100 versions of a list', () => {
    const long = discovered(...Array.from({ length: 100 }, (_, at) => `v${at}`), MODERN)
    expect(readProbe(long, auto)).toMatchObject({ kind: 'none' })
  })

  it('is not fooled by a list that sits on a prototype', () => {
    const data: unknown = Object.create({ supported: ['2025-11-25'] })
    expect(readProbe(refused(-32022, data), auto)).toMatchObject({ kind: 'none', theirs: [] })
  })
})
