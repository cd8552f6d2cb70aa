/**
 * The client against processes whose lines are fine and whose content is odd: lists without end, broken schemas,
 * unusual results, questions ahead of time, and servers at the border of two eras.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { failureOf, isAlive, leaveAll, meet, textOf } from '../support/odd-peer.ts'

afterEach(leaveAll)

const namesOf = (tools: readonly { readonly name: string }[]): string[] =>
  tools.map(({ name }) => name)

describe('a list of tools', () => {
  it('ends where a cursor comes a second time, with a remark [PAGE-07]', async () => {
    const { client, notes } = await meet('lists', 'circle')
    expect(namesOf(await client.listTools())).toEqual(['first', 'second'])
    expect(notes.some(({ kind }) => kind === 'cursor-loop')).toBe(true)
    expect(JSON.parse(textOf(await client.callTool('cursors')))).toEqual([null, 'round'])
  })

  it('goes on behind an empty cursor, and sends it as it came [PAGE-02, PAGE-04]', async () => {
    const { client } = await meet('lists', 'empty')
    expect(namesOf(await client.listTools())).toEqual(['a', 'b', 'c'])
    expect(JSON.parse(textOf(await client.callTool('cursors')))).toEqual([null, '', 'end'])
  })

  it('that does not end is an error after as many pages as allowed [PAGE-07]', async () => {
    const { client } = await meet('lists', 'endless')
    const error = await failureOf(client.listTools({ maxPages: 20 }))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_PAGES', requirement: 'PAGE-07' })
    const asked = JSON.parse(textOf(await client.callTool('cursors'))) as unknown[]
    expect(asked).toHaveLength(20)
  })

  it('is bounded at a thousand pages when nobody says otherwise [PAGE-07]', async () => {
    const { client } = await meet('lists', 'endless')
    expect(await failureOf(client.listTools())).toMatchObject({ code: 'DP_PROTOCOL_PAGES' })
    const asked = JSON.parse(textOf(await client.callTool('cursors'))) as unknown[]
    expect(asked).toHaveLength(1000)
  })

  it('of a hundred thousand tools on one page is more than is accepted, unless allowed [PAGE-07]', async () => {
    const { client } = await meet('lists', 'crowd')
    expect(await failureOf(client.listTools())).toMatchObject({ code: 'DP_PROTOCOL_PAGES' })
    expect(await client.listTools({ maxItems: 100_000 })).toHaveLength(100_000)
    expect(textOf(await client.callTool('tool-7'))).toBe('ran tool-7')
  })

  it('keeps its good tools beside those with unusable schemas, and they can be called', async () => {
    const { client } = await meet('lists', 'schemas')
    const names = namesOf(await client.listTools())
    expect(names).toEqual(
      expect.arrayContaining(['plain', 'old', 'bare', 'null', 'lost', 'remote']),
    )
    for (const name of names.filter((name) => name !== 'old'))
      expect(textOf(await client.callTool(name))).toBe(`ran ${name}`)
    expect(await client.callTool('old')).toMatchObject({ structuredContent: { word: 'w' } })
  })

  it('leaves out what is no tool', async () => {
    const { client } = await meet('lists', 'nameless')
    expect(namesOf(await client.listTools())).toEqual(['plain'])
  })
})

describe('a result', () => {
  it.each([
    [
      'has structured content and no other [TOOL-12]',
      'no-content',
      { content: [], structuredContent: { n: 3 } },
    ],
    [
      'has null where members may be missing',
      'nulls',
      { content: [{ type: 'text', text: 'still' }] },
    ],
    ['is empty', 'nothing', { content: [] }],
    [
      'is that of a failed tool [TOOL-14]',
      'failed',
      { isError: true, content: [{ text: 'out of paper' }] },
    ],
  ])('that %s is a result all the same', async (_, tool, expected) => {
    const { client } = await meet('results', 'all')
    expect(await client.callTool(tool)).toMatchObject(expected)
  })

  it('counts a null for isError or structuredContent as none', async () => {
    const { client } = await meet('results', 'all')
    const result = await client.callTool('nulls')
    expect(result.isError).toBeUndefined()
    expect(result.structuredContent).toBeUndefined()
  })

  it('passes blocks of every kind in their order, unknown ones too [TOOL-13]', async () => {
    const { client } = await meet('results', 'all')
    const { content } = await client.callTool('kinds')
    expect(content.map(({ type }) => type)).toEqual([
      'image',
      'audio',
      'resource',
      'resource',
      'resource_link',
    ])
    const strange = await client.callTool('strange')
    expect(strange.content.map(({ type }) => type)).toEqual(['text', 'smell', 'text'])
    expect(textOf(strange)).toBe('xy')
  })

  it('comes from arguments that reach the server as they were given, whatever they are called', async () => {
    const { client } = await meet('results', 'all')
    const args = JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":"3","":4}') as object
    const result = await client.callTool('echo-arguments', { ...Object.create(null), ...args })
    expect(JSON.parse(textOf(result))).toEqual(args)
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })
})

describe('a server that asks before it is asked', () => {
  it('gets its ping answered at once, and no for what was not declared [PING-01, RPC-15, ERR-18]', async () => {
    const { client } = await meet('asks', 'all', { era: 'legacy' })
    const heard = JSON.parse(textOf(await client.callTool('heard'))) as Record<string, unknown>
    expect(heard).toEqual({
      'string before': 'result',
      'number 1': -32601,
      'string 1': -32601,
      'number 0': 'result',
      'string ': -32601,
      'number 2': 'result',
    })
  })

  it('gets every one of its thousands of questions answered, and the call goes on', async () => {
    const sampling = async (): Promise<never> => {
      await Promise.resolve()
      throw new Error('no model here')
    }
    const { client } = await meet('asks', 'all', { era: 'legacy', answers: { sampling } })
    const counts = JSON.parse(textOf(await client.callTool('storm', { questions: 5000 }))) as object
    expect(counts).toEqual({ result: 0, error: 5000 })
  })
})

describe('a server at the border of two eras', () => {
  it('that names a version nobody knows is refused, and its process ends [VERS-03]', async () => {
    const pids: number[] = []
    const error = await failureOf(
      meet('eras', 'future', {
        wire: (event) => {
          if (event.type === 'note' && event.note.kind === 'spawn')
            pids.push(Number(event.note.data?.['pid']))
        },
      }),
    )
    expect(error).toMatchObject({
      code: 'DP_PROTOCOL_VERSION',
      message: expect.stringContaining('2199-01-01'),
    })
    expect(pids).toHaveLength(1)
    expect(pids.filter(isAlive)).toEqual([])
  })

  it('that refuses the probe with any code is shaken hands with, in the same process [VERS-10, VERS-11]', async () => {
    const { client, notes } = await meet('eras', 'gruff')
    expect(client.server.era).toBe('legacy')
    expect(textOf(await client.callTool('greet'))).toBe('finally')
    expect(notes.filter(({ kind }) => kind === 'spawn')).toHaveLength(1)
  })

  it('that asks inside of results gets retries with new ids, its state to the byte, and its keys [MRTR-05, MRTR-06, MRTR-07]', async () => {
    const elicitation = (): Promise<{ action: 'accept'; content: { bean: string } }> =>
      Promise.resolve({ action: 'accept', content: { bean: 'arabica' } })
    const { client } = await meet('eras', 'strict', { answers: { elicitation } })
    expect(client.server.revision).toBe('2026-07-28')
    expect(textOf(await client.callTool('order', { cup: 'large' }))).toBe('one large arabica')
  })

  it('that asks in circles is left after ten rounds [MRTR-14]', async () => {
    const { client } = await meet('eras', 'circle')
    const error = await failureOf(client.callTool('anything'))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_ROUNDS', requirement: 'MRTR-14' })
  })

  it('that sends changes for three streams is heard on ours alone, and may end it [STDIO-13, SUB-09]', async () => {
    const { client } = await meet('eras', 'listen')
    const changes = client.changes({ tools: true })
    const first = changes.next()
    await client.callTool('add')
    expect(await first).toEqual({ value: { kind: 'tools' }, done: false })
    expect(namesOf(await client.listTools())).toEqual(['add', 'end', 'extra'])
    const counted = JSON.parse(textOf(await client.callTool('end'))) as object
    expect(counted).toEqual({ listens: 1, lists: 1 })
    expect(await changes.next()).toEqual({ value: undefined, done: true })
  })
})
