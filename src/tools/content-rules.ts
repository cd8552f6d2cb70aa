/**
 * Whether content blocks are what the protocol demands of them, for blocks that an author made by hand.
 */

import { isJsonObject } from '../base/json.ts'
import { isMimeType } from './feature.ts'

/** What is wrong with a block, in words that follow "content that"; undefined when nothing is. // PRMT-06 */
export function contentFault(block: unknown): string | undefined {
  if (!isJsonObject(block)) return 'is no object'
  const { type, data, mimeType, resource, text } = block
  switch (type) {
    case 'text':
      return typeof text === 'string' ? undefined : 'is text without a "text"'
    case 'image':
    case 'audio':
      if (!isBase64(data)) return `is ${type} whose "data" is no base64`
      return typeof mimeType === 'string' && isMimeType(mimeType)
        ? undefined
        : `is ${type} without a valid "mimeType"`
    case 'resource':
      return isJsonObject(resource) ? resourceFault(resource) : 'is a resource without "resource"'
    case 'resource_link':
      return typeof block['uri'] === 'string' ? undefined : 'is a link without a "uri"'
    default:
      return 'is of no known type'
  }
}

function resourceFault({
  uri,
  mimeType,
  text,
  blob,
}: {
  readonly [member: string]: unknown
}): string | undefined {
  if (typeof uri !== 'string') return 'is a resource without a "uri"'
  if (mimeType !== undefined && !(typeof mimeType === 'string' && isMimeType(mimeType)))
    return 'is a resource whose "mimeType" is no type'
  const one = (typeof text === 'string') !== (blob !== undefined)
  if (!one) return 'is a resource that has not either "text" or "blob"'
  return blob === undefined || isBase64(blob)
    ? undefined
    : 'is a resource whose "blob" is no base64'
}

/** Padded base64, in linear time. RFC 4648 §4 */
export function isBase64(value: unknown): value is string {
  return typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
}
