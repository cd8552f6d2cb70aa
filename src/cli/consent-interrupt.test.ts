import { describe, expect, it } from 'vitest'
import type { ConsentAnswer } from '../host/consent.ts'
import { interruptible } from './consent-interrupt.ts'

const nextTurn = (): Promise<void> => new Promise((settle) => setImmediate(settle))
const no: ConsentAnswer = { kind: 'deny', by: 'person' }
const yes: ConsentAnswer = { kind: 'once', by: 'person' }

describe('a question that can be interrupted', () => {
  it('gives the no first, then interrupts, and asks nothing in between', async () => {
    const heard: string[] = []
    const asking = interruptible(() => void heard.push('interrupted'))
    const ask = () =>
      asking.ask(no, () => {
        heard.push('asked')
        asking.onInterrupt()
        return Promise.resolve(no)
      })
    const answers = [await ask(), await ask()]
    heard.push('answered')
    expect(answers).toEqual([no, no])
    await nextTurn()
    expect(heard).toEqual(['asked', 'answered', 'interrupted'])
    await ask()
    expect(heard).toHaveLength(4)
  })

  it('interrupts nothing for an answer', async () => {
    let count = 0
    const asking = interruptible(() => void (count += 1))
    expect(await asking.ask(no, async () => yes)).toEqual(yes)
    await nextTurn()
    expect(count).toBe(0)
  })
})
