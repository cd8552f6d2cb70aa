/** Reading what a server offers beside tools: resources, prompts, and suggestions for their arguments. */

import { RpcError, UsageError } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { isResourceNotFound as saysNotFound } from '../protocol/errors.ts'
import { unusable } from '../protocol/results.ts'
import type { CompleteResult, CompletionReference } from '../protocol/types/completion.ts'
import type { GetPromptResult } from '../protocol/types/prompts.ts'
import type { ReadResourceResult } from '../protocol/types/resources.ts'
import { cachedCall, type CachedCallOptions } from './cached-call.ts'
import { call } from './call.ts'
import type { CallOptions } from './options.ts'
import { INVALID_PARAMS } from '../jsonrpc/message.ts'
import type { Caller } from './request.ts'

/** Suggested values, best first. */
export type Completion = CompleteResult['completion']

/** Contents that are neither text nor Base64 are left out, with a note on the wire. // RES-03 */
export async function readResource(
  caller: Caller,
  uri: string,
  options: CachedCallOptions | undefined,
): Promise<ReadResourceResult> {
  const asked = { method: 'resources/read', params: { uri } }
  const { result } = await cachedCall(caller, asked, options)
  const contents = Array.isArray(result['contents']) ? result['contents'] : []
  const usable = contents.filter(isJsonObject).flatMap((one, index) => {
    if (typeof one['text'] !== 'string' && typeof one['blob'] !== 'string') {
      caller.channel.note({ kind: 'bad-contents', data: { uri, index } })
      return []
    }
    return typeof one['uri'] === 'string' ? [one] : [{ ...one, uri }]
  })
  return { ...result, contents: usable } as unknown as ReadResourceResult // every member that the type names was looked at
}

/** Whether an error says that there is no such resource, in the words of any revision. // ERR-04 */
export function isResourceNotFound(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false
  // A read has no other parameter that could be wrong.
  const isRead = error.method === 'resources/read' && error.rpcCode === INVALID_PARAMS
  return isRead || saysNotFound(error)
}

/** // PRMT-04 */
export async function getPrompt(
  caller: Caller,
  { name, args }: { readonly name: string; readonly args: { readonly [name: string]: string } },
  options: CallOptions | undefined,
): Promise<GetPromptResult> {
  const odd = Object.entries(args).find(([, value]) => typeof value !== 'string')
  if (odd !== undefined) {
    const [argument] = odd
    throw new UsageError(
      `Arguments of prompts are strings, and ${JSON.stringify(argument)} of ${JSON.stringify(name)} is none. Nothing was sent.`,
      { method: 'prompts/get' },
    ) // PRMT-04
  }
  const result = await call(caller, 'prompts/get', { name, arguments: { ...args } }, options)
  return result as unknown as GetPromptResult // decodeResult made sure of `messages`
}

/** What is to be completed: the reference, the argument, and what is decided already. */
export interface CompletionWish {
  readonly ref: CompletionReference
  readonly argument: { readonly name: string; readonly value: string }
  /** Values of other arguments. From 2025-06-18; older servers ignore them. // COMP-03 */
  readonly context?: { readonly [name: string]: string } | undefined
}

/** // COMP-02 */
export async function complete(
  caller: Caller,
  { ref, argument, context }: CompletionWish,
  options: CallOptions | undefined,
): Promise<Completion> {
  const params: JsonObject = {
    ref: { ...ref },
    argument: { ...argument },
    ...(context === undefined ? {} : { context: { arguments: { ...context } } }), // COMP-03
  }
  const { completion } = await call(caller, 'completion/complete', params, options)
  if (!isJsonObject(completion))
    throw unusable('completion/complete', 'has no "completion"', 'COMP-04')
  return completion as unknown as Completion // decodeResult made sure of `values`
}
