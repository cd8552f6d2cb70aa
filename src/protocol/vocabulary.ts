/**
 * What one revision has words for, as data. A revision is its predecessor's vocabulary with a few entries changed;
 * the two eras then make a `Dialect` of it (`legacy.ts`, `modern.ts`).
 */

import type { LinkTraits } from '../jsonrpc/link.ts'
import type { MethodTable, Traits } from './dialect.ts'
import type { Revision } from './revision.ts'

/** Capability to the members of it that the revision knows; `all` where the object is open. */
export interface CapabilityWords {
  readonly [capability: string]: readonly string[] | 'all'
}

export interface Vocabulary {
  readonly revision: Revision
  readonly methods: MethodTable
  readonly link: LinkTraits
  readonly traits: Traits
  readonly clientCapabilities: CapabilityWords
  readonly serverCapabilities: CapabilityWords
  /** Members of `Implementation`. // LIFE-21 */
  readonly implementation: readonly string[]
  /** Kinds of content block in tool results and prompts. // TOOL-13 */
  readonly blocks: ReadonlySet<string>
  /** Kinds of content block in sampling. */
  readonly samplingBlocks: ReadonlySet<string>
  /** Whether the content of a sampling message may be an array. // SAMP-10 */
  readonly samplingArrays: boolean
  /** Whether structured content and its schema may be anything or must be an object. // TOOL-06, TOOL-09 */
  readonly structured: 'object' | 'any'
  /** Whether tool schemas may be any JSON Schema, or have only object-valued properties. // TOOL-05 */
  readonly toolSchemas: 'narrow' | 'open'
  /** Whether a tool may say how it relates to tasks. // TOOL-26 */
  readonly toolExecution: boolean
  /** How a form spells choices: one of `enum`/`enumNames` only, or every spelling. // ELIC-07, ELIC-08 */
  readonly choices: 'enum-names' | 'titled'
}
