/**
 * The arguments of a call as they are judged: a copy that nobody else holds, frozen to its last member, with its exact JSON
 * text and the hash of that. What is sent later is this object, and has this text.
 */

import { hash } from 'node:crypto'
import { describeError, UsageError } from '../base/errors.ts'
import { exceedsDepth, isJsonObject, MAX_JSON_DEPTH, type JsonObject } from '../base/json.ts'

export interface JudgedArguments {
  readonly args: JsonObject
  /** What stands in the message that is sent. */
  readonly text: string
  /** SHA-256 of `text` in UTF-8, in hexadecimal digits. */
  readonly hash: string
}

/** Most characters of JSON text that the arguments of one call may have. */
export const MAX_ARGUMENTS: number = 8 * 1024 * 1024

/** SHA-256 of a text in UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/**
 * Copies, freezes and hashes. Getters, proxies and `toJSON` are read here for the last time. Throws a `UsageError` for what
 * is no JSON object, too long or too deep.
 */
export function judgeArguments(args: unknown, alias: string): JudgedArguments {
  const text = textOf(args, alias)
  const copy: unknown = text === undefined ? undefined : JSON.parse(text)
  if (text === undefined || !isJsonObject(copy))
    throw new UsageError(`The arguments of ${alias} must be an object. Give {} for none.`, {
      detail: { kind: 'arguments-odd', tool: alias, why: 'no-object' },
    })
  freezeAll(copy)
  return new FrozenArguments(copy, text)
}

class FrozenArguments implements JudgedArguments {
  readonly args: JsonObject
  readonly text: string
  #hash: string | undefined

  constructor(args: JsonObject, text: string) {
    this.args = args
    this.text = text
  }

  /** Of a text that cannot change any more: made when somebody keeps or compares it. */
  get hash(): string {
    return (this.#hash ??= sha256(this.text))
  }
}

/** Whether writing the arguments now gives what was judged. */
export function isUnaltered({ args, text }: JudgedArguments): boolean {
  return JSON.stringify(args) === text
}

/** Undefined for what has no text. */
function textOf(args: unknown, alias: string): string | undefined {
  let text: string | undefined
  try {
    text = JSON.stringify(args)
  } catch (cause) {
    throw new UsageError(
      `The arguments of ${alias} cannot be written as JSON: ${describeError(cause)}.`,
      { cause, detail: { kind: 'arguments-odd', tool: alias, why: 'no-json' } },
    )
  }
  if (text === undefined) return undefined
  if (text.length > MAX_ARGUMENTS) {
    throw new UsageError(
      `The arguments of ${alias} have ${text.length} characters; at most ${MAX_ARGUMENTS} are sent. Pass a reference to the data.`,
      { detail: { kind: 'arguments-odd', tool: alias, why: 'too-long', limit: MAX_ARGUMENTS } },
    )
  }
  if (exceedsDepth(text))
    throw new UsageError(`The arguments of ${alias} nest deeper than ${MAX_JSON_DEPTH} levels.`, {
      detail: { kind: 'arguments-odd', tool: alias, why: 'too-deep', limit: MAX_JSON_DEPTH },
    })
  return text
}

/** Every object and array in it. Not deeper than JSON may be, so recursion is safe. */
function freezeAll(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const member of Object.values(value)) freezeAll(member)
  Object.freeze(value)
}
