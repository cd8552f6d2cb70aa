/**
 * Images, sounds and files in results: handed to a model that takes images, else kept as artifacts, and in any case told in
 * the text.
 *
 * An image that a provider refuses would spoil every later request of its conversation, so only what begins like an image of
 * the four kinds that all take is handed on.
 */

import { describeError } from '../base/errors.ts'
import { decodeBase64 } from '../formats/base64.ts'
import type { ArtifactStore } from './artifacts.ts'
import type { ImagePart } from './conversation.ts'

export interface MediaLimits {
  /** 0 where the model takes none. */
  readonly maxImages: number
  /** Of one image. */
  readonly maxImageBytes: number
}

/** Bytes that a result carries as Base64. */
export interface Media {
  /** What the server says it is. */
  readonly mimeType: unknown
  readonly data: unknown
  /** The words for it, in square brackets. */
  readonly placeholder: string
}

/** Most artifacts that the media of one result are kept as: no result drives out those of all others. */
const MAX_KEPT = 16

export class ResultMedia {
  readonly #limits: MediaLimits
  readonly #artifacts: ArtifactStore | undefined
  readonly #images: ImagePart[] = []
  #kept = 0
  #warning: string | undefined

  constructor(limits: MediaLimits, artifacts: ArtifactStore | undefined) {
    this.#limits = limits
    this.#artifacts = artifacts
  }

  /** For the model, in the order of the result. */
  get images(): readonly ImagePart[] {
    return this.#images
  }

  /** Why something was not kept, for people. */
  get warning(): string | undefined {
    return this.#warning
  }

  /** Takes one in, and gives the words that stand for it in the text. */
  async take({ mimeType, data, placeholder }: Media): Promise<string> {
    if (typeof data !== 'string') return placeholder
    // Some servers break Base64 into lines, which no provider takes.
    const base64 = /\s/.test(data) ? data.replace(/\s+/g, '') : data
    const kind = imageKind(base64)
    const { maxImages, maxImageBytes } = this.#limits
    const isSmall = base64.length <= Math.ceil(maxImageBytes / 3) * 4
    if (kind !== undefined && isSmall && this.#images.length < maxImages && isBase64(base64)) {
      this.#images.push({ type: 'image', mimeType: kind, data: base64 })
      return placeholder
    }
    const id = await this.#keep(base64, typeof mimeType === 'string' ? mimeType : undefined)
    return id === undefined ? placeholder : `${placeholder.slice(0, -1)}, saved as artifact ${id}]`
  }

  async #keep(base64: string, mimeType: string | undefined): Promise<string | undefined> {
    if (this.#artifacts === undefined || this.#kept >= MAX_KEPT) return undefined
    const bytes = decodeBase64(base64)
    if (bytes === undefined || bytes.length === 0) return undefined
    this.#kept += 1
    try {
      return await this.#artifacts.put(bytes, mimeType === undefined ? {} : { mimeType })
    } catch (error) {
      this.#warning = describeError(error)
      return undefined
    }
  }
}

/** By its first bytes: what a server says of it may be wrong. */
function imageKind(base64: string): string | undefined {
  const start = decodeBase64(base64.slice(0, 16))
  if (start === undefined || start.length < 12) return undefined
  const text = String.fromCharCode(...start)
  if (text.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png'
  if (text.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  return text.startsWith('RIFF') && text.slice(8) === 'WEBP' ? 'image/webp' : undefined
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}
