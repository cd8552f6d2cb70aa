/**
 * A resource as a plain value: what lists say of it, and the code that reads it.
 *
 * Nothing here looks up or answers anything; the server does. The URI is checked when the resource is defined.
 */

import { UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { encodeBase64 } from '../formats/base64.ts'
import { isUri } from '../formats/uri.ts'
import type { ReadResourceResult, Resource } from '../protocol/types/resources.ts'
import type { CacheHint, FeatureOptions, RequestContext } from './context.ts'
import { isBase64 } from './content-rules.ts'
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

/** What is known of the resource that was read. */
export interface ReadFacts {
  readonly uri: string
  readonly mimeType: string | undefined
  readonly cache: CacheHint
}

/** The result for the wire of what `read` returned; its contents are empty when there is no such resource. // RES-03 */
export function toReadResult(reply: ResourceReply, facts: ReadFacts): ReadResourceResult {
  if (reply === undefined) return { contents: [] }
  if (isWhole(reply)) {
    const { contents, ttlMs, cacheScope, _meta } = reply
    return {
      contents: contents.map((part) => contentsOf(part, facts)),
      ...facts.cache,
      ...cacheOf(
        {
          ...(ttlMs === undefined ? {} : { ttlMs }),
          ...(cacheScope === undefined ? {} : { cacheScope }),
        },
        `contents of ${facts.uri}`,
      ),
      ...(_meta === undefined ? {} : { _meta }),
    }
  }
  const parts = isList(reply) ? reply : [reply]
  return { contents: parts.map((part) => contentsOf(part, facts)), ...facts.cache }
}

function isWhole(reply: object | string): reply is ResourceContents {
  return typeof reply === 'object' && 'contents' in reply
}

/** `Array.isArray` does not narrow readonly lists. */
function isList<Part>(reply: Part | readonly Part[]): reply is readonly Part[] {
  return Array.isArray(reply)
}

function contentsOf(
  part: string | Uint8Array | ResourcePart,
  { uri, mimeType }: ReadFacts,
): ReadResourceResult['contents'][number] {
  if (typeof part === 'string') return { uri, mimeType: mimeType ?? TEXT, text: part }
  if (part instanceof Uint8Array)
    return { uri, mimeType: mimeType ?? BYTES, blob: encodeBase64(part) }
  const { text, blob, _meta } = part
  const own = part.uri ?? uri
  // Another item's type is its own: that of the resource says nothing about it.
  const type = part.mimeType ?? (own === uri ? mimeType : undefined)
  const meta = _meta === undefined ? {} : { _meta }
  if (text !== undefined && blob === undefined)
    return { uri: own, mimeType: type ?? TEXT, text, ...meta }
  if (blob !== undefined && text === undefined)
    return { uri: own, mimeType: type ?? BYTES, blob: base64Of(blob, own), ...meta }
  throw new UsageError(`An item of what reading ${uri} gave must have either "text" or "blob".`)
}

const TEXT = 'text/plain'
const BYTES = 'application/octet-stream'

/** // RES-08 */
function base64Of(blob: Uint8Array | string, uri: string): string {
  if (typeof blob !== 'string') return encodeBase64(blob)
  if (isBase64(blob)) return blob
  throw new UsageError(`The "blob" of ${uri} is no base64; give the bytes themselves instead.`)
}
