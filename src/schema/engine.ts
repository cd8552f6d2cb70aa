/**
 * Loads the library that interprets schemas, and the linear regular expressions, when they are first needed.
 *
 * Importing a client loads neither. This file is the only one that touches the library's globals: it adds one hidden entry
 * to its table of formats and takes nothing away, so that others in the process see the library as it was.
 */

import type { OutputUnit, Schema } from '@cfworker/json-schema'
import type { GuardedSchema } from './guard.ts'
import { addPatternEntry } from './pattern-mark.ts'
import type { Re2 } from './pattern.ts'

/** Something that the library found not to fit. Locations are JSON Pointers behind a `#`, URI-encoded. */
export type Finding = OutputUnit

/** The loaded library. */
export interface SchemaEngine {
  /** What does not fit; empty when all does. Throws what the meter throws. `all` goes on after the first fault. */
  findings(value: unknown, schema: GuardedSchema, all: boolean): readonly Finding[]
}

let engine: Promise<SchemaEngine> | undefined
let re2: Promise<Re2> | undefined

/** Loads the library, once. */
export function loadLibrary(): Promise<SchemaEngine> {
  engine ??= importEngine().catch((error: unknown) => {
    engine = undefined
    throw error
  })
  return engine
}

/** Loads the linear engine, once. */
export function loadRe2(): Promise<Re2> {
  re2 ??= import('re2js').then(
    ({ RE2JS }) => ({ compile: (pattern: string) => RE2JS.compile(pattern) }),
    (error: unknown) => {
      re2 = undefined
      throw error
    },
  )
  return re2
}

async function importEngine(): Promise<SchemaEngine> {
  const { format, validate } = await import('@cfworker/json-schema')
  addPatternEntry(format)
  return {
    findings(value, schema, all) {
      // Our nodes have the library's keywords with values of the kinds it reads; a pattern's mark becomes a key by itself.
      const root = schema.root as Schema
      const targets = schema.targets as Record<string, Schema> // likewise
      return validate(value, root, '2020-12', targets, !all).errors
    },
  }
}
