import { describe, expect, it } from 'vitest'
import type { ConsentAnswer, ConsentRequest } from '../host/consent.ts'
import { interruptible } from './consent-interrupt.ts'

const request = { kind: 'call' } as ConsentRequest // handed on, and not looked at
const { signal } = new AbortController()
const nextTurn = (): Promise<void> => new Promise((settle) => setImmediate(settle))
const no: ConsentAnswer = { kind: 'deny', by: 'person' }
const yes: ConsentAnswer = { kind: 'once', by: 'person' }

describe('a consent that can be interrupted', () => {
  it('gives the no first, then interrupts, and asks nothing in between', async () => {
    const heard: string[] = []
    const consent = await interruptible(
      () => void heard.push('interrupted'),
      async (onInterrupt) => ({
        ask() {
          heard.push('asked')
          onInterrupt()
          return Promise.resolve(no)
        },
      }),
    )
    const answers = [await consent.ask(request, signal), await consent.ask(request, signal)]
    heard.push('answered')
    expect(answers).toEqual([no, no])
    await nextTurn()
    expect(heard).toEqual(['asked', 'answered', 'interrupted'])
    await consent.ask(request, signal)
    expect(heard).toHaveLength(4)
  })

  it('interrupts nothing for an answer', async () => {
    let count = 0
    const consent = await interruptible(
      () => void (count += 1),
      async () => ({ ask: async () => yes }),
    )
    expect(await consent.ask(request, signal)).toEqual(yes)
    await nextTurn()
    expect(count).toBe(0)
  })
})
