/**
 * What a model is shown of a tool's result: all of it where it fits, else its head and tail with a word about the rest, which is
 * kept as an artifact. Nothing is fetched, and nothing is dropped silently.
 *
 * The result itself is not touched: who wants all of it, as a capture or a person, has it. Whether a text tells the truth is not
 * decided here.
 */

import { describeError } from '../base/errors.ts'
import { isJsonObject } from '../base/json.ts'
import { READ_RESOURCE } from '../host/resource-reading.ts'
import { markForModel } from '../policy/shown.ts'
import type { CallToolResult, ContentBlock } from '../protocol/types/tools.ts'
import { blockToText, unsaidStructure } from '../tools/content.ts'
import type { ArtifactStore } from './artifacts.ts'
import type { ImagePart } from './conversation.ts'
import type { ModelTraits } from './model.ts'
import { framedText, type FramedText } from './results-frame.ts'
import { joinLines, layOut, type Piece } from './results-layout.ts'
import { ResultMedia } from './results-media.ts'

export interface ResultLimits {
  /** Most bytes that are shown. Of a small window it is a quarter at most, at three bytes a token. Default 50 KiB. */
  readonly maxBytes?: number
  /** Most lines that are shown. Default 2,000. */
  readonly maxLines?: number
  /** Most images of one result, for models that take them. Default 10. */
  readonly maxImages?: number
  /** Largest image that is handed on, in bytes. Default 5 MB. */
  readonly maxImageBytes?: number
}

export const DEFAULT_RESULT_LIMITS: Required<ResultLimits> = {
  maxBytes: 50 * 1024,
  maxLines: 2_000,
  maxImages: 10,
  maxImageBytes: 5_000_000,
}

export interface ShownResultOptions {
  /** The name that the model called. */
  readonly alias: string
  /** Config key; undefined for a native tool. */
  readonly server: string | undefined
  readonly traits: Pick<ModelTraits, 'window' | 'images' | 'resultImages'>
  readonly limits?: ResultLimits
  /** Where the rest goes. Default: nowhere, and the model is told so. */
  readonly artifacts?: ArtifactStore | undefined
  /** Whether the model has a tool that reads what links of this server lead to: it is told how. Default false. */
  readonly readsLinks?: boolean
  /** Whose text it is, for a line before and one behind it: see `PROVENANCE_TEXT`. Default: there are none. */
  readonly provenance?: string
  /** Makes what hides visible. Default `markForModel`. */
  readonly mark?: (text: string) => string
}

export interface ShownResult {
  /** Never empty. */
  readonly text: string
  readonly images: readonly ImagePart[]
  /** Size of the whole text in UTF-8, before it was marked. */
  readonly bytes: number
  /** Of `bytes`, so many are shown. */
  readonly shownBytes: number
  /** Where all of the text is kept. */
  readonly artifact?: string
  readonly truncated: boolean
  /** In the lines around what the tool gave, where there are any: the one thing that differs when the same is shown again. */
  readonly frameMark?: string
  /** Why something could not be kept, for people. */
  readonly warning?: string
}

/** The tool by which a model reads artifacts. What it gives is not kept once more. */
export const READ_ARTIFACT = 'read_artifact'

/** What stands for a result without any output: an empty message confuses some models, and some servers refuse it. */
const NO_OUTPUT = '(no output)'
const USER_ONLY = '(the output was meant for the user and shown to them alone)'
/** A quarter of the window at three bytes a token. */
const WINDOW_SHARE = 3 / 4
const LEAST_BYTES = 1024

/** Rejects never: a store that fails is told in `warning`. */
export async function shownResult(
  result: CallToolResult,
  options: ShownResultOptions,
): Promise<ShownResult> {
  const { alias, server, traits, artifacts, mark = markForModel } = options
  const limits = { ...DEFAULT_RESULT_LIMITS, ...options.limits }
  const takesImages = traits.images || traits.resultImages
  const media = new ResultMedia(
    { maxImages: takesImages ? limits.maxImages : 0, maxImageBytes: limits.maxImageBytes },
    artifacts,
  )
  const { pieces, userOnly } = await piecesOf(result, media)
  const laid = layOut(pieces, {
    maxBytes: withinWindow(limits.maxBytes, traits.window),
    maxLines: limits.maxLines,
    mark,
  })
  const { all, bytes, shownBytes } = laid
  const isReread = server === undefined && alias === READ_ARTIFACT
  const spill =
    laid.isCut && !isReread ? await keepText(all, artifacts) : { id: undefined, warning: undefined }
  const rest = laid.isCut ? restWords(laid, spill.id, isReread) : ''
  const aside = userOnly > 0 && all !== '' ? userOnlyWords(userOnly) : ''
  const { provenance } = options
  const isFramed = provenance !== undefined && laid.text !== ''
  const framed = isFramed ? framedText(laid.text, provenance) : undefined
  const body = framed?.text ?? (laid.text || (userOnly > 0 ? USER_ONLY : NO_OUTPUT))
  const lead = result.isError === true ? errorLead(alias, framed) : ''
  const warning = media.warning ?? spill.warning
  return {
    text: joinLines([`${lead}${body}`, aside, linkWords(result, options), rest]),
    images: media.images,
    bytes,
    shownBytes,
    ...(spill.id !== undefined && { artifact: spill.id }),
    truncated: laid.isCut,
    ...(framed !== undefined && { frameMark: framed.mark }),
    ...(warning !== undefined && { warning }),
  }
}

