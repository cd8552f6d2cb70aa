/**
 * Recorded runs of an agent with DeepSeek, through the whole product: its tools are served by a server of this project in a process of its
 * own, over stdio; host, policy, consent, audit, loop and adapter are the real ones. Only the model's bytes are replayed, in
 * awkward pieces, and only to requests that DeepSeek accepted.
 *
 * The recorded tools have bare names, and tools of servers have names with their server's: the stand-in for the provider takes the one
 * for the other, on both ways. Nothing else is changed.
 */
import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ModelRequest, Usage } from '../../src/agent/model.ts'
import { Transcript } from '../../src/agent/transcript.ts'
import { isJsonObject, type JsonObject } from '../../src/base/json.ts'
import { configOf } from '../../src/config/config.ts'
import type { AuditRecord } from '../../src/host/audit.ts'
import type { ConsentRequest } from '../../src/host/consent.ts'
import { Host } from '../../src/host/host.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { DEFAULT_POLICY, type Policy } from '../../src/policy/policy.ts'
import { eventsOf, runToEnd, streamed, type AgentRun } from '../support/agent-run.ts'
import { bundleFile } from '../support/bundle.ts'
import type { Chunking } from '../support/awkward-chunks.ts'
import { itemsOf, saidTurn, textOf } from '../support/deepseek-turn.ts'
import { modelSeatedAt } from '../support/provider-models.ts'
import { nodeEntry } from '../support/host-entries.ts'
import { sentCalls } from '../support/host-room.ts'
import {
  recordedExchanges,
  recordingsFolder,
  recordingsIn,
  type RecordedExchange,
} from '../support/recorded-exchanges.ts'
import { requestOf, toolsOf } from '../support/recorded-tools.ts'
import { replayProvider, type ReplayProvider } from '../support/replay-provider.ts'

const folder = recordingsFolder()
if (folder === undefined)
  console.log('There are no recordings beside this project: no recorded run is replayed.')

const deepseek = join(folder ?? '', 'deepseek')
const FIVE_TURNS = join(
  deepseek,
  'agent_tool_sessions/sequential_complex_tool_calls_streaming.yaml',
)

/** Whether each request of a recording goes on where the one before it was answered, with results of tools. */
function isRun(exchanges: readonly RecordedExchange[]): boolean {
  const lengths = exchanges.map((exchange) => itemsOf(requestOf(exchange)['messages']).length)
  return (
    exchanges.length > 1 &&
    exchanges.every((exchange, at) => {
      const messages = itemsOf(requestOf(exchange)['messages'])
      const before = lengths[at - 1] ?? 0
      return at === 0 || (messages.length > before + 1 && messages[before + 1]?.['role'] === 'tool')
    })
  )
}

function isChat(exchange: RecordedExchange): boolean {
  return exchange.status === 200 && (exchange.body ?? '').startsWith('{')
}

const runs = (folder === undefined ? [] : recordingsIn(deepseek)).flatMap((file) => {
  const exchanges = recordedExchanges(file)
  return exchanges.every(isChat) && isRun(exchanges) ? [relative(deepseek, file)] : []
})

const SERVER = 'recorded'

/** One tool is asked about, the others go through by a rule. */
const policyFor = (asked: string): Policy => ({
  ...DEFAULT_POLICY,
  rules: [
    { effect: 'allow', server: SERVER, tools: '*' },
    { effect: 'ask', server: SERVER, tools: asked },
  ],
})

let main = ''
beforeAll(async () => {
  main = await bundleFile('test/support/recorded-tools-main.ts')
})
afterAll(() => rmSync(main, { force: true }))

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

interface Played {
  readonly run: AgentRun
  readonly provider: ReplayProvider
  readonly transcript: Transcript
  readonly audit: readonly AuditRecord[]
  readonly asked: readonly ConsentRequest[]
  readonly wire: readonly WireEvent[]
}

/** What the recorded requests ask beside their messages and tools, in this project's words. */
function wishesOf(request: JsonObject): Partial<ModelRequest> {
  const { thinking, parallel_tool_calls: parallel, max_tokens: most, stream } = request
  const isOff = isJsonObject(thinking) && thinking['type'] === 'disabled'
  return {
    stream: stream === true,
    ...(isOff && { effort: 'none' as const }),
    ...(typeof parallel === 'boolean' && { parallel }),
    ...(typeof most === 'number' && { maxOutputTokens: most }),
  }
}

/** Plays a recorded run from its first user message to its last reply. */
async function play(file: string, chunking: Chunking): Promise<Played> {
  const exchanges = recordedExchanges(file)
  const first = requestOf(exchanges[0])
  const tools = toolsOf(exchanges).map(({ name }) => textOf(name))
  const names = new Map(tools.map((name) => [name, `${SERVER}__${name}`]))
  const provider = await replayProvider(exchanges, { chunking, names })
  open.push(() => provider.close())
  const audit: AuditRecord[] = []
  const asked: ConsentRequest[] = []
  const wire: WireEvent[] = []
  const host = await Host.open(configOf([nodeEntry(SERVER, [main, file])]), {
    lock: false,
    run: 'played',
    policy: policyFor(tools.at(-1) ?? ''),
    consent: {
      ask: (request) => {
        asked.push(request)
        return Promise.resolve({ kind: 'once' })
      },
    },
    audit: { record: (record) => void audit.push(record) },
    wire: (event) => void wire.push(event),
  })
  open.push(() => host.close())
  await host.settled()
  const model = modelSeatedAt(provider.url, `deepseek:${textOf(first['model'])}`)
  open.push(() => model.close?.())
  const [system, user] = itemsOf(first['messages'])
  const transcript = new Transcript()
  transcript.say(textOf(user?.['content']))
  const run = await runToEnd({
    model,
    host,
    transcript,
    system: textOf(system?.['content']),
    request: wishesOf(first),
    wire: (event) => void wire.push(event),
    run: 'played',
  })
  return { run, provider, transcript, audit, asked, wire }
}

