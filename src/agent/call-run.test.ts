import { describe, expect, it } from 'vitest'
import { agentRoom, allowAllOf, faultsOf, told } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd } from '../../test/support/agent-run.ts'
import { tool, toolServer, type ToolServer } from '../../test/support/host-room.ts'
import type { Consent, ConsentAnswer } from '../host/consent.ts'
import { DEFAULT_POLICY } from '../policy/policy.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { defineTool } from '../tools/define.ts'

const text = (said: string, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: said }],
  ...(isError && { isError }),
})

const READS = { annotations: { readOnlyHint: true } }
const PATH = {
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

describe('what a model is told of its calls', () => {
  it('is one message for each, in order, when one is denied, one times out and one works', async () => {
    const fs = toolServer(tool('deny'), tool('slow'), tool('ok'))
    fs.answer = (name) => (name === 'slow' ? new Promise(() => undefined) : text('fine'))
    const policy = {
      ...allowAllOf('fs'),
      rules: [
        { effect: 'allow', tools: 'fs' },
        { effect: 'deny', tools: 'fs__deny', because: 'not today' },
      ],
    } as const
    const room = await agentRoom(
      { fs },
      [{ calls: [{ name: 'fs__deny' }, { name: 'fs__slow' }, { name: 'fs__ok' }] }, 'Done.'],
      { policy },
    )
    const ending = runToEnd(room.options)
    while (fs.calls.length === 0) await new Promise(setImmediate)
    await room.clock.advance(61_000)
    const run = await ending
    const sent = room.model.requests[1]?.messages ?? []
    expect(faultsOf(sent)).toEqual([])
    const [denied, slow, ok] = told(sent)
    expect(denied).toMatchObject({ failed: true, text: expect.stringContaining('not today') })
    expect(denied?.text).toMatch(/ Do not try to get around it\.$/)
    expect(slow?.text).not.toContain('get around')
    expect(slow).toMatchObject({ failed: true, text: expect.stringContaining('not known') })
    expect(ok).toMatchObject({ failed: false, text: 'fine' })
    expect(run.end.reason).toBe('done')
    expect(eventsOf(run, 'result').map(({ error }) => error?.name)).toEqual([
      'PolicyError',
      'TimeoutError',
      undefined,
    ])
  })

  it('names names that are near to one that does not exist', async () => {
    const room = await agentRoom({ fs: toolServer(tool('read_file'), tool('zip')) }, [
      { calls: [{ name: 'readFile' }, { name: '' }, { name: '__proto__' }] },
      'Done.',
    ])
    await runToEnd(room.options)
    const [near, blank, proto] = told(room.transcript.messages)
    expect(near).toMatchObject({ failed: true, text: expect.stringContaining('fs__read_file') })
    expect(near?.text).not.toContain('zip')
    expect(blank?.text).toContain('There is no tool ""')
    expect(proto?.text).toContain('There is no tool "__proto__"')
  })

  it.each([
    ['{"path":"/a', 'no JSON'],
    ['[1]', 'one JSON object'],
    ['"text"', 'one JSON object'],
    ['null', 'one JSON object'],
    [`${'['.repeat(500)}${']'.repeat(500)}`, 'nest deeper'],
    ['', 'are missing. They must have: path'],
    ['{"path":3}', '/path'],
    ['{}', 'path'],
  ])('is why the arguments %s were not taken', async (args, why) => {
    const fs = toolServer(tool('read', PATH))
    const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__read', args }] }, 'Done.'])
    await runToEnd(room.options)
    expect(fs.calls).toEqual([])
    expect(told(room.transcript.messages)).toMatchObject([
      { failed: true, text: expect.stringContaining(why) },
    ])
    expect(room.asked).toEqual([])
  })

  it('is that arguments do not fit before any person is asked', async () => {
    const fs = toolServer(tool('read', PATH))
    const calls = [
      { name: 'fs__read', args: {} },
      { name: 'fs__read', args: { path: '/a' } },
    ]
    const room = await agentRoom({ fs }, [{ calls }, 'Done.'], { policy: DEFAULT_POLICY })
    await runToEnd(room.options)
    expect(room.asked.map((question) => 'args' in question && question.args)).toEqual([
      { path: '/a' },
    ])
  })

  it('took as long as the tool did, and not as long as a person thought about the question', async () => {
    const fs = toolServer(tool('read'))
    let answered = (_result: CallToolResult): void => undefined
    fs.answer = () => new Promise((resolve) => (answered = resolve))
    let answer = (_answer: ConsentAnswer): void => undefined
    let asked = (): void => undefined
    const question = new Promise<void>((resolve) => (asked = resolve))
    const consent: Consent = {
      ask: () => {
        asked()
        return new Promise((resolve) => (answer = resolve))
      },
    }
    const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__read' }] }, 'Done.'], {
      policy: DEFAULT_POLICY,
      consent,
    })
    const ending = runToEnd(room.options)
    await question
    await room.clock.advance(16_000)
    answer({ kind: 'once' })
    while (fs.calls.length === 0) await new Promise(setImmediate)
    await room.clock.advance(25)
    answered(text('fine'))
    expect(eventsOf(await ending, 'result').map(({ ms }) => ms)).toEqual([25])
  })

  it('makes a call without arguments where none are needed', async () => {
    const fs = toolServer(tool('now'))
    const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__now', args: ' ' }] }, 'Done.'])
    await runToEnd(room.options)
    expect(fs.calls).toEqual([{ name: 'now', arguments: {} }])
  })

  it('is what the tool said when it failed', async () => {
    const fs = toolServer(tool('read'))
    fs.answer = () => text('no such file', true)
    const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__read' }] }, 'Done.'])
    const run = await runToEnd(room.options)
    expect(told(room.transcript.messages)).toMatchObject([
      { failed: true, text: 'Error from tool fs__read: no such file' },
    ])
    expect(eventsOf(run, 'result')[0]).toMatchObject({ failed: true, raw: { isError: true } })
  })

  it('is never empty', async () => {
    const fs = toolServer(tool('read'))
    fs.answer = () => ({ content: [] })
    const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__read' }] }, 'Done.'])
    await runToEnd(room.options)
    expect(told(room.transcript.messages)[0]?.text).toBe('(no output)')
  })

  it('shows what hides in a result', async () => {
    const fs = toolServer(tool('read'))
    fs.answer = () => text('a\u202eb')
    const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__read' }] }, 'Done.'])
    await runToEnd(room.options)
    const [read] = told(room.transcript.messages)
    expect(read?.text).toBe('a<U+202E>b')
  })

  it('has an id of its own where the model gave one twice or none', async () => {
    const fs = toolServer(tool('read', PATH))
    fs.answer = (_name, { path }) => text(JSON.stringify(path))
    const read = (path: string, id: string) => ({ name: 'fs__read', args: { path }, id })
    const room = await agentRoom({ fs }, [
      { calls: [read('/a', 'same'), read('/b', 'same'), read('/c', '')] },
      { calls: [read('/d', 'same')] },
      'Done.',
    ])
    await runToEnd(room.options)
    const last = room.model.requests[2]?.messages ?? []
    expect(faultsOf(last)).toEqual([])
    expect(told(last).map((message) => message.text)).toEqual(['"/a"', '"/b"', '"/c"', '"/d"'])
  })

  it('makes at most 128 calls of one reply and answers the others', async () => {
    const fs = toolServer(tool('read'))
    const calls = Array.from({ length: 130 }, (_, at) => ({ name: 'fs__read', args: { at } }))
    const room = await agentRoom({ fs }, [{ calls }, 'Done.'])
    await runToEnd(room.options)
    expect(fs.calls).toHaveLength(128)
    expect(faultsOf(room.transcript.messages)).toEqual([])
    expect(told(room.transcript.messages).at(-1)?.text).toContain('at most 128')
  })
})

