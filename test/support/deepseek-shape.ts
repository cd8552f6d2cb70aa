/**
 * The shape in which DeepSeek gives a chat reply, and the way of another server's reply into it: the usage on the last choice, how
 * much of the prompt was in the cache, and signs of life before anything else. What has the shape already goes through unchanged.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import { itemsOf, streamObjects, textOf } from './deepseek-turn.ts'

export interface ShapeOptions {
  /** Signs of life before the reply. */
  readonly keepAlives: number
  /** Tokens of the prompt that count as cached, where the reply does not say. */
  readonly cached: number
}

/** One reply at a time, in pieces of text that may end anywhere. */
export class StreamShape {
  readonly #options: ShapeOptions
  #rest = ''
  /** The last choice, held back until the usage is known. */
  #held: JsonObject | undefined
  #begun = false

  constructor(options: ShapeOptions) {
    this.#options = options
  }

  push(text: string): string {
    const events = (this.#rest + text).split('\n\n')
    this.#rest = events.pop() ?? ''
    const shaped = events.map((event) => this.#event(event)).join('')
    return this.#first() + shaped
  }

  /** What is left at the end, also of a stream that was cut. */
  end(): string {
    return this.#first() + this.#release() + this.#rest
  }

  #first(): string {
    if (this.#begun) return ''
    this.#begun = true
    return ': keep-alive\n\n'.repeat(this.#options.keepAlives)
  }

  #event(event: string): string {
    const chunk = dataOf(event)
    if (chunk === undefined) return `${this.#release()}${event}\n\n`
    const choice = itemsOf(chunk['choices'])[0]
    if (choice === undefined && isJsonObject(chunk['usage'])) return this.#release(chunk['usage'])
    const before = this.#release()
    if (textOf(choice?.['finish_reason']) === '' || isJsonObject(chunk['usage']))
      return `${before}${event}\n\n`
    this.#held = chunk
    return before
  }

  #release(usage?: JsonObject): string {
    const held = this.#held
    this.#held = undefined
    if (held === undefined) return ''
    const whole = {
      ...held,
      ...(usage !== undefined && { usage: cachedUsage(usage, this.#options) }),
    }
    return `data: ${JSON.stringify(whole)}\n\n`
  }
}

/** A reply in one piece, with blank lines before it as signs of life. */
export function shapedReply(text: string, options: ShapeOptions): string {
  const value: JsonValue = JSON.parse(text)
  const usage = isJsonObject(value) ? value['usage'] : undefined
  const isShaped =
    !isJsonObject(value) || !isJsonObject(usage) || 'prompt_cache_hit_tokens' in usage
  const body = isShaped ? text : JSON.stringify({ ...value, usage: cachedUsage(usage, options) })
  return '\n'.repeat(options.keepAlives) + body
}

/** What of a chat stream is not as DeepSeek gives it, one sentence each. */
export function streamFaults(text: string): readonly string[] {
  const faults: string[] = []
  const chunks = streamObjects(text)
  if (!text.trimEnd().endsWith('data: [DONE]')) faults.push('It does not end with [DONE].')
  if (chunks.some((chunk) => itemsOf(chunk['choices']).length !== 1))
    faults.push('A chunk has not exactly one choice.')
  const withUsage = chunks.filter((chunk) => isJsonObject(chunk['usage']))
  const [last] = chunks.slice(-1)
  const finish = textOf(itemsOf(last?.['choices'])[0]?.['finish_reason'])
  if (withUsage.length !== 1 || withUsage[0] !== last || finish === '')
    faults.push('The usage is not on the last choice alone.')
  for (const { usage } of withUsage) faults.push(...usageFaults(usage))
  return [...faults, ...orderFaults(chunks)]
}

function usageFaults(usage: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(usage)) return []
  const count = (name: string): number => Number(usage[name])
  const sum = count('prompt_cache_hit_tokens') + count('prompt_cache_miss_tokens')
  return sum === count('prompt_tokens') ? [] : ['Cached and other tokens are not the prompt.']
}

const ORDER = ['reasoning', 'text', 'calls']

/** Reasoning comes before text and text before calls; a call begins with its id, its name and no arguments. */
function orderFaults(chunks: readonly JsonObject[]): readonly string[] {
  const faults = new Set<string>()
  const begun = new Set<JsonValue | undefined>()
  let stage = 0
  for (const chunk of chunks) {
    const delta = itemsOf(chunk['choices'])[0]?.['delta']
    if (!isJsonObject(delta)) continue
    const calls = itemsOf(delta['tool_calls'])
    const kinds = [textOf(delta['reasoning_content']), textOf(delta['content']), calls[0]]
    for (const [at, kind] of kinds.entries()) {
      if (kind === '' || kind === undefined) continue
      if (at < stage) faults.add(`There is ${ORDER[at]} after ${ORDER[stage]}.`)
      stage = Math.max(stage, at)
    }
    for (const { index, id, function: called } of calls) {
      const args = isJsonObject(called) ? called['arguments'] : undefined
      if (!begun.has(index) && (textOf(id) === '' || args !== ''))
        faults.add('A call does not begin with its id and no arguments.')
      begun.add(index)
    }
  }
  return [...faults]
}

function cachedUsage(usage: JsonObject, { cached }: ShapeOptions): JsonObject {
  if ('prompt_cache_hit_tokens' in usage) return usage
  const prompt = Number(usage['prompt_tokens'] ?? 0)
  const details = usage['prompt_tokens_details']
  const told = isJsonObject(details) ? Number(details['cached_tokens'] ?? cached) : cached
  const hit = Math.min(prompt, told)
  return {
    ...usage,
    prompt_tokens_details: { cached_tokens: hit },
    prompt_cache_hit_tokens: hit,
    prompt_cache_miss_tokens: prompt - hit,
  }
}

/** The object that an event carries; undefined for comments, the end mark and what is no JSON. */
function dataOf(event: string): JsonObject | undefined {
  const text = /^data: ?(.*)$/m.exec(event)?.[1]
  if (text === undefined || text === '[DONE]') return undefined
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // broken on purpose; passed on as it is
  }
}
