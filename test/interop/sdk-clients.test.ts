/**
 * The server, as a process, against clients made with the official SDKs, in every revision that each of them speaks.
 * What crosses is written down by the server and judged here afterwards.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dialectFor } from '../../src/protocol/dialects/index.ts'
import { eraOf, REVISIONS, type Revision } from '../../src/protocol/revision.ts'
import { resultToText } from '../../src/tools/content.ts'
import { bundleFile } from '../support/bundle.ts'
import { eventsOf, judgedWire, type JudgedWire } from '../support/judged-wire.ts'
import { failureOf, isAlive } from '../support/odd-peer.ts'
import { strangerOfSdk1, strangerOfSdk2, type Stranger } from '../support/sdk-clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-strangers-'))
let program = ''
beforeAll(async () => {
  program = await bundleFile('test/support/stranger-server.ts')
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(program, { force: true })
})

const LEGACY = REVISIONS.filter((revision) => eraOf(revision) === 'legacy')
const MODERN = REVISIONS.filter((revision) => eraOf(revision) === 'modern')

interface Meeting {
  readonly title: string
  readonly revision: Revision
  /** `file` gets the wire of the server. */
  readonly start: (file: string) => Promise<Stranger>
}

const MEETINGS: readonly Meeting[] = [
  // Version 1 always offers its newest, so that the server decides.
  ...LEGACY.map((revision) => ({
    title: `version 1 with a server of ${revision}`,
    revision,
    start: (file: string) => strangerOfSdk1({ at: [program, file, revision] }),
  })),
  ...LEGACY.map((revision) => ({
    title: `version 2 as a client of ${revision}`,
    revision,
    start: (file: string) => strangerOfSdk2({ at: [program, file], offers: [revision] }),
  })),
  ...MODERN.map((revision) => ({
    title: `version 2 pinned to ${revision}`,
    revision,
    start: (file: string) => strangerOfSdk2({ at: [program, file], mode: { pin: revision } }),
  })),
  ...MODERN.map((revision) => ({
    title: `version 2, which found ${revision} by itself,`,
    revision,
    start: (file: string) => strangerOfSdk2({ at: [program, file], mode: 'auto' }),
  })),
]

/** What the server wrote down, judged. */
function judged(file: string): JudgedWire {
  const wire = judgedWire()
  for (const event of eventsOf(readFileSync(file, 'utf8'))) wire.sink(event)
  return wire
}

describe.each(MEETINGS)('$title', ({ title, revision, start }) => {
  const file = join(folder, `${title}.jsonl`)
  const canAsk =
    dialectFor(revision).methods.has('elicitation/create') || eraOf(revision) === 'modern'
  let client: Stranger
  beforeAll(async () => {
    client = await start(file)
  })
  afterAll(() => client.close())

  const text = async (name: string, args = {}): Promise<string> =>
    resultToText(await client.callTool(name, args))

  it('lists every tool', async () => {
    const tools = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['echo', 'elicit', 'fail', 'grow', 'progress', 'sum', 'wait']),
    )
    expect(tools[0]).toMatchObject({ name: 'echo', description: 'Says it again' })
  })

  it('gets answers to calls at once, each to its caller', async () => {
    const words = Array.from({ length: 30 }, (_, index) => `字 ${index}\n"\\`)
    expect(await Promise.all(words.map((word) => text('echo', { text: word })))).toEqual(words)
  })

  it('gets structured content where the list told of its schema, and text in any case', async () => {
    const tool = (await client.listTools()).find(({ name }) => name === 'sum')
    const result = await client.callTool('sum', { a: 2, b: 3.5 })
    expect(result.content).toEqual([{ type: 'text', text: '{"sum":5.5}' }])
    expect(result.structuredContent).toEqual(tool?.outputSchema && { sum: 5.5 })
  })

  it('sees a failed tool as a result', async () => {
    const result = await client.callTool('fail')
    expect(result.isError).toBe(true)
    expect(resultToText(result)).toBe('this tool always fails')
  })

  it('sees an unknown tool as an error [TOOL-15]', async () => {
    expect(await failureOf(client.callTool('no-such-tool'))).toMatchObject({ code: -32602 })
  })

  it('hears wrong arguments as its revision has it [TOOL-16]', async () => {
    const outcome = await client.callTool('echo', { text: 7 }).then(
      (result) => (result.isError === true ? 'a result' : 'nothing'),
      (error: unknown) => Object(error).code,
    )
    const { argumentErrors } = dialectFor(revision).traits
    expect(outcome).toBe(argumentErrors === 'error' ? -32602 : 'a result')
  })

  it('hears of progress', async () => {
    const heard: unknown[] = []
    const onProgress = (progress: unknown): void => {
      heard.push(progress)
      void client.callTool('proceed')
    }
    expect(resultToText(await client.callTool('progress', { steps: 3 }, { onProgress }))).toBe(
      'done',
    )
    expect(heard).toMatchObject([1, 2, 3].map((progress) => ({ progress, total: 3 })))
  })

  it('gives up a call, which ends on the server', async () => {
    const gaveUp = new AbortController()
    const onProgress = (): void => gaveUp.abort('changed my mind')
    await failureOf(client.callTool('wait', {}, { signal: gaveUp.signal, onProgress }))
    expect(await text('was-cancelled')).toContain('changed my mind')
  })

  it('is told that the list has changed, and finds the new tool on it', async () => {
    const changed = client.nextChange()
    expect(await text('grow')).toBe('grown')
    await changed
    const names = (await client.listTools()).map(({ name }) => name)
    expect(names).toContain(`extra-${names.length - 1}`)
  })

  it('answers two questions within one call', async () => {
    expect(JSON.parse(await text('ask-twice'))).toEqual({
      roots: [{ uri: 'file:///data', name: 'Data' }],
      content: { type: 'text', text: 'so be it' },
    })
  })

  it.runIf(canAsk)('is asked a person', async () => {
    expect(JSON.parse(await text('elicit'))).toEqual({
      action: 'accept',
      content: { name: '王', age: 36 },
    })
  })

  it.runIf(!canAsk)(
    'is not asked what its revision has no word for, though it declared it [LIFE-07]',
    async () => {
      const result = await client.callTool('elicit')
      expect(result.isError).toBe(true)
      expect(resultToText(result)).toContain('elicitation')
    },
  )

  it('leaves, and the server ends', async () => {
    const { pid } = client
    await client.close()
    expect(pid).toBeTypeOf('number')
    expect(isAlive(pid ?? 0)).toBe(false)
  })

  it('was sent nothing that breaks the schema of its revision', () => {
    const wire = judged(file)
    wire.report(title)
    expect(wire.ours).toEqual([])
    const asked = wire.messages.filter(({ direction }) => direction === 'in')
    const handshakes = asked.filter(({ message }) => message['method'] === 'initialize')
    expect(handshakes).toHaveLength(eraOf(revision) === 'modern' ? 0 : 1)
    expect(JSON.stringify(wire.messages)).toContain(`"${revision}"`)
  })
})

describe('a listen stream of version 2', () => {
  it('ends gracefully when the server closes [SUB-09]', async () => {
    const file = join(folder, 'leave.jsonl')
    const mode = { pin: MODERN.at(-1) ?? '' }
    const client = await strangerOfSdk2({ at: [program, file], mode })
    await client.callTool('leave')
    expect(await client.streamEnded).toBe('graceful')
    await client.close()
    expect(judged(file).ours).toEqual([])
  })
})
