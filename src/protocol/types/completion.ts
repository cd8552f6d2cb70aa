/** Suggestions for the value of a prompt argument or a template variable. */

import type { JsonObject } from '../../base/json.ts'
import type { Open } from './common.ts'

/** What the argument belongs to. // COMP-02 */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string; readonly title?: string }
  /** A URI or an RFC 6570 template. */
  | { readonly type: 'ref/resource'; readonly uri: string }

export interface CompleteParams extends Open {
  readonly ref: CompletionReference
  readonly argument: { readonly name: string; readonly value: string }
  /** Arguments that are decided already. From 2025-06-18. // COMP-03 */
  readonly context?: { readonly arguments?: { readonly [name: string]: string } }
}

/** Most values that one answer may hold. // COMP-04 */
export const MAX_COMPLETION_VALUES = 100

export interface CompleteResult extends Open {
  readonly completion: {
    /** Best first, at most `MAX_COMPLETION_VALUES`. */
    readonly values: readonly string[]
    readonly total?: number
    readonly hasMore?: boolean
  }
  readonly _meta?: JsonObject
}
