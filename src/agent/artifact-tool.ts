/**
 * `read_artifact`: the native tool by which a model reads on in what was cut, or looks for a word in it. What it gives fits what a
 * model is shown of one result, so that it is not cut a second time.
 */

import { utf8Length } from '../capture/checksum.ts'
import { markForModel } from '../policy/shown.ts'
import { humanBytes } from '../tools/content.ts'
import { defineTool, ToolError, type ToolDefinition } from '../tools/define.ts'
import type { ArtifactPart, ArtifactStore } from './artifacts.ts'
import { DEFAULT_RESULT_LIMITS, READ_ARTIFACT, type ResultLimits } from './results.ts'

interface Wish {
  readonly id: string
  readonly offset?: number
  readonly limit?: number
  readonly find?: string
}

/** Left of the limit for the line about the part. */
const LEAD_BYTES = 256
/** Of what a part may have, so much is given without being asked for more. */
const USUAL_SHARE = 0.6
/** Bytes that are searched at once. */
const SEARCHED = 256 * 1024
const MAX_FIND = 200
/** Characters before a word that was found, at most: its line, if that begins there. */
const BEFORE_FOUND = 200

/**
 * The tool for a store, to be mounted in a host. `limits` are those of results. A store that outlives the session of its host
 * brings back what was read before: mount it with the label `untrusted-content` then.
 */
export function readArtifactTool(
  store: ArtifactStore,
  limits: Pick<ResultLimits, 'maxBytes' | 'maxLines'> = {},
): ToolDefinition {
  const { maxBytes, maxLines } = { ...DEFAULT_RESULT_LIMITS, ...limits }
  const most = Math.max(LEAD_BYTES, maxBytes - LEAD_BYTES)
  const usual = Math.floor(most * USUAL_SHARE)
  return defineTool<Wish>({
    name: READ_ARTIFACT,
    description:
      'Reads a part of an artifact: the full text of a tool result that was too long to be shown. The note at the end of such a result has the id and the offset to go on with.',
    input: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'The id from the note, as a1.' },
        offset: { type: 'integer', minimum: 0, description: 'First byte. Default 0.' },
        limit: {
          type: 'integer',
          minimum: 1,
          description: `Most bytes, up to ${most}. Default ${usual}.`,
        },
        find: {
          type: 'string',
          // Lengths would keep a provider from strict tools: they are checked below.
          description: `Begin at the first line from offset on that has exactly this text, of up to ${MAX_FIND} characters.`,
        },
      },
      required: ['id'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    async run({ id, offset = 0, limit = usual, find }, { signal }) {
      if (find === '' || (find !== undefined && find.length > MAX_FIND))
        throw new ToolError(`"find" takes 1 to ${MAX_FIND} characters.`)
      const start = find === undefined ? offset : await found(store, { id, offset, find }, signal)
      if (start === undefined) return `[artifact ${id} has no such text from byte ${offset} on]`
      const part = await fittingPart(store, id, {
        offset: start,
        limit: Math.min(limit, most),
        most,
        maxLines: maxLines - 1,
      })
      return `${leadOf(id, part)}\n${part.text}`
    },
  })
}

function leadOf(id: string, { offset, end, bytes, next }: ArtifactPart): string {
  const about = `artifact ${id}, bytes ${offset} to ${end} of ${bytes}`
  return next === undefined
    ? `[${about}: its end]`
    : `[${about}; read on with ${JSON.stringify({ id, offset: next })}]`
}

/** A part that is no larger than it may be when what hides in it has been marked. */
async function fittingPart(
  store: ArtifactStore,
  id: string,
  wish: { offset: number; limit: number; most: number; maxLines: number },
): Promise<ArtifactPart> {
  for (let { limit } = wish; ; limit = Math.floor(limit / 2)) {
    const part = withinLines(
      await textPart(store, id, { offset: wish.offset, limit }),
      wish.maxLines,
    )
    if (limit <= 8 || utf8Length(markForModel(part.text)) <= wish.most) return part
  }
}

function withinLines(part: ArtifactPart, maxLines: number): ArtifactPart {
  let end = -1
  for (let lines = 0; lines < maxLines; lines += 1) {
    end = part.text.indexOf('\n', end + 1)
    if (end < 0) return part
  }
  const text = part.text.slice(0, end + 1)
  const next = part.offset + utf8Length(text)
  return next < part.bytes ? { ...part, text, end: next, next } : part
}

/** Where the line begins that has the text; undefined where there is none. */
async function found(
  store: ArtifactStore,
  { id, offset, find }: { readonly id: string; readonly offset: number; readonly find: string },
  signal: AbortSignal,
): Promise<number | undefined> {
  const overlap = utf8Length(find) - 1
  let from = offset
  for (;;) {
    signal.throwIfAborted()
    const part = await textPart(store, id, { offset: from, limit: SEARCHED })
    const at = part.text.indexOf(find)
    if (at >= 0) return part.offset + utf8Length(part.text.slice(0, lineStart(part, at)))
    if (part.next === undefined) return undefined
    from = Math.max(from + 1, part.end - overlap)
  }
}

/** Where the line begins that `at` lies in, where that is near and in sight. */
function lineStart({ text, offset }: ArtifactPart, at: number): number {
  const line = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
  const isSeen = line > 0 || offset === 0
  return isSeen && at - line <= BEFORE_FOUND ? line : at
}

async function textPart(
  store: ArtifactStore,
  id: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ArtifactPart> {
  const part = await store.read(id, offset, limit)
  if (part === undefined) {
    const named = JSON.stringify(id.slice(0, 40))
    throw new ToolError(
      `There is no artifact ${named}. The ids stand in the notes of results that were cut, as a1; when there are too many, the oldest are dropped.`,
    )
  }
  if (part.isText) return part
  throw new ToolError(
    `Artifact ${id} is no text but ${part.mimeType.slice(0, 100)} of ${humanBytes(part.bytes)}, which cannot be read with this tool.`,
  )
}