/** What stands before an error of a tool: on its line, or above its frame. */
export function errorLead(alias: string, framed: FramedText | undefined): string {
  return `Error from tool ${alias}:${framed === undefined ? ' ' : '\n'}`
}

function withinWindow(maxBytes: number, window: number | undefined): number {
  if (window === undefined) return maxBytes
  return Math.min(maxBytes, Math.max(LEAST_BYTES, Math.floor(window * WINDOW_SHARE)))
}

async function keepText(
  text: string,
  artifacts: ArtifactStore | undefined,
): Promise<{ readonly id: string | undefined; readonly warning: string | undefined }> {
  try {
    return { id: await artifacts?.put(text), warning: undefined }
  } catch (error) {
    return { id: undefined, warning: describeError(error) }
  }
}

/** Behind the text, because a model reads its last lines best. */
function restWords(
  { bytes, shownBytes, readOn }: ReturnType<typeof layOut>,
  artifact: string | undefined,
  isReread: boolean,
): string {
  const shown = `${shownBytes} of ${bytes} bytes shown`
  if (isReread) return `[${shown}: ask for less at once, with a smaller limit]`
  if (artifact === undefined) return `[${shown}; the rest was not kept]`
  const call = JSON.stringify({ id: artifact, offset: readOn })
  return `[${shown}; all of it is artifact ${artifact}: read on with ${READ_ARTIFACT} ${call}]`
}

/** One line for all links: models know a tool, and not that these are for it. */
function linkWords(
  { content }: CallToolResult,
  { server, readsLinks }: ShownResultOptions,
): string {
  if (readsLinks !== true || server === undefined) return ''
  if (!content.some((block) => block.type === 'resource_link' && !isForUserAlone(block))) return ''
  return `[${READ_RESOURCE} reads what is linked, with ${JSON.stringify({ server })} and the URI]`
}

function userOnlyWords(count: number): string {
  return `[${count} more ${count === 1 ? 'part was' : 'parts were'} meant for the user alone]`
}

/** The parts of a result for a model, and how many are for the user alone. */
async function piecesOf(
  result: CallToolResult,
  media: ResultMedia,
): Promise<{ readonly pieces: readonly Piece[]; readonly userOnly: number }> {
  const pieces: Piece[] = []
  let userOnly = 0
  for (const block of result.content) {
    if (isForUserAlone(block)) userOnly += 1
    else pieces.push({ text: await blockText(block, media), priority: priorityOf(block) })
  }
  // A copy for the user alone counts as well: it is not told to the model by another way.
  const said = result.content.flatMap((block) =>
    block.type === 'text' ? [textOf(block.text)] : [],
  )
  const unsaid = unsaidStructure(result, said)
  if (unsaid !== undefined) pieces.push({ text: unsaid, priority: USUAL_PRIORITY })
  return { pieces, userOnly }
}

async function blockText(block: ContentBlock, media: ResultMedia): Promise<string> {
  const placeholder = blockToText(block)
  if (block.type === 'image' || block.type === 'audio')
    return media.take({ mimeType: block.mimeType, data: block.data, placeholder })
  if (block.type !== 'resource') return placeholder
  const resource: unknown = block.resource
  if (!isJsonObject(resource)) return placeholder
  const { uri, mimeType, text, blob } = resource
  if (typeof text !== 'string') return media.take({ mimeType, data: blob, placeholder })
  const mime = typeof mimeType === 'string' ? ` mime="${attribute(mimeType)}"` : ''
  const inner = text.replace(/<(?=\/resource\b)/gi, '&lt;')
  return `<resource uri="${attribute(textOf(uri))}"${mime}>\n${inner}\n</resource>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\u2028': '&#8232;',
  '\u2029': '&#8233;',
}

/** On one line, and inside of its quotes. */
function attribute(text: string): string {
  return text.replace(/[&<"\n\r\u2028\u2029]/g, (character) => ENTITIES[character] ?? character)
}

function isForUserAlone({ annotations }: ContentBlock): boolean {
  const audience: unknown = isJsonObject(annotations) ? annotations['audience'] : undefined
  if (!Array.isArray(audience)) return false
  return audience.includes('user') && !audience.includes('assistant')
}

/** Of what says nothing of itself. */
const USUAL_PRIORITY = 0.5

function priorityOf({ annotations }: ContentBlock): number {
  const priority: unknown = isJsonObject(annotations) ? annotations['priority'] : undefined
  if (typeof priority !== 'number' || !(priority >= 0 && priority <= 1)) return USUAL_PRIORITY
  return priority
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
