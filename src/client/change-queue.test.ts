import { describe, expect, it } from 'vitest'
import { ChangeQueue, isWithin, type Change } from './change-queue.ts'

async function taken(queue: ChangeQueue): Promise<readonly Change[]> {
  queue.end()
  const changes: Change[] = []
  for await (const change of queue) changes.push(change)
  return changes
}

describe('changes that wait', () => {
  it('count once while nobody takes them, in the order of their first', async () => {
    const queue = new ChangeQueue({ tools: true, resources: true }, () => undefined)
    for (let at = 0; at < 100_000; at += 1)
      queue.offer({ kind: at % 2 === 0 ? 'tools' : 'resources' })
    expect(await taken(queue)).toEqual([{ kind: 'tools' }, { kind: 'resources' }])
  })

  it('are those that were asked for', async () => {
    const queue = new ChangeQueue({ prompts: true, uris: ['a:/x'] }, () => undefined)
    queue.offer({ kind: 'tools' })
    queue.offer({ kind: 'resource', uri: 'a:/y' })
    queue.offer({ kind: 'prompts' })
    queue.offer({ kind: 'resource', uri: 'a:/x' })
    expect(await taken(queue)).toEqual([{ kind: 'prompts' }, { kind: 'resource', uri: 'a:/x' }])
  })

  it('name what changed below a watched resource by its own URI [RES-15]', async () => {
    const queue = new ChangeQueue({ uris: ['file:///a', 'b:/c/'] }, () => undefined)
    for (const uri of ['file:///a/b', 'file:///ab', 'b:/c/d', 'b:/cd', 'file:///a#part'])
      queue.offer({ kind: 'resource', uri })
    expect((await taken(queue)).map((change) => 'uri' in change && change.uri)).toEqual([
      'file:///a/b',
      'b:/c/d',
      'file:///a#part',
    ])
  })

  it('are bounded, however many things below a watched resource change', async () => {
    const queue = new ChangeQueue({ uris: ['a:'] }, () => undefined)
    for (let at = 0; at < 5000; at += 1) queue.offer({ kind: 'resource', uri: `a:/${at}` })
    const waiting = await taken(queue)
    expect(waiting).toHaveLength(1001)
    expect(waiting.at(-1)).toEqual({ kind: 'resource', uri: 'a:' })
  })

  it('are everything that was asked for after an interruption [SUB-13]', async () => {
    const queue = new ChangeQueue({ tools: true, uris: ['a:1', 'a:2'] }, () => undefined)
    queue.offerAll()
    expect(await taken(queue)).toEqual([
      { kind: 'tools' },
      { kind: 'resource', uri: 'a:1' },
      { kind: 'resource', uri: 'a:2' },
    ])
  })

  it('go to those who wait for them, in turn, and the end to all', async () => {
    let left = 0
    const queue = new ChangeQueue({ tools: true }, () => void (left += 1))
    const [one, two] = [queue.next(), queue.next()]
    queue.offer({ kind: 'tools' })
    expect((await one).value).toEqual({ kind: 'tools' })
    queue.end()
    queue.end()
    expect((await two).done).toBe(true)
    expect((await queue.next()).done).toBe(true)
    expect(left).toBe(1)
  })

  it('tells a place below another from one that only begins like it', () => {
    expect(isWithin('a:/x', 'a:/x')).toBe(true)
    expect(isWithin('a:/x?y', 'a:/x')).toBe(true)
    expect(isWithin('a:/xy', 'a:/x')).toBe(false)
    expect(isWithin('a:/', 'a:/x')).toBe(false)
  })
})
