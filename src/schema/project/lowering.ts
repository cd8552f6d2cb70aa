/** What is carried along while a schema is said in the words of a dialect. Types only. */

import type { LossList } from './loss.ts'
import type { NullPaths } from './null-paths.ts'
import type { Part } from './part.ts'
import type { Rules, Subset } from './rules.ts'

/** Where in the arguments a part stands. */
export interface Spot {
  /** Names of members, `*` for items. */
  readonly path: readonly string[]
  /** In a definition that contains itself: there is no one path to it. */
  readonly isInDefs: boolean
}

export interface Lowering {
  readonly rules: Rules
  readonly subset: Subset
  readonly losses: LossList
  readonly nulls: NullPaths
  /** A part inside of another one; undefined when no value fits. */
  readonly inner: (part: Part, spot: Spot) => Part | undefined
}
