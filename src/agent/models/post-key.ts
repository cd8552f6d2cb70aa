/** The key of an account: how it gets into a header, and that it gets nowhere else. */

import { ModelError, type ErrorCode } from '../../base/errors.ts'
import type { ModelDelta, ModelReply } from '../model.ts'

/** How the key is told. */
export type KeyHeader = 'bearer' | 'x-api-key' | 'none'

/** A shorter key is a word that stands in other places too. */
const MIN_KEY = 8

export class SecretKey {
  readonly #key: string

  /** Blanks around it do not count, for keys come from files. Throws `DP_MODEL_KEY` when no header can hold it. */
  constructor(key: string | undefined, provider: string) {
    this.#key = (key ?? '').trim()
    if (/[^\x21-\x7e]/.test(this.#key))
      throw new ModelError(
        'DP_MODEL_KEY',
        `The key for ${provider} has blanks or characters beyond ASCII in it. Copy it once more, without anything around it.`,
        { provider, detail: { kind: 'model-bad-key' } },
      )
  }

  headers(kind: KeyHeader): Readonly<Record<string, string>> {
    if (this.#key === '' || kind === 'none') return {}
    return kind === 'bearer' ? { authorization: `Bearer ${this.#key}` } : { 'x-api-key': this.#key }
  }

  /** A text in which the far side may have repeated it. */
  mask(text: string): string {
    return this.#key.length < MIN_KEY ? text : text.replaceAll(this.#key, '[key]')
  }

  /**
   * The same reply where the key is not in it, and else one that can be kept: a conversation is written down, and is sent to the
   * next provider as well.
   */
  maskReply(reply: ModelReply): ModelReply {
    return this.#masked(reply)
  }

  /** A piece that comes; a key that is cut between two pieces is seen in the reply alone. */
  maskDelta(delta: ModelDelta): ModelDelta {
    return this.#masked(delta)
  }

  /** With every text masked, names of members among them. */
  #masked<Value extends object>(value: Value): Value {
    if (this.#key.length < MIN_KEY) return value
    const text = JSON.stringify(value)
    const written = JSON.stringify(this.#key).slice(1, -1)
    if (!text.includes(written)) return value
    // Only texts become other texts, so that it is of the same type.
    return { ...value, ...(JSON.parse(text.replaceAll(written, '[key]')) as Value) }
  }

  /** The same error where the key is not in it. */
  maskError(error: unknown): unknown {
    if (!(error instanceof ModelError)) return error
    const { code, message, said, kind, ...facts } = error
    const told = `${message}\n${said ?? ''}\n${kind ?? ''}`
    if (this.mask(told) === told || !isModelCode(code)) return error
    return new ModelError(code, this.mask(message), {
      provider: facts.provider,
      status: facts.status,
      retryAfterMs: facts.retryAfterMs,
      retryable: facts.retryable,
      said: said === undefined ? undefined : this.mask(said),
      kind: kind === undefined ? undefined : this.mask(kind),
      detail: withoutWords(facts.detail),
    })
  }
}

/** The facts without the only one that a provider writes. */
function withoutWords(detail: ModelError['detail']): ModelError['detail'] {
  if (detail?.kind !== 'model-no-reply') return detail
  const { contentType: _contentType, ...facts } = detail
  return facts
}

function isModelCode(code: ErrorCode): code is Extract<ErrorCode, `DP_MODEL_${string}`> {
  return code.startsWith('DP_MODEL_')
}