/** The sum of what the recorded replies say they took. */
function recordedUsage(exchanges: readonly RecordedExchange[]): Usage {
  const sum = { input: 0, cachedInput: 0, output: 0 }
  for (const { reply } of exchanges) {
    const count = (name: string): number =>
      Number(new RegExp(`"${name}":(\\d+)`).exec(reply)?.[1] ?? Number.NaN)
    sum.input += count('prompt_tokens')
    sum.cachedInput += count('prompt_cache_hit_tokens')
    sum.output += count('completion_tokens')
  }
  return sum
}

describe.runIf(folder !== undefined)('the recorded run of five turns', () => {
  const exchanges = folder === undefined ? [] : recordedExchanges(FIVE_TURNS)
  const said = exchanges.map(({ reply }) => saidTurn(reply))

  it.each([97, 1, { seed: 5 }] as const)(
    'drives the whole product to its recorded answer, its streams cut %o',
    async (chunking) => {
      const { run, provider, audit, asked, wire, transcript } = await play(FIVE_TURNS, chunking)
      expect(provider.differences).toEqual([])
      expect(provider.left).toBe(0)
      expect(run.end).toMatchObject({ reason: 'done', turns: 5, text: said[4]?.content })
      expect(run.end.usage).toMatchObject(recordedUsage(exchanges))
      // Model, mapping, decision and frame of each call, by one name.
      const ids = ['t1c1', 't2c1', 't3c1', 't4c1']
      const calls = eventsOf(run, 'call').map(({ call }) => call)
      expect(calls.map(({ id }) => id)).toEqual(ids)
      expect(calls.map(({ tool }) => tool)).toEqual(
        said.flatMap(({ calls: [call] }) => call?.name ?? []),
      )
      expect(calls.map(({ modelCall }) => modelCall.id)).toEqual(
        said.flatMap(({ calls: [call] }) => call?.id ?? []),
      )
      expect(audit.flatMap((one) => (one.type === 'decision' ? [[one.call, one.by]] : []))).toEqual(
        [
          ['t1c1', 'policy'],
          ['t2c1', 'policy'],
          ['t3c1', 'policy'],
          ['t4c1', 'person'],
        ],
      )
      expect(asked).toMatchObject([{ kind: 'call', server: SERVER, tool: 'escape_echo' }])
      expect(sentCalls(wire).map(({ call }) => call)).toEqual(ids)
      expect(streamed(run, 'text')).toBe(said.map(({ content }) => content).join(''))
      expect(transcript.messages).toHaveLength(10)
    },
  )

  it('gives the tools exactly what the model wrote, and the model what the tools gave', async () => {
    const { run, wire } = await play(FIVE_TURNS, 'whole')
    const sent = sentCalls(wire).map(({ text }) => JSON.parse(text) as { params: JsonObject }) // it is a request
    const wrote = said.flatMap(({ calls }) =>
      calls.map(({ args }) => JSON.parse(args) as JsonObject),
    ) // recorded as objects
    expect(sent.map(({ params }) => params['arguments'])).toEqual(wrote)
    const last = itemsOf(requestOf(exchanges[4])['messages'])
    const results = last.filter(({ role }) => role === 'tool').map(({ content }) => content)
    expect(eventsOf(run, 'result').map(({ shown }) => shown)).toEqual(results)
    expect(eventsOf(run, 'result').map(({ failed }) => failed)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  it('would notice a tool that gives something else', async () => {
    const odd = exchanges.map((exchange) => ({
      ...exchange,
      body: exchange.body?.replaceAll('steps=2', 'steps=3'),
    }))
    const provider = await replayProvider(odd)
    open.push(() => provider.close())
    for (const { path, body } of exchanges.slice(0, 3))
      await fetch(`${provider.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      }).then((answer) => answer.text())
    expect(provider.differences).toHaveLength(1)
    expect(provider.differences[0]).toContain('steps=3')
  })
})

describe.runIf(folder !== undefined)('every recorded run with tools', () => {
  it('is found', () => {
    expect(runs.length).toBeGreaterThan(10)
  })

  it.each(runs)('%s: each later request is what DeepSeek accepted', async (name) => {
    const file = join(deepseek, name)
    const exchanges = recordedExchanges(file)
    const { run, provider, audit } = await play(file, { seed: 11 })
    expect(provider.differences).toEqual([])
    expect(provider.left).toBe(0)
    const last = saidTurn(exchanges.at(-1)?.reply ?? '')
    expect(run.end).toMatchObject({ reason: 'done', turns: exchanges.length, text: last.content })
    const calls = exchanges.flatMap(({ reply }) => saidTurn(reply).calls)
    expect(audit.filter(({ type }) => type === 'outcome')).toHaveLength(calls.length)
    const reasoning = exchanges.map(({ reply }) => saidTurn(reply).reasoning).join('')
    const wasStreamed = requestOf(exchanges[0])['stream'] === true
    expect(wasStreamed ? streamed(run, 'reasoning') : reasoning).toBe(reasoning)
  })
})
