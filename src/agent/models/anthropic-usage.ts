/** Counts of the Messages API, told in several places of one answer; later ones replace earlier ones. */

import { isJsonObject } from '../../base/json.ts'
import type { Usage } from '../model.ts'
import { countOf } from './chat-words.ts'

export class AnthropicUsage {
  #fresh: number | undefined
  #read: number | undefined
  #written: number | undefined
  #output: number | undefined
  #thinking: number | undefined

  add(value: unknown): void {
    if (!isJsonObject(value)) return
    const details: unknown = value['output_tokens_details']
    this.#fresh = countOf(value['input_tokens']) ?? this.#fresh
    this.#read = countOf(value['cache_read_input_tokens']) ?? this.#read
    this.#written = countOf(value['cache_creation_input_tokens']) ?? this.#written
    this.#output = countOf(value['output_tokens']) ?? this.#output
    if (isJsonObject(details))
      this.#thinking = countOf(details['thinking_tokens']) ?? this.#thinking
  }

  /** What it counts as input is only what came from no cache and went into none. */
  get usage(): Usage | undefined {
    const output = this.#output
    if (this.#fresh === undefined || output === undefined) return undefined
    const input = this.#fresh + (this.#read ?? 0) + (this.#written ?? 0)
    const reasoning =
      this.#thinking !== undefined && this.#thinking <= output ? this.#thinking : undefined
    return {
      input,
      ...(this.#read !== undefined && { cachedInput: this.#read }),
      ...(this.#written !== undefined && { cacheWrite: this.#written }),
      output,
      ...(reasoning !== undefined && { reasoning }),
    }
  }
}
