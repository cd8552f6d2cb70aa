import { describe, expect, it } from 'vitest'
import { agentRoom, faultsOf, told } from '../../test/support/agent-room.ts'
import { runToEnd } from '../../test/support/agent-run.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import type { ModelRequest, ReplyOptions } from './model.ts'
import { defineTool } from '../tools/define.ts'

const forever = () => new Promise<never>(() => undefined)
const LOOK = { calls: [{ name: 'fs__look' }, { name: 'fs__look', args: { second: true } }] }
const TIME = { reason: 'budget', which: 'ms' } as const

/** A gate that somebody goes through once, and a promise of that. */
function gate(): { readonly reached: Promise<void>; pass(): void } {
  let pass = (): void => undefined
  const reached = new Promise<void>((resolve) => {
    pass = resolve
  })
  return { reached, pass: () => pass() }
}

/** A room whose model never answers and never listens. */
async function deafRoom(): Promise<{
  readonly room: Awaited<ReturnType<typeof agentRoom>>
  readonly asked: ReturnType<typeof gate>
}> {
  const asked = gate()
  const room = await agentRoom({}, () => {
    asked.pass()
    return forever()
  })
  return { room, asked }
}

describe('the time of a run', () => {
  it('ends a wait for the model when it is over, and the conversation can go on', async () => {
    const asked = gate()
    const room = await agentRoom({}, (_request, n, signal) => {
      if (n > 0) return 'Here I am.'
      asked.pass()
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('stopped')))
      })
    })
    const ending = runToEnd({ ...room.options, budget: { ms: 2_000 } })
    await asked.reached
    await room.clock.advance(2_000)
    expect((await ending).end).toMatchObject({ ...TIME, turns: 1, text: '' })
    expect(room.clock.pending).toBe(0)
    room.transcript.say('Still there?')
    expect((await runToEnd(room.options)).end).toMatchObject({ text: 'Here I am.' })
  })

  it('waits two seconds more, and once, for a model that does not listen', async () => {
    const { room, asked } = await deafRoom()
    let isOver = false
    const ending = runToEnd({ ...room.options, budget: { ms: 1_000 } }).finally(() => {
      isOver = true
    })
    await asked.reached
    await room.clock.advance(2_999)
    expect(isOver).toBe(false)
    await room.clock.advance(1)
    expect((await ending).end).toMatchObject(TIME)
    expect(room.clock.pending).toBe(0)
  })

  it('breaks off the call under way, answers each call once, and tells the server', async () => {
    const called = gate()
    const fs = toolServer(tool('look'))
    fs.answer = () => {
      called.pass()
      return forever()
    }
    const room = await agentRoom({ fs }, (_request, n) => (n === 0 ? LOOK : 'Here I am.'))
    const ending = runToEnd({ ...room.options, budget: { ms: 1_000 } })
    await called.reached
    await room.clock.advance(1_000)
    const { end } = await ending
    expect(end).toMatchObject({ ...TIME, turns: 1 })
    expect(fs.calls).toHaveLength(1)
    const [first, second] = told(room.transcript.messages)
    expect(first).toMatchObject({ failed: true, text: expect.stringMatching(/time.*not known/) })
    expect(second).toMatchObject({ failed: true, text: expect.stringMatching(/^Not called.*time/) })
    expect(faultsOf(room.transcript.messages)).toEqual([])
    expect(
      room.events.some(
        (event) => event.type === 'message' && event.text.includes('notifications/cancelled'),
      ),
    ).toBe(true)
    room.transcript.say('Go on.')
    expect((await runToEnd(room.options)).end.reason).toBe('done')
    expect(faultsOf(room.model.requests[1]?.messages ?? [])).toEqual([])
  })

  it('keeps the result of a tool that comes to its end within the two seconds', async () => {
    const called = gate()
    const room = await agentRoom({}, [{ calls: [{ name: 'save' }] }])
    const save = defineTool({
      name: 'save',
      run: (_args, { signal }) => {
        called.pass()
        return new Promise<string>((resolve) => {
          signal.addEventListener('abort', () => resolve('saved'))
        })
      },
    })
    room.host.mount([save])
    const ending = runToEnd({ ...room.options, budget: { ms: 1_000 } })
    await called.reached
    await room.clock.advance(1_000)
    expect((await ending).end).toMatchObject(TIME)
    expect(told(room.transcript.messages)).toMatchObject([{ failed: false, text: 'saved' }])
  })

  it('is not over for a user who interrupts before', async () => {
    const { room, asked } = await deafRoom()
    const stop = new AbortController()
    const ending = runToEnd({ ...room.options, budget: { ms: 1_000 }, signal: stop.signal })
    await asked.reached
    stop.abort()
    await room.clock.advance(2_000)
    expect((await ending).end.reason).toBe('cancelled')
    expect(room.clock.pending).toBe(0)
  })

  it('stays the reason when the user interrupts after it', async () => {
    const { room, asked } = await deafRoom()
    const stop = new AbortController()
    const ending = runToEnd({ ...room.options, budget: { ms: 1_000 }, signal: stop.signal })
    await asked.reached
    await room.clock.advance(1_000)
    stop.abort()
    await room.clock.advance(2_000)
    expect((await ending).end).toMatchObject(TIME)
  })

  it('leaves no timer behind a run that ended before', async () => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [LOOK, 'Done.'])
    const before = room.clock.pending
    const { end } = await runToEnd({ ...room.options, budget: { ms: 60_000 } })
    expect(end.reason).toBe('done')
    expect(room.clock.pending).toBe(before)
  })

  it('is told to the model, for which no longer pause before another try makes sense', async () => {
    const room = await agentRoom({}, ['Hi.'])
    const left: unknown[] = []
    const model = {
      ...room.model,
      reply: (request: ModelRequest, options: ReplyOptions = {}) => {
        left.push(options.leftMs)
        return room.model.reply(request, options)
      },
    }
    await runToEnd({ ...room.options, model, budget: { ms: 4_000 } })
    room.transcript.say('Again.')
    await runToEnd({ ...room.options, model }).catch(() => undefined)
    expect(left).toEqual([4_000, undefined])
  })

  it('may be longer than a timer counts to', async () => {
    const { room, asked } = await deafRoom()
    const short = {
      ...room.clock,
      after: (ms: number, run: () => void) => room.clock.after(Math.min(ms, 100), run),
    }
    const ending = runToEnd({ ...room.options, clock: short, budget: { ms: 250 } })
    await asked.reached
    await room.clock.advance(200)
    expect(room.clock.pending).toBe(1)
    await room.clock.advance(150)
    expect((await ending).end).toMatchObject(TIME)
  })
})
