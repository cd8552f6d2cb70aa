/**
 * A resource as a plain value: what lists say of it, and the code that reads it.
 *
 * Nothing here looks up or answers anything; the server does. The URI is checked when the resource is defined.
 */

import { UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { isUri } from '../formats/uri.ts'
import type { Resource } from '../protocol/types/resources.ts'
import type { CacheHint, FeatureOptions, RequestContext } from './context.ts'
import { cacheOf, describe, visibility, type Described } from './feature.ts'

/** One item of what a read gives. */
export interface ResourcePart {
  /** Default: the URI that was read. */
  readonly uri?: string
  /** Default: the type of the resource, else `text/plain` for text and `application/octet-stream` for bytes. */
  readonly mimeType?: string
  readonly text?: string
  /** Bytes, or base64 that is sent as it is. */
  readonly blob?: Uint8Array | string
  readonly _meta?: JsonObject
}

/** A whole result, for what differs from one read to the next. */
export interface ResourceContents extends CacheHint {
  readonly contents: readonly (string | Uint8Array | ResourcePart)[]
  readonly _meta?: JsonObject
}

/** What `read` may return: text, bytes, an item, several, or all of a result. Undefined, and an empty list: there is no such resource. // RES-03, ERR-03 */
export type ResourceReply =
  | string
  | Uint8Array
  | ResourcePart
  | readonly (string | Uint8Array | ResourcePart)[]
  | ResourceContents
  | undefined

/** What resources and templates have in common. */
export interface ResourceMembers extends Described, FeatureOptions, CacheHint {}

export interface ResourceOptions extends ResourceMembers {
  /** Absolute, by RFC 3986. `https:` only when the client could fetch it by itself. // RES-10, RES-11 */
  readonly uri: string
  /** Bytes of the raw content, when known. */
  readonly size?: number
  read(uri: string, context: RequestContext): ResourceReply | Promise<ResourceReply>
}

/** A resource, ready to be served. Made by `defineResource`. */
export interface ResourceDefinition extends FeatureOptions {
  /** What `resources/list` says of it. */
  readonly resource: Resource
  readonly cache: CacheHint
  read(uri: string, context: RequestContext): ResourceReply | Promise<ResourceReply>
}

/** Makes a resource. Throws `UsageError` for what is no URI, and for marks that no client could read. */
export function defineResource(options: ResourceOptions): ResourceDefinition {
  const { uri, size } = options
  if (!isUri(uri)) {
    throw new UsageError(
      `A resource cannot have the URI ${JSON.stringify(uri)}: it must be absolute, with a scheme, and encoded as RFC 3986 demands.`,
    )
  }
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0))
    throw new UsageError(`The size of resource ${uri} must be a whole number of bytes.`)
  const what = `resource ${uri}`
  return {
    resource: { uri, ...describe(options, what), ...(size === undefined ? {} : { size }) },
    cache: cacheOf(options, what),
    ...visibility(options),
    read: (asked, context) => options.read(asked, context),
  }
}
