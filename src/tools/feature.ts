/**
 * What tools, resources, templates and prompts have in common when they are defined: names, marks, hints, and the checks
 * that tell their author what is wrong with them.
 */

import { UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Annotations, Icon } from '../protocol/types/common.ts'
import type { CacheHint, FeatureOptions } from './context.ts'

/** The members that the words of a list share. */
export interface Described {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

/** Those members alone, checked. `what` names the feature in errors. */
export function describe(options: Described, what: string): Described {
  const { name, title, description, mimeType, annotations, icons, _meta } = options
  if (typeof name !== 'string' || name === '' || /\p{Surrogate}/u.test(name))
    throw new UsageError(`The ${what} needs a name of whole characters.`)
  if (mimeType !== undefined && !isMimeType(mimeType)) {
    throw new UsageError(
      `The ${what} has the type ${JSON.stringify(mimeType)}; a type is written as in text/plain.`,
    )
  }
  checkAnnotations(annotations, what)
  checkIcons(icons, what)
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
  }
}

/** Icons that a client may load: from `https:`, or in the text itself. // ICON-03 */
export function checkIcons(icons: readonly Icon[] | undefined, what: string): void {
  for (const { src, theme } of icons ?? []) {
    if (typeof src !== 'string' || !/^(?:https|data):/i.test(src)) {
      throw new UsageError(
        `The ${what} has an icon at ${JSON.stringify(src)}: clients load icons from https: and data: only.`,
      )
    }
    if (theme !== undefined && theme !== 'light' && theme !== 'dark')
      throw new UsageError(`The ${what} has an icon whose theme is neither "light" nor "dark".`)
  }
}

/** // RES-12 */
function checkAnnotations(annotations: Annotations | undefined, what: string): void {
  const { audience, priority, lastModified } = annotations ?? {}
  if (audience?.some((role) => role !== 'user' && role !== 'assistant') === true)
    throw new UsageError(`The audience of ${what} may hold "user" and "assistant" only.`)
  if (priority !== undefined && !(priority >= 0 && priority <= 1))
    throw new UsageError(`The priority of ${what} must lie between 0 and 1.`)
  if (lastModified !== undefined && Number.isNaN(Date.parse(lastModified)))
    throw new UsageError(`The lastModified of ${what} must be a time as 2026-07-28T12:00:00Z.`)
}

/** The hint of a feature, checked. // CACHE-01 */
export function cacheOf({ ttlMs, cacheScope }: CacheHint, what: string): CacheHint {
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs >= 0))
    throw new UsageError(`The ttlMs of ${what} must be a whole number of milliseconds, 0 or more.`)
  if (cacheScope !== undefined && cacheScope !== 'public' && cacheScope !== 'private')
    throw new UsageError(`The cacheScope of ${what} must be "public" or "private".`)
  return {
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(cacheScope === undefined ? {} : { cacheScope }),
  }
}

/** `type/subtype`, with parameters or without. */
export function isMimeType(text: string): boolean {
  return /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:;[ -~]*)?$/.test(text.trim())
}

/** Who may see a feature, to be spread into its definition. */
export function visibility(options: FeatureOptions): FeatureOptions {
  return options.visibleTo === undefined ? {} : { visibleTo: options.visibleTo.bind(options) }
}
