/**
 * Which JSON Schema dialects are read, and which keywords each of them has.
 *
 * 2020-12 and draft-07 are what MCP meets; 2019-09, draft-06 and draft-04 are read by their own rules as well.
 * Nothing here looks at a schema beyond its `$schema`.
 */

/** Oldest first. */
export const DIALECTS = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const

export type SchemaDialect = (typeof DIALECTS)[number]

/** The dialect of a schema without `$schema`. */
export const DEFAULT_DIALECT: SchemaDialect = '2020-12' // JSON-01

const BY_URI: ReadonlyMap<string, SchemaDialect> = new Map([
  ['json-schema.org/draft-04/schema', 'draft-04'],
  ['json-schema.org/draft-06/schema', 'draft-06'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/schema', '2020-12'],
])

/** The dialect that a `$schema` names, or `undefined` when it is none of those read here. `http`, `https` and an empty fragment are all right. */
export function dialectOf(uri: string): SchemaDialect | undefined {
  return BY_URI.get(uri.replace(/^https?:\/\//, '').replace(/#$/, ''))
}

/** The first dialect that has a keyword. A keyword that is not listed asserts nothing and is left out of the copy. */
const SINCE: ReadonlyMap<string, SchemaDialect> = new Map([
  ...named('draft-04', '$ref $defs definitions type enum allOf anyOf oneOf not'),
  ...named('draft-04', 'properties patternProperties additionalProperties dependencies required'),
  ...named(
    'draft-04',
    'minProperties maxProperties items additionalItems minItems maxItems uniqueItems',
  ),
  ...named('draft-04', 'minLength maxLength pattern minimum maximum multipleOf'),
  ...named('draft-04', 'exclusiveMinimum exclusiveMaximum'),
  ...named('draft-06', 'const contains propertyNames'),
  ...named('draft-07', 'if then else'),
  ...named('2019-09', 'dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties'),
  ...named('2019-09', 'minContains maxContains $recursiveRef'),
  ...named('2020-12', 'prefixItems $dynamicRef'),
])

/**
 * Whether the dialect has the keyword. Tuples in `items` and `dependencies` are read in every dialect and `$defs` too:
 * schemas without `$schema` use old and new words side by side.
 */
export function hasKeyword(dialect: SchemaDialect, keyword: string): boolean {
  return KEYWORDS[dialect].has(keyword) // JSON-02, JSON-07
}

export function isAtLeast(dialect: SchemaDialect, other: SchemaDialect): boolean {
  return DIALECTS.indexOf(dialect) >= DIALECTS.indexOf(other)
}

const KEYWORDS: Readonly<Record<SchemaDialect, ReadonlySet<string>>> = {
  'draft-04': keywordsOf('draft-04'),
  'draft-06': keywordsOf('draft-06'),
  'draft-07': keywordsOf('draft-07'),
  '2019-09': keywordsOf('2019-09'),
  '2020-12': keywordsOf('2020-12'),
}

function keywordsOf(dialect: SchemaDialect): ReadonlySet<string> {
  const known = [...SINCE]
    .filter(([, since]) => isAtLeast(dialect, since))
    .map(([keyword]) => keyword)
  return new Set(known.filter((keyword) => keyword !== '$recursiveRef' || dialect === '2019-09'))
}

function named(dialect: SchemaDialect, keywords: string): (readonly [string, SchemaDialect])[] {
  return keywords.split(' ').map((keyword) => [keyword, dialect])
}