describe('several calls of one reply', () => {
  const ten = (name: string) =>
    Array.from({ length: 10 }, (_, at) => ({ name, args: { at } }) as const)

  const TRUSTED = { entries: { fs: { trusted: true } } }

  /** Tells how many calls to the servers ran at once. */
  const crowdOf = (...servers: readonly ToolServer[]): { most: number } => {
    const crowd = { running: 0, most: 0 }
    for (const server of servers)
      server.answer = async () => {
        crowd.most = Math.max(crowd.most, (crowd.running += 1))
        await new Promise(setImmediate)
        crowd.running -= 1
        return text('seen')
      }
    return crowd
  }

  it('run together when all of them are of trusted servers and only read, so many at once as may', async () => {
    const fs = toolServer(tool('look', READS))
    const crowd = crowdOf(fs)
    const room = await agentRoom({ fs }, [{ calls: ten('fs__look') }, 'Done.'], TRUSTED)
    await runToEnd({ ...room.options, concurrency: 3 })
    expect(crowd.most).toBe(3)
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })

  it('run one after the other when nobody trusts the server that says so [TOOL-18]', async () => {
    const fs = toolServer(tool('look', READS))
    const crowd = crowdOf(fs)
    const room = await agentRoom({ fs }, [{ calls: ten('fs__look') }, 'Done.'])
    await runToEnd(room.options)
    expect(crowd.most).toBe(1)
    expect(fs.calls.map((call) => call.arguments['at'])).toEqual([...ten('').keys()])
  })

  it('run one after the other when one of them is of a server that nobody trusts [TOOL-18]', async () => {
    const [fs, web] = [toolServer(tool('look', READS)), toolServer(tool('say_it_reads', READS))]
    const crowd = crowdOf(fs, web)
    const calls = [{ name: 'web__say_it_reads' }, ...ten('fs__look')]
    const room = await agentRoom({ fs, web }, [{ calls }, 'Done.'], TRUSTED)
    await runToEnd(room.options)
    expect(crowd.most).toBe(1)
  })

  it('run together when they are of tools of the program that only read', async () => {
    const room = await agentRoom({}, [{ calls: ten('look') }, 'Done.'])
    const crowd = { running: 0, most: 0 }
    const look = defineTool({
      name: 'look',
      input: { type: 'object' },
      ...READS,
      run: async () => {
        crowd.most = Math.max(crowd.most, (crowd.running += 1))
        await new Promise(setImmediate)
        crowd.running -= 1
        return 'seen'
      },
    })
    room.host.mount([look])
    await runToEnd({ ...room.options, concurrency: 4 })
    expect(crowd.most).toBe(4)
  })

  it('are told in the order of the calls, whichever ends first', async () => {
    const fs = toolServer(tool('look', READS))
    const ends: (() => void)[] = []
    fs.answer = (_name, { at }) =>
      new Promise((resolve) => ends.push(() => resolve(text(`seen ${JSON.stringify(at)}`))))
    const script = [{ calls: ten('fs__look').slice(0, 3) }, 'Done.']
    const room = await agentRoom({ fs }, script, TRUSTED)
    const ending = runToEnd(room.options)
    while (ends.length < 3) await new Promise(setImmediate)
    for (const end of ends.reverse()) {
      end()
      await new Promise(setImmediate)
    }
    const run = await ending
    expect(told(room.transcript.messages).map((message) => message.text)).toEqual([
      'seen 0',
      'seen 1',
      'seen 2',
    ])
    expect(eventsOf(run, 'result').map(({ call }) => call.id)).toEqual(['t1c3', 't1c2', 't1c1'])
  })

  it('run one after the other when one of them may change something', async () => {
    const fs = toolServer(tool('look', READS), tool('write'))
    const crowd = crowdOf(fs)
    const calls = [...ten('fs__look'), { name: 'fs__write', args: {} }]
    const room = await agentRoom({ fs }, [{ calls }, 'Done.'], TRUSTED)
    await runToEnd(room.options)
    expect(crowd.most).toBe(1)
    expect(fs.calls.map(({ name }) => name).at(-1)).toBe('write')
  })
})

