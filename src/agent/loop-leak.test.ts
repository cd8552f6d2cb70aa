import { describe, expect, it } from 'vitest'
import { agentRoom, faultsOf } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd, streamed } from '../../test/support/agent-run.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import { ModelError } from '../base/errors.ts'
import { textLeak } from './text-leak.ts'

const LEAK =
  'Let me look.\n<｜DSML｜tool_calls><｜DSML｜invoke name="fs__look"></｜DSML｜tool_calls>'
const usage = { input: 100, output: 20 }
const leaked = { text: LEAK, usage } as const

describe('a reply with a call written as text', () => {
  it('is asked for once more, in words that the conversation does not keep', async () => {
    const fs = toolServer(tool('look'))
    const room = await agentRoom({ fs }, [
      leaked,
      { calls: [{ name: 'fs__look' }], usage },
      'Done.',
    ])
    const run = await runToEnd(room.options)
    expect(run.end).toMatchObject({ reason: 'done', text: 'Done.', turns: 3 })
    expect(run.end.usage.input).toBeGreaterThanOrEqual(200)
    expect(eventsOf(run, 'warning').map(({ kind }) => kind)).toEqual(['asked-again'])
    expect(streamed(run, 'text')).toBe('Done.')
    expect(fs.calls).toHaveLength(1)
    const [, second, third] = room.model.requests
    expect(second?.messages).toHaveLength((room.model.requests[0]?.messages.length ?? 0) + 1)
    expect(second?.messages.at(-1)).toMatchObject({
      role: 'user',
      parts: [{ text: expect.stringContaining('written as text') }],
    })
    expect(JSON.stringify(third?.messages)).not.toContain('written as text')
    expect(JSON.stringify(room.transcript.messages)).not.toContain('DSML')
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })

  it('ends the run as a failure of the model when it comes again, without the markup', async () => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [leaked, leaked, 'Hi.'])
    const run = await runToEnd(room.options)
    expect(run.end).toMatchObject({ reason: 'model-error', text: 'Let me look.', turns: 2 })
    expect(run.end.error).toBeInstanceOf(ModelError)
    expect(run.end.error).toMatchObject({
      code: 'DP_MODEL_UNREADABLE',
      detail: { kind: 'model-leaked' },
      message: expect.stringContaining('nothing was called'),
    })
    expect(run.end.usage).toEqual({ input: 200, output: 40 })
    room.transcript.say('Again.')
    expect((await runToEnd(room.options)).end).toMatchObject({ reason: 'done', text: 'Hi.' })
  })

  it('is asked for once more in a run and no oftener', async () => {
    const call = { calls: [{ name: 'fs__look' }] }
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [leaked, call, leaked, 'Hi.'])
    expect((await runToEnd(room.options)).end).toMatchObject({ reason: 'model-error', turns: 3 })
    expect(room.model.requests).toHaveLength(3)
  })

  it('is not asked for when a limit is reached', async () => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [leaked])
    const { end } = await runToEnd({ ...room.options, budget: { turns: 1 } })
    expect(end).toMatchObject({ reason: 'budget', which: 'turns', text: '' })
  })

  it('is an answer where it stands as code, or no tool was offered', async () => {
    const quoted = 'It writes `<tool_call>` then:\n```\n<function_calls>\n```\nas you see.'
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [quoted])
    expect((await runToEnd(room.options)).end).toMatchObject({ reason: 'done', text: quoted })
    const bare = await agentRoom({}, [leaked])
    expect((await runToEnd(bare.options)).end).toMatchObject({ reason: 'done', text: LEAK })
  })

  it('with calls of its own is as any other', async () => {
    const both = { text: LEAK, calls: [{ name: 'fs__look' }] }
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [both, 'Done.'])
    const run = await runToEnd(room.options)
    expect(run.end).toMatchObject({ reason: 'done', turns: 2 })
    expect(eventsOf(run, 'warning')).toEqual([])
  })
})

describe('a call in a text', () => {
  it('is found where it begins, beside such as are quoted', () => {
    const text = 'Not `<tool_call>`, but ```x <function=a>``` this: <tool_call>{}'
    expect(textLeak(text)?.at).toBe(text.lastIndexOf('<tool_call>'))
  })

  it('is not found in code, also where that has no end', () => {
    for (const text of ['`<tool_call>`', '```\n<tool_call>\n```', '```\n<tool_call>', 'None.'])
      expect(textLeak(text)).toBeUndefined()
  })

  it('is looked for in linear time', () => {
    for (const piece of ['`', '```', '`\n', '``` `', '<tool_cal'])
      expect(textLeak(piece.repeat(400_000))).toBeUndefined()
  })
})
