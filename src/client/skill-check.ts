/**
 * A file of a skill held against its entry: is it one of the skill's, is it as long, is it the same, does its front matter
 * say the same. Fetches nothing. Every difference is a `ProtocolError` with the code `DP_PROTOCOL_SKILL`.
 */

import { ProtocolError, UsageError } from '../base/errors.ts'
import { canonicalJson, isJsonObject, type JsonObject } from '../base/json.ts'
import { decodeBase64 } from '../formats/base64.ts'
import { readFrontMatter } from '../formats/front-matter.ts'
import {
  MAX_SKILL_BYTES,
  MAX_SKILL_FILES,
  skillDigest,
  skillRoot,
  type SkillEntry,
  type SkillFile,
} from '../protocol/extensions/skills.ts'
import { arrayMember } from './call.ts'

export interface SkillLimits {
  /** Files that a skill may have. Default 512, which every skill keeps to. // SKILL-10 */
  readonly maxFiles?: number
  /** Bytes that they may have together. Default 16 MiB. */
  readonly maxBytes?: number
  /** Whether to read from a skill that says nothing of its files beforehand. Default false. // SKILL-09 */
  readonly unverified?: boolean
}

/** Throws unless the file is what was listed; what was not listed is only held against the limit. // SKILL-14 */
export async function checkBytes(
  bytes: Uint8Array,
  { uri, listed }: { readonly uri: string; readonly listed: SkillFile | undefined },
  { maxBytes = MAX_SKILL_BYTES }: SkillLimits,
): Promise<void> {
  if (listed === undefined) {
    if (bytes.length > maxBytes) throw broken(`${uri} has ${bytes.length} bytes`, 'SKILL-10')
    return
  }
  if (bytes.length !== listed.size)
    throw broken(`${uri} has ${bytes.length} bytes in place of ${listed.size}`, 'SKILL-14')
  if ((await skillDigest(bytes)) !== listed.digest)
    throw broken(`${uri} does not have the digest of its entry`, 'SKILL-14')
}

/** The text of `SKILL.md`, whose front matter is that of the entry. // SKILL-16 */
export async function checkedText(bytes: Uint8Array, entry: SkillEntry): Promise<string> {
  const text = textOf(bytes)
  if (text === undefined) throw broken(`${entry.uri} is not UTF-8`, 'SKILL-16')
  const found = await readFrontMatter(text)
  if (found.kind !== 'read') throw broken(`${entry.uri} has no readable front matter`, 'SKILL-16')
  const [told, held] = [found.values, entry.frontmatter]
  const differs = [...new Set([...Object.keys(told), ...Object.keys(held)])].filter(
    (name) => canonicalJson(own(told, name)) !== canonicalJson(own(held, name)),
  )
  if (differs.length === 0) return text
  throw broken(
    `The front matter of ${entry.uri} is not that of its entry: ${differs.slice(0, 10).join(', ')}`,
    'SKILL-16',
  )
}

/** What the entry says of a file; undefined where it says nothing of any. */
export function listedFile(
  { uri: skill, resources }: SkillEntry,
  uri: string,
  { maxFiles = MAX_SKILL_FILES, maxBytes = MAX_SKILL_BYTES, unverified = false }: SkillLimits,
): SkillFile | undefined {
  if (resources === 'dynamic') {
    const root = skillRoot(skill)
    if (!unverified) {
      throw new UsageError(
        `${skill} says nothing of its files beforehand, so that nothing can be verified. Set "unverified" to read it all the same.`,
      )
    }
    if (root !== undefined && uri.startsWith(`${root}/`)) return undefined
    throw broken(`${uri} is no file of ${skill}`, 'SKILL-15')
  }
  const bytes = resources.reduce((sum, { size }) => sum + size, 0)
  if (resources.length > maxFiles || bytes > maxBytes) {
    throw broken(
      `${skill} has ${resources.length} files and ${bytes} bytes; allowed are ${maxFiles} and ${maxBytes}`,
      'SKILL-10',
    )
  }
  const found = resources.find((file) => file.uri === uri)
  if (found === undefined) throw broken(`${uri} is no file of ${skill}`, 'SKILL-15')
  return found
}

/** The one item that a read of a file gives, as bytes. */
export function contentOf(
  result: JsonObject,
  uri: string,
): { readonly bytes: Uint8Array; readonly mimeType: string | undefined } {
  const items = arrayMember(result, 'contents').filter(isJsonObject)
  const item = items.find((one) => one['uri'] === uri)
  const { text, blob, mimeType } = item ?? {}
  const bytes =
    typeof text === 'string'
      ? new TextEncoder().encode(text)
      : typeof blob === 'string'
        ? decodeBase64(blob)
        : undefined
  if (bytes === undefined) throw broken(`Reading ${uri} gave no content of it`, 'SKILL-14')
  return { bytes, mimeType: typeof mimeType === 'string' ? mimeType : undefined }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined // whoever asked says what is wrong
  }
}

function own(object: JsonObject, name: string): JsonObject[string] {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** An error for what is not as it should be. */
export function broken(message: string, requirement: string): ProtocolError {
  return new ProtocolError('DP_PROTOCOL_SKILL', `${message}.`, { requirement })
}
