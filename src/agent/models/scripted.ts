/**
 * A model that says what it was told to say, for tests and demonstrations. It streams, takes its time, fails and is cut off as a real
 * one, and remembers each request.
 */

import { asError, UsageError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { SchemaDialect } from '../../schema/project/dialect.ts'
import type { KeptItems, ModelCall } from '../conversation.ts'
import type {
  FinishReason,
  Model,
  ModelDelta,
  ModelReply,
  ModelRequest,
  ModelTraits,
  ModelWarning,
  ReplyOptions,
  Usage,
} from '../model.ts'

/** A call of a scripted reply. */
export interface ScriptedCall {
  readonly name: string
  /** An object is written as JSON, a text is taken as it stands. Default `{}`. */
  readonly args?: JsonObject | string
  /** Default: one that counts up within the model. */
  readonly id?: string
}

/** A reply; a string is one that says this and calls nothing. */
export type ScriptedReply =
  | string
  | {
      readonly text?: string
      readonly reasoning?: string
      readonly calls?: readonly ScriptedCall[]
      readonly kept?: KeptItems
      /** Default `tool-calls` with calls, else `stop`. */
      readonly finish?: FinishReason
      /** Default: the provider does not tell. */
      readonly usage?: Usage
      readonly warnings?: readonly ModelWarning[]
      /** Sent before the reply, as a provider that repeats itself. */
      readonly deltas?: readonly ModelDelta[]
    }
  /** There is no reply: the model rejects with this. */
  | { readonly error: Error }

export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly provider?: string
  /** Default `scripted-1`. */
  readonly name?: string
  /** Default `plain`. */
  readonly dialect?: SchemaDialect
  /** Default: no limits and no images. */
  readonly traits?: Partial<ModelTraits>
}

export interface ScriptedModel extends Model {
  /** Each request so far, as it came. */
  readonly requests: readonly ModelRequest[]
}

/** Gives the reply for a request; `n` counts requests from 0. */
export type ReplyScript = (
  request: ModelRequest,
  n: number,
  signal: AbortSignal | undefined,
) => ScriptedReply | Promise<ScriptedReply>

/** A model of the given replies, in order, or of a function that makes them. A request beyond the last reply is refused. */
export function scriptedModel(
  script: readonly ScriptedReply[] | ReplyScript,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const { provider = 'scripted', name = 'scripted-1', dialect = 'plain', traits } = options
  const requests: ModelRequest[] = []
  let calls = 0
  const write = ({ name: called, args = {}, id }: ScriptedCall): ModelCall => {
    calls += 1
    const argumentsText = typeof args === 'string' ? args : JSON.stringify(args)
    return { id: id ?? `call_${calls}`, name: called, argumentsText }
  }
  return {
    provider,
    name,
    dialect,
    traits: { ...NO_LIMITS, ...traits },
    requests,
    async reply(request: ModelRequest, { signal, onDelta, onLeg }: ReplyOptions = {}) {
      signal?.throwIfAborted()
      requests.push(request)
      const n = requests.length - 1
      onLeg?.(leg({ kind: 'request', attempt: 1, url: `${provider}:` }, request))
      const said = typeof script === 'function' ? await script(request, n, signal) : script[n]
      signal?.throwIfAborted()
      if (said === undefined) throw new UsageError(`The script has no reply to request ${n + 1}.`)
      if (typeof said !== 'string' && 'error' in said) throw asError(said.error)
      const reply = replyOf(said, name, write)
      if (typeof said !== 'string') for (const delta of said.deltas ?? []) onDelta?.(delta)
      if (onDelta !== undefined && request.stream !== false) stream(reply, onDelta)
      const answer = {
        kind: 'reply',
        attempt: 1,
        status: 200,
        contentType: 'application/json',
      } as const
      onLeg?.(leg(answer, reply))
      return reply
    },
  }
}

const NO_LIMITS: ModelTraits = {
  window: undefined,
  maxTools: undefined,
  maxDescription: undefined,
  images: false,
  resultImages: false,
}

/** A leg whose body is written only when somebody reads it. */
function leg<Facts extends object>(facts: Facts, body: unknown): Facts & { readonly body: string } {
  return {
    ...facts,
    get body() {
      return JSON.stringify(body)
    },
  }
}

function replyOf(
  said: Exclude<ScriptedReply, { error: Error }>,
  model: string,
  write: (call: ScriptedCall) => ModelCall,
): ModelReply {
  const {
    text = '',
    reasoning,
    calls = [],
    kept,
    finish,
    usage,
    warnings = [],
  } = typeof said === 'string' ? { text: said } : said
  const ending = finish ?? (calls.length > 0 ? 'tool-calls' : 'stop')
  const message = {
    role: 'assistant' as const,
    text,
    ...(reasoning !== undefined && { reasoning }),
    calls: calls.map(write),
    ...(kept !== undefined && { kept }),
  }
  return { message, finish: ending, finishText: ending, usage, model, warnings }
}

/** Reasoning, text and calls in the order in which providers send them, texts in two pieces. */
function stream({ message }: ModelReply, onDelta: (delta: ModelDelta) => void): void {
  for (const text of halves(message.reasoning ?? '')) onDelta({ kind: 'reasoning', text })
  for (const text of halves(message.text)) onDelta({ kind: 'text', text })
  for (const [index, { id, name, argumentsText }] of message.calls.entries()) {
    onDelta({ kind: 'call', index, id, name })
    for (const text of halves(argumentsText)) onDelta({ kind: 'arguments', index, text })
  }
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}
