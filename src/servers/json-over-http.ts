/**
 * One GET of a small JSON document from a stranger: bounded in bytes and depth, no redirects, every failure named.
 * It knows no API; what the document means is judged by the caller.
 */

import { describeError, TransportError } from '../base/errors.ts'
import { exceedsDepth, isJsonObject } from '../base/json.ts'
import type { JsonObject } from '../base/json.ts'
import { decodeUtf8 } from '../formats/utf8.ts'

/** Largest answer that is read, in bytes after decompression. */
export const MAX_ANSWER_BYTES: number = 1024 * 1024

/** Most of a stranger's sentence that is passed on, in characters. */
const MAX_REMARK = 200

export interface JsonRequest {
  readonly fetch: typeof globalThis.fetch
  /** Ends the request and the reading of its answer. Rejections then carry the signal's own reason. */
  readonly signal: AbortSignal
}

/**
 * The JSON object at `url`. Rejects with a `TransportError` that names the address, its query left out because it may
 * hold a key.
 */
export async function getJson(url: URL, request: JsonRequest): Promise<JsonObject> {
  const address = `${url.origin}${url.pathname}`
  const response = await open(url, address, request)
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    throw failure(
      `${address} answered with a redirect, which is refused. Set the address it leads to.`,
    )
  }
  if (response.status >= 500) {
    throw failure(`${address} answered with HTTP status ${response.status}. Try again later.`)
  }
  const body = parse(await read(response, address, request.signal), address, response.ok)
  if (response.ok && body?.['error'] !== true) {
    if (body === undefined)
      throw failure(`${address} answered with something that is not a JSON object.`)
    return body
  }
  const advice =
    response.status === 429 ? 'Too many requests: try again later.' : 'Check the address.'
  const reason = cleanText(body?.['reason'], MAX_REMARK)
  const remark = reason === undefined ? '' : ` and says ${JSON.stringify(reason)}`
  throw failure(`${address} answered with HTTP status ${response.status}${remark}. ${advice}`)
}

/**
 * A stranger's text on one line: what is invisible, reorders or steers is left out, and so is all beyond `limit`
 * characters. Undefined for anything but a text that has something to show.
 */
export function cleanText(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'string') return undefined
  // Cut before the patterns run, so that a long text costs no more than a short one.
  const text = value
    .slice(0, limit * 4)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/\p{C}/gu, '')
    .trim()
  return text === '' ? undefined : Array.from(text).slice(0, limit).join('')
}

async function open(url: URL, address: string, request: JsonRequest): Promise<Response> {
  const { fetch, signal } = request
  try {
    return await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } })
  } catch (error) {
    signal.throwIfAborted()
    throw failure(`${address} cannot be reached: ${causeOf(error)}. Check the network.`, error)
  }
}

/** The whole body; the rest of one that is too large is not read. */
async function read(response: Response, address: string, signal: AbortSignal): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  if (reader === undefined) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const part = await next(reader, address, signal)
    if (part === undefined) return joined(chunks, size)
    size += part.byteLength
    if (size > MAX_ANSWER_BYTES) {
      await reader.cancel()
      const message = `${address} answered with more than ${MAX_ANSWER_BYTES} bytes.`
      throw new TransportError('DP_TRANSPORT_TOO_LARGE', message, { sent: 'yes' })
    }
    chunks.push(part)
  }
}

async function next(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  address: string,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value
  } catch (error) {
    signal.throwIfAborted()
    throw failure(`The answer of ${address} broke off: ${causeOf(error)}. Try again.`, error)
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/** The object in `bytes`, or undefined; text that is not JSON is an error where JSON is `required`. */
function parse(bytes: Uint8Array, address: string, required: boolean): JsonObject | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined || exceedsDepth(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (!required) return undefined
    throw failure(`${address} answered with something that is not JSON.`, error)
  }
}

function failure(message: string, cause?: unknown): TransportError {
  return new TransportError('DP_TRANSPORT_CLOSED', message, cause === undefined ? {} : { cause })
}

/** Fetch says only "fetch failed"; why is in its cause, as a code or a sentence. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : describeError(cause)
}
