import { describe, expect, it } from 'vitest'
import { agentRoom, faultsOf, told } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd } from '../../test/support/agent-run.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import { defineTool } from '../tools/define.ts'
import { runAgent } from './loop.ts'

const forever = () => new Promise<never>(() => undefined)
const LOOK = { calls: [{ name: 'fs__look' }, { name: 'fs__look', args: { second: true } }] }

describe('a run that is cancelled', () => {
  it('while the model thinks ends, and the conversation can go on', async () => {
    const stop = new AbortController()
    const room = await agentRoom({}, (_request, n, signal) => {
      if (n > 0) return 'Here I am.'
      setImmediate(() => stop.abort())
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('stopped')))
      })
    })
    const run = await runToEnd({ ...room.options, signal: stop.signal })
    expect(run.end).toMatchObject({ reason: 'cancelled', text: '', turns: 1 })
    expect((await runToEnd(room.options)).end).toMatchObject({ text: 'Here I am.' })
  })

  it('does not wait for a model that does not listen', async () => {
    const stop = new AbortController()
    const room = await agentRoom({}, () => {
      setImmediate(() => stop.abort())
      return forever()
    })
    const ending = runToEnd({ ...room.options, signal: stop.signal })
    await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
    await room.clock.advance(2_000)
    expect((await ending).end.reason).toBe('cancelled')
  })

  it('while a tool runs answers each call, and the server is told', async () => {
    const stop = new AbortController()
    const fs = toolServer(tool('look'))
    fs.answer = () => {
      setImmediate(() => stop.abort())
      return forever()
    }
    const room = await agentRoom({ fs }, (_request, n) => (n === 0 ? LOOK : 'Here I am.'))
    const run = await runToEnd({ ...room.options, signal: stop.signal })
    expect(run.end.reason).toBe('cancelled')
    const [first, second] = told(room.transcript.messages)
    expect(first).toMatchObject({ failed: true, text: expect.stringContaining('not known') })
    expect(second).toMatchObject({ failed: true, text: expect.stringContaining('Not called') })
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

  it('while a call waits for its turn says that it was not called', async () => {
    const stop = new AbortController()
    const fs = toolServer(tool('look'))
    fs.answer = forever
    const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__look' }] }, 'Here I am.'], {
      entries: { fs: { concurrency: 1 } },
    })
    // Somebody else has the server for as long as it takes.
    const other = room.host.callTool('fs__look').catch(() => undefined)
    const run = runAgent({ ...room.options, signal: stop.signal })
    for (let isCalled = false; !isCalled;) {
      const { value } = await run.next()
      isCalled = 'type' in value && value.type === 'call'
    }
    setImmediate(() => stop.abort())
    for (let done = false; !done;) done = (await run.next()).done === true
    expect(told(room.transcript.messages)).toMatchObject([
      { failed: true, text: 'Not called: the user interrupted before.' },
    ])
    expect(fs.calls).toHaveLength(1)
    await room.host.close()
    await other
  })

  it('does not wait for a tool that does not listen', async () => {
    const stop = new AbortController()
    const room = await agentRoom({}, [{ calls: [{ name: 'hang' }] }])
    const hang = defineTool({
      name: 'hang',
      run: () => {
        setImmediate(() => stop.abort())
        return forever()
      },
    })
    room.host.mount([hang])
    const ending = runToEnd({ ...room.options, signal: stop.signal })
    await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
    await room.clock.advance(2_000)
    expect((await ending).end.reason).toBe('cancelled')
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })

  it('keeps the result of a call that came to its end all the same', async () => {
    const stop = new AbortController()
    const room = await agentRoom({}, [{ calls: [{ name: 'save' }] }])
    const save = defineTool({
      name: 'save',
      run: async (_args, { signal }) => {
        stop.abort()
        await new Promise(setImmediate)
        return `saved, ${signal.aborted ? 'and told to stop' : ''}`
      },
    })
    room.host.mount([save])
    await runToEnd({ ...room.options, signal: stop.signal })
    expect(told(room.transcript.messages)).toMatchObject([
      { failed: false, text: 'saved, and told to stop' },
    ])
  })

  it('while a person is asked calls nothing', async () => {
    const stop = new AbortController()
    const fs = toolServer(tool('look'))
    const room = await agentRoom({ fs }, [LOOK], {
      policy: { rules: [], otherwise: 'ask', readOnlyOfTrusted: 'ask', flow: 'off', native: 'ask' },
      consent: {
        ask: () => {
          setImmediate(() => stop.abort())
          return forever()
        },
      },
    })
    expect((await runToEnd({ ...room.options, signal: stop.signal })).end.reason).toBe('cancelled')
    expect(fs.calls).toEqual([])
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })

  it('before it began asks no model', async () => {
    const room = await agentRoom({}, ['Hi.'])
    const run = await runToEnd({ ...room.options, signal: AbortSignal.abort() })
    expect(run.end).toMatchObject({ reason: 'cancelled', turns: 0 })
    expect(room.model.requests).toEqual([])
    expect(eventsOf(run, 'turn')).toEqual([])
  })

  it('is one whose events nobody reads any more, and then all is at rest', async () => {
    const fs = toolServer(tool('look'))
    fs.answer = forever
    const room = await agentRoom({ fs }, [LOOK])
    for await (const event of runAgent(room.options)) if (event.type === 'call') break
    expect(told(room.transcript.messages)).toHaveLength(2)
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })

  it('leaves no listener on the signal', async () => {
    const stop = new AbortController()
    let listeners = 0
    const { signal } = stop
    const [add, remove] = [
      signal.addEventListener.bind(signal),
      signal.removeEventListener.bind(signal),
    ]
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1
      add(...given)
    }
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...given)
    }
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [LOOK, 'Done.'])
    await runToEnd({ ...room.options, signal })
    expect(listeners).toBe(0)
  })
})
