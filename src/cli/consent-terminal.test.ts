import { describe, expect, it } from 'vitest'
import type { CallQuestion, ConsentAnswer } from '../host/consent.ts'
import type { Choice } from './choose.ts'
import { terminalConsent, type Prompts } from './consent-terminal.ts'
import { hostEn } from './messages/host-en.ts'

const question: CallQuestion = {
  kind: 'call',
  server: 'files',
  tool: 'write',
  alias: 'files__write',
  args: { text: 'short' },
  argumentsHash: '00',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  trusted: false,
  reason: 'otherwise',
  message: 'No rule is about it.',
  pin: 'approved',
  lasting: true,
  warnings: [],
}
const LONG = { ...question, args: { text: 'x'.repeat(10_000), last: 'the end' } }

interface Played {
  readonly answer: ConsentAnswer
  /** What could be chosen at each question, and how many lines had been shown by then. */
  readonly asked: readonly { readonly values: readonly string[]; readonly shown: number }[]
  readonly lines: readonly string[]
  /** Interrupts that were told. */
  readonly interrupts: number
}

/** What a person does who presses Ctrl-C. */
const CTRL_C = 'Ctrl-C'

/** Asks with a person who chooses these, one after the other; `undefined` is Escape. */
async function play(
  request: CallQuestion,
  choices: readonly (string | undefined)[],
  reason?: string,
): Promise<Played> {
  const lines: string[] = []
  const asked: { values: readonly string[]; shown: number }[] = []
  const left = [...choices]
  let interrupts = 0
  const prompts: Prompts = {
    async choose<Value extends string>({
      options,
      onInterrupt,
    }: Choice<Value>): Promise<Value | undefined> {
      asked.push({ values: options.map(({ value }) => value), shown: lines.length })
      const wanted = left.shift()
      if (wanted === CTRL_C) onInterrupt?.()
      return options.find(({ value }) => value === wanted)?.value
    },
    async write({ onInterrupt }) {
      if (reason === CTRL_C) onInterrupt?.()
      return reason === CTRL_C ? undefined : reason
    },
  }
  const consent = terminalConsent({
    words: hostEn.consent,
    size: () => ({ rows: 24, columns: 80 }),
    line: (text) => lines.push(text),
    prompts: async () => prompts,
    onInterrupt: () => (interrupts += 1),
  })
  const answer = await consent.ask(request, new AbortController().signal)
  return { answer, asked, lines, interrupts }
}

describe('a person at the terminal', () => {
  it.each(['once', 'session', 'always', 'always-these-arguments'] as const)(
    'can answer %s',
    async (kind) => {
      const { answer } = await play(question, [kind])
      expect(answer).toEqual({ kind, by: 'person' })
    },
  )

  it('has no as the first choice, which a stray Enter takes', async () => {
    const { asked } = await play(question, ['deny'])
    expect(asked[0]?.values[0]).toBe('deny')
  })

  it('can say why not, in at most 1,000 characters', async () => {
    const { answer } = await play(question, ['deny-because'], ` ${'y'.repeat(2_000)}`)
    expect(answer).toEqual({ kind: 'deny', by: 'person', reason: 'y'.repeat(1_000) })
    const empty = await play(question, ['deny-because'], '  ')
    expect(empty.answer).toEqual({ kind: 'deny', by: 'person' })
  })

  it.each([
    ['Escape', undefined, 0],
    ['Ctrl-C, which is told as an interrupt,', CTRL_C, 1],
  ])('says no with %s at the question, between pages and at the reason', async (_, key, times) => {
    const no = { kind: 'deny', by: 'person' }
    for (const played of [
      await play(question, [key]),
      await play(LONG, ['more', key]),
      await play(question, ['deny-because'], key),
    ])
      expect([played.answer, played.interrupts]).toEqual([no, times])
  })

  it('is not offered a yes before every line was shown', async () => {
    const more = Array.from({ length: 100 }, () => 'more')
    const { asked, lines } = await play(LONG, more)
    const early = asked.filter(({ shown }) => shown < lines.length)
    expect(early.length).toBeGreaterThan(5)
    expect(early.every(({ values }) => values.join(',') === 'more,no')).toBe(true)
    expect(asked.at(-1)?.values).toContain('once')
    expect(lines.join('\n')).toContain('"last": "the end"')
  })

  it('is not offered a lasting yes where none would hold', async () => {
    const { asked } = await play({ ...question, lasting: false }, ['once'])
    expect(asked[0]?.values).toEqual(['deny', 'deny-because', 'once'])
  })

  it('is shown the request anew when the terminal becomes narrower, and asked again', async () => {
    let columns = 80
    let narrow = (): void => {}
    const heard: number[] = []
    const lines: string[] = []
    let asked = 0
    const consent = terminalConsent({
      words: hostEn.consent,
      size: () => ({ rows: 60, columns }),
      line: (text) => lines.push(text),
      whenNarrower(than, hear) {
        heard.push(than)
        narrow = () => {
          columns = 30
          hear()
        }
        return () => void heard.push(-than)
      },
      prompts: async () => ({
        choose<Value extends string>({ options, signal }: Choice<Value>) {
          asked += 1
          const chosen = options.find(({ value }) => value === 'once')?.value
          if (asked > 1) return Promise.resolve(chosen)
          return new Promise<Value | undefined>((settle) => {
            signal.addEventListener('abort', () => settle(undefined))
            narrow()
          })
        },
        write: async () => undefined,
      }),
    })
    const answer = await consent.ask(question, new AbortController().signal)
    expect([answer, asked]).toEqual([{ kind: 'once', by: 'person' }, 2])
    // Each time of the widest line, and let go of again.
    const [first = 0, second = 0] = heard.filter((width) => width > 0)
    expect(heard).toEqual([first, -first, second, -second])
    expect([first > 40, second > 20 && second <= 30]).toEqual([true, true])
    expect(lines).toContain('· The terminal has become')
    const again = lines.slice(lines.findLastIndex((line) => line.startsWith('┃ Server')))
    expect(again.length).toBeGreaterThan(5)
    expect(again.every((line) => line.length <= 30)).toBe(true)
  })
})