describe('a reply that is cut', () => {
  it('has none of its calls made, and the model is told', async () => {
    const fs = toolServer(tool('write', PATH))
    const room = await agentRoom({ fs }, [
      {
        calls: [
          { name: 'fs__write', args: { path: '/a' } },
          { name: 'fs__write', args: '{"pa' },
        ],
        finish: 'length',
      },
      'Sorry.',
    ])
    const run = await runToEnd({ ...room.options, request: { maxOutputTokens: 100 } })
    expect(fs.calls).toEqual([])
    expect(told(room.transcript.messages).map((message) => message.text)).toEqual([
      expect.stringContaining('was cut'),
      expect.stringContaining('was cut'),
    ])
    expect(room.model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([100, 200])
    expect(eventsOf(run, 'warning').map(({ kind }) => kind)).toEqual(['truncated'])
    expect(run.end.reason).toBe('done')
  })

  it('ends the run the third time in a row', async () => {
    const cut = { calls: [{ name: 'fs__write' }], finish: 'length' } as const
    const room = await agentRoom({ fs: toolServer(tool('write')) }, [cut, cut, cut, 'Never.'])
    const run = await runToEnd({ ...room.options, request: { maxOutputTokens: 100 } })
    expect(run.end.reason).toBe('length')
    expect(room.model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([
      100, 200, 200,
    ])
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })

  it.each(['length', 'filtered'] as const)('without calls ends the run as %s', async (finish) => {
    const room = await agentRoom({}, [{ text: 'I beg', finish }])
    expect((await runToEnd(room.options)).end).toMatchObject({ reason: finish, text: 'I beg' })
  })

  it.each(['filtered', 'interrupted'] as const)(
    'for the reason %s has no call made either, and ends the run',
    async (finish) => {
      const fs = toolServer(tool('write'))
      const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__write' }], finish }])
      const { end } = await runToEnd(room.options)
      expect(fs.calls).toEqual([])
      expect(end.reason).toBe(finish === 'filtered' ? 'filtered' : 'model-error')
      expect(faultsOf(room.transcript.messages)).toEqual([])
    },
  )
})
