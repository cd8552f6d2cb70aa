/**
 * `prompts/get`: which prompt, with which arguments, and the messages it gives.
 */

import { UsageError } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonText, type JsonValue } from '../base/json.ts'
import { invalidParams } from '../protocol/errors.ts'
import { contentFault } from '../tools/content-rules.ts'
import { toPromptResult, type PromptDefinition, type PromptReply } from '../tools/prompt.ts'
import { CallContext, NO_ANSWERS } from './context.ts'
import { answerFeature } from './feature-call.ts'
import { isVisible } from './list.ts'
import type { Dispatched, Served } from './served.ts'

/** Answers `prompts/get`. Throws or rejects with `RpcRefusal`. */
export function getPrompt(server: Served, call: Dispatched): Promise<JsonObject | JsonText> {
  const { name } = call.inbound.given
  if (typeof name !== 'string') throw invalidParams('prompts/get needs a "name"')
  const prompt = server.offers.prompts.get(name)
  if (prompt === undefined || !isVisible(prompt, new CallContext(server, call, NO_ANSWERS)))
    throw invalidParams(`Unknown prompt: ${name.slice(0, 128)}`) // PRMT-03, ERR-20
  const args = argumentsOf(prompt, call.inbound.given['arguments'])
  return answerFeature<PromptReply>(server, call, {
    kind: 'prompt',
    name,
    run: (context) => prompt.get(args, context),
    conclude(reply) {
      const result = toPromptResult(reply)
      for (const { content } of result.messages) {
        const fault = contentFault(content)
        if (fault !== undefined)
          throw new UsageError(`The prompt ${JSON.stringify(name)} gave content that ${fault}.`) // PRMT-06
      }
      return result as unknown as JsonObject // messages hold JSON values only
    },
  })
}

/** Longest value of one argument, in characters. */
const MAX_ARGUMENT = 1_000_000

/**
 * The declared arguments that were given. Others are ignored. Throws `RpcRefusal` when a required one is missing or one is no
 * string. // PRMT-03, PRMT-04
 */
function argumentsOf(
  { prompt }: PromptDefinition,
  given: JsonValue | undefined,
): { readonly [name: string]: string } {
  if (given !== undefined && !isJsonObject(given))
    throw invalidParams('The member "arguments" must be an object')
  const args: Record<string, string> = Object.create(null) as Record<string, string> // no prototype in the way
  for (const { name, required } of prompt.arguments ?? []) {
    const value = given !== undefined && Object.hasOwn(given, name) ? given[name] : undefined
    if (typeof value === 'string' && value.length <= MAX_ARGUMENT) args[name] = value
    else if (typeof value === 'string')
      throw invalidParams(
        `The argument ${JSON.stringify(name)} is longer than ${MAX_ARGUMENT} characters`,
      )
    else if (value !== undefined)
      throw invalidParams(`The argument ${JSON.stringify(name)} must be a string`)
    else if (required === true)
      throw invalidParams(
        `The prompt ${JSON.stringify(prompt.name)} needs the argument ${JSON.stringify(name)}`,
      )
  }
  return args
}
