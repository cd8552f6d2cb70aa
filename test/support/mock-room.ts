/** Mocks of providers that nobody here wrote, DeepSeek's rules in front of one, and a host with tools for models to call. */
import type { ServerResponse } from 'node:http'
import { LLMock, type MockServerOptions } from '@copilotkit/aimock'
import { afterEach } from 'vitest'
import type { AgentEvent } from '../../src/agent/events.ts'
import type { AgentOptions } from '../../src/agent/loop-options.ts'
import type { Model } from '../../src/agent/model.ts'
import { Transcript } from '../../src/agent/transcript.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { Host } from '../../src/host/host.ts'
import { runToEnd, type AgentRun } from './agent-run.ts'
import { fastClock } from './fast-clock.ts'
import { ALLOW_ALL } from './host-entries.ts'
import { hostRoom, tool, toolServer, type ToolServer } from './host-room.ts'
import { localHttp } from './local-http.ts'
import { modelSeatedAt, type ModelSeat } from './provider-models.ts'
import { rulesProxy, type RulesProxy, type RulesProxyOptions } from './rules-proxy.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

/** Pauses of seconds take tens of milliseconds. */
const HASTE = 100

export interface AgentRoom {
  readonly host: Host
  readonly server: ToolServer
  readonly transcript: Transcript
  /** The user says something, and the model is run until it has answered; `onEvent` hears each event as it comes. */
  ask(
    text: string,
    options?: Partial<AgentOptions>,
    onEvent?: (event: AgentEvent) => void,
  ): Promise<AgentRun>
}

interface MockRoom extends AgentRoom {
  readonly mock: LLMock
}

const CITY: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}

/** The place that a call is about; empty where it names none. */
export function cityOf({ city }: JsonObject): string {
  return typeof city === 'string' ? city : ''
}

/** `town__weather` and `town__news` only read, `town__write` does not. What they give says what they were given. */
async function agentRoom(model: Model): Promise<AgentRoom> {
  open.push(() => model.close?.())
  const annotations = { readOnlyHint: true }
  const server = toolServer(
    tool('weather', { inputSchema: CITY, annotations }),
    tool('news', { inputSchema: CITY, annotations }),
    tool('write', { inputSchema: CITY }),
  )
  server.answer = (name, args) => ({
    content: [{ type: 'text', text: `${name} of ${cityOf(args)}` }],
  })
  // Its word that it only reads is believed, so that calls of one reply are made at once.
  const entries = { town: { trusted: true } }
  const { host } = await hostRoom({ town: server }, { policy: ALLOW_ALL, entries })
  const transcript = new Transcript()
  return {
    host,
    server,
    transcript,
    ask(text, options, onEvent) {
      transcript.say(text)
      return runToEnd({ model, host, transcript, ...options }, onEvent)
    },
  }
}

/** A mock that runs; what it answers is for the test to say. */
async function runningMock(options: MockServerOptions = {}): Promise<LLMock> {
  const mock = new LLMock({ port: 0, ...options })
  await mock.start()
  open.push(() => mock.stop())
  return mock
}

export interface DeepSeekRoom extends MockRoom {
  readonly proxy: RulesProxy
}

/** A mock behind DeepSeek's rules, and a model of our adapter that asks it. */
export async function deepseekRoom(
  options: Partial<RulesProxyOptions> & { readonly seat?: ModelSeat } = {},
): Promise<DeepSeekRoom> {
  const { seat, ...rules } = options
  const mock = await runningMock()
  const proxy = await rulesProxy({ upstream: mock.url, key: 'the-key', ...rules })
  open.push(() => proxy.close())
  const model = seatedModel(proxy.url, 'deepseek:deepseek-flash', { key: 'the-key', ...seat })
  return { ...(await agentRoom(model)), mock, proxy }
}

/** Which provider a mock is to be, and where below its address the model looks for it. */
export interface ProviderPlace {
  /** As on the command line: `anthropic:NAME`. */
  readonly spec: string
  readonly path: string
  readonly seat?: ModelSeat
}

interface Requests {
  /** The bodies of all requests as they were sent, repeats among them. */
  readonly requests: readonly JsonObject[]
}

/** The key that mocks of providers ask for. */
const PROVIDER_KEY = 'the-key-of-the-mock'

/** A mock as a provider, strict where it has rules of that provider, and a model of our adapter that asks it. */
export async function providerRoom({
  spec,
  path,
  seat,
}: ProviderPlace): Promise<MockRoom & Requests> {
  // Ollama's own API knows no keys.
  const auth = spec.startsWith('ollama:') ? {} : { auth: { apiKeys: [PROVIDER_KEY] } }
  const mock = await runningMock({ strict: true, ...auth })
  const seated = seatedModel(mock.url + path, spec, { key: PROVIDER_KEY, ...seat })
  const { model, requests } = overheard(seated)
  return { ...(await agentRoom(model)), mock, requests }
}

/** The same before a server that gives these answers, one a request, for what the mock cannot say. */
export async function standInRoom(
  { spec, path, seat }: ProviderPlace,
  answers: readonly ((response: ServerResponse) => void)[],
): Promise<AgentRoom & Requests> {
  let asked = 0
  const server = await localHttp((_request, response) => {
    const answer = answers[asked]
    asked += 1
    if (answer === undefined) throw new Error(`Asked ${asked} times, and there is no such answer.`)
    answer(response)
  })
  open.push(() => server.close())
  const { model, requests } = overheard(seatedModel(server.url + path, spec, seat))
  return { ...(await agentRoom(model)), requests }
}

/** The same model, and what it sends. */
function overheard(model: Model): Requests & { readonly model: Model } {
  const requests: JsonObject[] = []
  const { provider, name, dialect, traits } = model
  return {
    requests,
    model: {
      provider,
      name,
      dialect,
      traits,
      reply: (request, options = {}) =>
        model.reply(request, {
          ...options,
          onLeg(leg) {
            if (leg.kind === 'request') requests.push(JSON.parse(leg.body) as JsonObject) // it was written as one
            options.onLeg?.(leg)
          },
        }),
      close: () => model.close?.(),
    },
  }
}

/** A model for which seconds are short. */
function seatedModel(url: string, spec: string, seat: ModelSeat = {}): Model {
  return modelSeatedAt(url, spec, { clock: fastClock(HASTE), ...seat })
}
