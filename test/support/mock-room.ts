/** A mock of providers that nobody here wrote, DeepSeek's rules in front of it, and a host with tools for models to call. */
import { LLMock } from '@copilotkit/aimock'
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
import { modelSeatedAt, type ModelSeat } from './provider-models.ts'
import { rulesProxy, type RulesProxy, type RulesProxyOptions } from './rules-proxy.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

/** Pauses of seconds take tens of milliseconds. */
const HASTE = 100

export interface MockRoom {
  readonly mock: LLMock
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

export interface RoomParts {
  readonly mock: LLMock
  readonly model: Model
}

const CITY: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}

/** `town__weather` and `town__news` only read, `town__write` does not. What they give says what they were given. */
/** The place that a call is about; empty where it names none. */
export function cityOf({ city }: JsonObject): string {
  return typeof city === 'string' ? city : ''
}

export async function mockRoom({ mock, model }: RoomParts): Promise<MockRoom> {
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
  const { host } = await hostRoom({ town: server }, { policy: ALLOW_ALL })
  const transcript = new Transcript()
  return {
    mock,
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
export async function runningMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0 })
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
  return { ...(await mockRoom({ mock, model })), proxy }
}

/** A model for which seconds are short. */
export function seatedModel(url: string, spec: string, seat: ModelSeat = {}): Model {
  return modelSeatedAt(url, spec, { clock: fastClock(HASTE), ...seat })
}
