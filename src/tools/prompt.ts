/**
 * A prompt as a plain value: what lists say of it, and the code that makes its messages.
 *
 * The server checks arguments before `get` is called: all that are required are there, and each is a string.
 */

import { UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Role } from '../protocol/types/common.ts'
import type { GetPromptResult, Prompt, PromptArgument } from '../protocol/types/prompts.ts'
import type { ContentBlock } from '../protocol/types/tools.ts'
import type { Completer, FeatureOptions, RequestContext } from './context.ts'
import { describe, visibility, type Described } from './feature.ts'

export interface PromptArgumentOptions {
  readonly name: string
  /** For people. */
  readonly title?: string
  readonly description?: string
  /** Default false. */
  readonly required?: boolean
  /** Suggestions for its value. */
  readonly complete?: Completer
}

/** What `get` is given: required arguments are there, others may be. Peer text: it becomes part of a model's input. // PRMT-08 */
export type PromptValues<Arguments extends readonly PromptArgumentOptions[]> = {
  readonly [One in Arguments[number] as One['required'] extends true ? One['name'] : never]: string
} & {
  readonly [One in Arguments[number] as One['required'] extends true ? never : One['name']]?: string
}

/** A message; a string stands for one block of text. // PRMT-05 */
export interface PromptMessageReply {
  readonly role: Role
  readonly content: string | ContentBlock
}

/** What `get` may return: the text of one user message, messages, or all of a result. */
export type PromptReply =
  | string
  | readonly PromptMessageReply[]
  | {
      readonly description?: string
      readonly messages: readonly PromptMessageReply[]
      readonly _meta?: JsonObject
    }

export interface PromptOptions<
  Arguments extends readonly PromptArgumentOptions[] = readonly PromptArgumentOptions[],
>
  extends Omit<Described, 'mimeType' | 'annotations'>, FeatureOptions {
  readonly arguments?: Arguments
  get(args: PromptValues<Arguments>, context: RequestContext): PromptReply | Promise<PromptReply>
}

/** A prompt, ready to be served. Made by `definePrompt`. */
export interface PromptDefinition extends FeatureOptions {
  /** What `prompts/list` says of it. */
  readonly prompt: Prompt
  readonly complete: ReadonlyMap<string, Completer>
  /** Gets declared arguments only, required ones surely. */
  get(
    args: { readonly [name: string]: string },
    context: RequestContext,
  ): PromptReply | Promise<PromptReply>
}

/** Makes a prompt. Throws `UsageError` for an empty name and for arguments named twice. */
export function definePrompt<const Arguments extends readonly PromptArgumentOptions[]>(
  options: PromptOptions<Arguments>,
): PromptDefinition {
  const what = `prompt ${JSON.stringify(options.name)}`
  const complete = new Map<string, Completer>()
  const told: PromptArgument[] = []
  for (const argument of options.arguments ?? []) {
    if (argument.name === '' || told.some(({ name }) => name === argument.name))
      throw new UsageError(`The arguments of ${what} must have names, each once.`)
    if (argument.complete !== undefined) complete.set(argument.name, argument.complete)
    told.push(toldArgument(argument))
  }
  return {
    prompt: { ...describe(options, what), ...(told.length === 0 ? {} : { arguments: told }) },
    complete,
    ...visibility(options),
    // The server hands over what the list of arguments promises, which is what PromptValues says.
    get: (args, context) => options.get(args as PromptValues<Arguments>, context),
  }
}

function toldArgument({
  name,
  title,
  description,
  required,
}: PromptArgumentOptions): PromptArgument {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(required === undefined ? {} : { required }),
  }
}

/** The result for the wire of what a prompt returned. */
export function toPromptResult(returned: PromptReply): GetPromptResult {
  if (typeof returned === 'string')
    return { messages: [message({ role: 'user', content: returned })] }
  if (isList(returned)) return { messages: returned.map(message) }
  const { description, messages, _meta } = returned
  return {
    ...(description === undefined ? {} : { description }),
    messages: messages.map(message),
    ...(_meta === undefined ? {} : { _meta }),
  }
}

/** `Array.isArray` does not narrow readonly lists. */
function isList(returned: Exclude<PromptReply, string>): returned is readonly PromptMessageReply[] {
  return Array.isArray(returned)
}

function message({ role, content }: PromptMessageReply): GetPromptResult['messages'][number] {
  return { role, content: typeof content === 'string' ? { type: 'text', text: content } : content }
}
