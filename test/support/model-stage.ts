/** A model behind HTTP whose far side and clock are in the hands of the test. */
import { fakeClock, type FakeClock } from './fake-clock.ts'
import { ScriptedExchange } from './http/scripted-exchange.ts'
import { plainCodec } from './plain-codec.ts'
import type {
  Model,
  ModelDelta,
  ModelLeg,
  ModelReply,
  ModelRequest,
} from '../../src/agent/model.ts'
import { modelAt, type Endpoint } from '../../src/agent/models/post.ts'

export const KEY = 'sk-0123456789abcdef'
const TRAITS = {
  window: 1000,
  maxTools: 10,
  maxDescription: 100,
  images: false,
  resultImages: false,
}
export const ASK: ModelRequest = {
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  tools: [],
}

export interface Stage {
  readonly model: Model
  readonly far: ScriptedExchange
  readonly clock: FakeClock
  readonly deltas: ModelDelta[]
  readonly legs: ModelLeg[]
  readonly ask: (
    request?: Partial<ModelRequest>,
    signal?: AbortSignal,
    leftMs?: number,
  ) => Promise<ModelReply>
  /** Lets what has happened sink in, then moves time. */
  readonly later: (ms: number) => Promise<void>
}

/** A model whose far side is in the hands of the test; chance always draws the longest wait. */
export function stage(parts: Partial<Endpoint> = {}): Stage {
  const far = new ScriptedExchange()
  const clock = fakeClock()
  const deltas: ModelDelta[] = []
  const legs: ModelLeg[] = []
  const model = modelAt(
    {
      provider: 'plain',
      baseUrl: 'https://models.test/v1/',
      key: KEY,
      keyHeader: 'bearer',
      codec: plainCodec,
      exchange: far.exchange,
      clock,
      random: (bytes) => new Uint8Array(bytes).fill(255),
      ...parts,
    },
    { name: 'plain-1', dialect: 'plain', traits: TRAITS, namesPath: '/models' },
  )
  return {
    model,
    far,
    clock,
    deltas,
    legs,
    async later(ms) {
      await clock.advance(0)
      await clock.advance(ms)
    },
    ask: (request = {}, signal, leftMs) =>
      model.reply(
        { ...ASK, ...request },
        {
          onDelta: (delta) => void deltas.push(delta),
          onLeg: (leg) => void legs.push(leg),
          ...(signal !== undefined && { signal }),
          ...(leftMs !== undefined && { leftMs }),
        },
      ),
  }
}

export const texts = (deltas: readonly ModelDelta[]): readonly string[] =>
  deltas.map((delta) => (delta.kind === 'text' ? delta.text : `<${delta.kind}>`))

/** What a promise was rejected with. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It was not rejected.')
}
