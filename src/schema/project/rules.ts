/**
 * What each dialect takes, as data. A dialect that reads all of JSON Schema has only a few rules about the root; the others
 * have a list of the keywords that they know.
 */

import type { SchemaDialect } from './dialect.ts'

/** How "or null" is written. */
export type NullForm = 'nullable' | 'type-list' | 'any-of'

export interface Rules {
  /** Keywords that may not stand at the root. */
  readonly notAtRoot: readonly string[]
  /** A definition that contains itself can be kept under `$defs`. */
  readonly refs: boolean
  /** Arrays have to say what their items are. */
  readonly itemsNeeded: boolean
  /** What a member may be called. */
  readonly memberName?: RegExp
  /** There where only some keywords are known; undefined where all of them are. */
  readonly subset?: Subset
}

export interface Subset {
  /** Keywords that may stand in any part, or in parts of one type. */
  readonly keywords: Readonly<Record<PlainType | 'any', ReadonlySet<string>>>
  /** For texts; undefined where all are taken. */
  readonly formats?: ReadonlySet<string>
  readonly nullForm: NullForm
  /** `type` may be a list of plain types. */
  readonly typeLists: boolean
  /** `enum` holds texts only. */
  readonly textEnums: boolean
  /** What further members of objects may be: anything, nothing that can be said, or never any. */
  readonly furtherMembers: 'schema' | 'untold' | 'never'
  /** A part may say nothing about its type. */
  readonly untyped: 'any-of' | 'type-list' | 'refused'
  /** The largest length or count that may be written. */
  readonly maxRepeats?: number
  /** Patterns that are understood. */
  readonly pattern?: (text: string) => boolean
  /** All members required and none further: what may be left out is null instead. */
  readonly closed: boolean
  /** Objects below the root need members. */
  readonly membersNeeded: boolean
  /** Each of several alternatives names a type: none is a reference, or has alternatives of its own. Default false. */
  readonly typedAlternatives?: boolean
}

export type PlainType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

const COMBINED = ['allOf', 'anyOf', 'oneOf', 'enum', 'const', 'not'] as const

const NUMBERS = 'minimum maximum'
const ALL_NUMBERS = `${NUMBERS} exclusiveMinimum exclusiveMaximum multipleOf`

function keywords(lists: Partial<Readonly<Record<PlainType | 'any', string>>>): Subset['keywords'] {
  const set = (type: PlainType | 'any'): ReadonlySet<string> =>
    new Set((lists[type] ?? '').split(' ').filter((word) => word !== ''))
  return {
    any: set('any'),
    object: set('object'),
    array: set('array'),
    string: set('string'),
    number: set('number'),
    integer: set('integer'),
    boolean: set('boolean'),
    null: set('null'),
  }
}

/** The part of OpenAPI 3.0 that Gemini declares functions in. */
const GEMINI: Subset = {
  keywords: keywords({
    any: 'type title description nullable enum default',
    object: 'required minProperties maxProperties',
    array: 'minItems maxItems',
    string: 'format pattern minLength maxLength',
    number: NUMBERS,
    integer: NUMBERS,
  }),
  formats: new Set(['date-time']),
  nullForm: 'nullable',
  typeLists: false,
  textEnums: true,
  furtherMembers: 'untold',
  untyped: 'any-of',
  closed: false,
  membersNeeded: false,
}

/** What the grammar of llama.cpp is made from. Bounds of numbers work for whole ones only. */
const LLAMACPP: Subset = {
  keywords: keywords({
    any: 'type title description enum default examples',
    object: 'required',
    array: 'minItems maxItems',
    string: 'format pattern minLength maxLength',
    integer: 'minimum maximum exclusiveMinimum exclusiveMaximum',
  }),
  formats: new Set(['date', 'time', 'date-time', 'uuid']),
  nullForm: 'any-of',
  typeLists: true,
  textEnums: false,
  furtherMembers: 'schema',
  untyped: 'type-list',
  maxRepeats: 2_000,
  pattern: isGrammarPattern,
  closed: false,
  membersNeeded: false,
}

const STRICT_OPENAI: Subset = {
  keywords: keywords({
    any: 'type title description enum',
    object: 'required',
    array: 'minItems maxItems',
    string: 'format pattern',
    number: ALL_NUMBERS,
    integer: ALL_NUMBERS,
  }),
  formats: new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ')),
  nullForm: 'type-list',
  typeLists: true,
  textEnums: false,
  furtherMembers: 'never',
  untyped: 'refused',
  pattern: (text) => !text.includes('(?'),
  closed: true,
  membersNeeded: false,
}

const STRICT_DEEPSEEK: Subset = {
  ...STRICT_OPENAI,
  keywords: keywords({
    any: 'type title description enum',
    object: 'required',
    string: 'format pattern',
    number: `${ALL_NUMBERS} default`,
    integer: `${ALL_NUMBERS} default`,
  }),
  formats: new Set(['email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
  nullForm: 'any-of',
  typeLists: false,
  membersNeeded: true,
  typedAlternatives: true,
}

const OPEN: Rules = { notAtRoot: COMBINED, refs: true, itemsNeeded: true }

const RULES: Readonly<Record<SchemaDialect, Rules>> = {
  deepseek: OPEN,
  openai: OPEN,
  anthropic: { ...OPEN, itemsNeeded: false, memberName: /^[a-zA-Z0-9_.-]{1,64}$/ },
  plain: { notAtRoot: [], refs: true, itemsNeeded: false },
  gemini: { notAtRoot: COMBINED, refs: false, itemsNeeded: true, subset: GEMINI },
  llamacpp: { notAtRoot: COMBINED, refs: false, itemsNeeded: false, subset: LLAMACPP },
}

const STRICT: Partial<Readonly<Record<SchemaDialect, Rules>>> = {
  openai: { ...OPEN, subset: STRICT_OPENAI },
  deepseek: { ...OPEN, subset: STRICT_DEEPSEEK },
}

export function rulesOf(dialect: SchemaDialect): Rules {
  return RULES[dialect]
}

/** The rules by which the provider holds the model to a schema; undefined where it has no such mode. */
export function strictRulesOf(dialect: SchemaDialect): Rules | undefined {
  return STRICT[dialect]
}

const GRAMMAR_TEXT = /^\^[^\\^$]*(?:\\[.+*?()[\]{}|/-][^\\^$]*)*\$$/

/** Patterns from which a grammar can be made: anchored at both ends, without look-around and classes by letter. */
function isGrammarPattern(text: string): boolean {
  if (text.length > 200 || text.includes('(?') || !GRAMMAR_TEXT.test(text)) return false
  // The anchors would belong to the first and the last alternative only.
  return !text.includes('|') || /^\^\([^()\\]*\)\$$/.test(text)
}
