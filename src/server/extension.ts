/**
 * What an extension adds to a server: its declaration, answers to its methods, and resources. Off until a server is given
 * one. // EXT-01, EXT-03
 */

import type { JsonObject } from '../base/json.ts'
import { UsageError } from '../base/errors.ts'
import { methodNotFound } from '../protocol/errors.ts'
import type { Extension } from '../protocol/extension.ts'
import type { ServerCapabilities } from '../protocol/types/common.ts'
import type { ResourceDefinition } from '../tools/resource.ts'
import type { MethodFunction } from './method.ts'

export interface ServerExtension {
  readonly extension: Extension
  /** What the server declares of it; `{}` has no settings. // EXT-01 */
  readonly settings: JsonObject
  /** Answers to methods of the extension, in the eras it is for. A method without one does not exist. */
  readonly methods: ReadonlyMap<string, MethodFunction>
  /** Resources that it brings. Even an empty list makes the server declare resources. */
  readonly resources?: readonly ResourceDefinition[]
}

/** The capabilities with what the extensions declare. Throws `UsageError` for one that is given twice. */
export function withExtensions(
  capabilities: ServerCapabilities,
  extensions: readonly ServerExtension[],
): ServerCapabilities {
  if (extensions.length === 0) return capabilities
  const declared: Record<string, JsonObject> = { ...capabilities.extensions }
  for (const { extension, settings } of extensions) {
    if (Object.hasOwn(declared, extension.id))
      throw new UsageError(`This server has the extension ${extension.id} already.`)
    declared[extension.id] = settings
  }
  return { ...capabilities, extensions: declared }
}

/** The answer, for clients of the eras that the extension is for; for others the method does not exist. // ERR-14 */
export function inEras(
  { eras }: Extension,
  method: string,
  answer: MethodFunction,
): MethodFunction {
  return (params, context) => {
    if (!eras.includes(context.client.era)) throw methodNotFound(method)
    return answer(params, context)
  }
}
