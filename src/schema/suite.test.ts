/**
 * The public JSON Schema test suite, required tests, 2020-12 and draft-07 (and, for information, the dialects between).
 *
 * The suite is in no package of ours: name its checkout in JSON_SCHEMA_TEST_SUITE or put it beside the repository, as
 * `json-schema-test-suite`. Without it one line is printed and nothing is tested. What fails is listed below; the list may only shrink.
 */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileSchema } from './check.ts'
import type { SchemaDialect } from './dialect.ts'

interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly {
    readonly description: string
    readonly data: unknown
    readonly valid: boolean
  }[]
}

interface Tally {
  total: number
  passed: number
  /** Answered the other way round. */
  readonly wrong: string[]
  /** Not checkable, or not to an end. */
  readonly refused: string[]
}

const root = new URL('../../', import.meta.url).pathname
const suite = [
  process.env['JSON_SCHEMA_TEST_SUITE'] ?? '',
  join(root, '../json-schema-test-suite'),
  join(root, '../shared/json-schema-test-suite'),
].find((place) => place !== '' && existsSync(join(place, 'tests/draft2020-12')))

if (suite === undefined)
  process.stdout.write('JSON Schema test suite not found, its tests are skipped\n')

/** Documents that the suite expects to be known: its remotes, and the meta-schemas. */
function documentsOf(place: string): Record<string, unknown> {
  const documents: Record<string, unknown> = {}
  for (const file of readdirSync(join(place, 'remotes'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json')) continue
    const path = relative(place, join(place, file)).split(sep).join('/')
    documents[`http://localhost:1234/${path}`] = read(join(place, 'remotes', file))
  }
  const require = createRequire(import.meta.url)
  const metas = [
    'schema',
    ...['core', 'applicator', 'unevaluated', 'validation', 'meta-data'].map(
      (name) => `meta/${name}`,
    ),
  ]
  for (const name of [...metas, 'meta/format-annotation', 'meta/content']) {
    documents[`https://json-schema.org/draft/2020-12/${name}`] = require(
      `ajv/dist/refs/json-schema-2020-12/${name}.json`,
    ) as unknown
  }
  documents['http://json-schema.org/draft-07/schema'] =
    require('ajv/dist/refs/json-schema-draft-07.json') as unknown
  return documents
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function tallyOf(
  place: string,
  folder: string,
  ...[dialect, documents, only]: [SchemaDialect, Record<string, unknown>, (readonly string[])?]
): Promise<Tally> {
  const tally: Tally = { total: 0, passed: 0, wrong: [], refused: [] }
  for (const file of readdirSync(join(place, 'tests', folder)).filter(
    (name) => name.endsWith('.json') && (only?.includes(name.slice(0, -5)) ?? true),
  )) {
    for (const group of read(join(place, 'tests', folder, file)) as readonly Group[]) {
      const schema = await compileSchema(group.schema, { dialect, documents })
      for (const { data, description, valid } of group.tests) {
        const verdict = schema.kind === 'checkable' ? schema.check(data).valid : 'unknown'
        const title = `${file.slice(0, -5)}: ${group.description}: ${description}`
        tally.total += 1
        if (verdict === valid) tally.passed += 1
        else if (verdict === 'unknown') tally.refused.push(title)
        else tally.wrong.push(title)
      }
    }
  }
  return tally
}

const NO_VALIDATION =
  'vocabulary: schema that uses custom metaschema with with no validation vocabulary'
const VOCABULARIES = [
  `${NO_VALIDATION}: applicator vocabulary still works`,
  `${NO_VALIDATION}: no validation: valid number`,
  `${NO_VALIDATION}: no validation: invalid number, but it still validates`,
  'vocabulary: ignore unrecognized optional vocabulary: string value',
  'vocabulary: ignore unrecognized optional vocabulary: number value',
]
const META_SCHEMA = [
  'definition against metaschema: valid definition schema',
  'definition against metaschema: invalid definition schema',
]
const REMOTE_META = [
  'ref: remote ref, containing refs itself: remote ref valid',
  'ref: remote ref, containing refs itself: remote ref invalid',
]

/** What is refused, by folder: dialects made up by their schemas, and meta-schemas that nobody supplied. Nothing is answered wrongly. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'draft2020-12': VOCABULARIES,
  draft7: [],
  'draft2019-09': [
    ...META_SCHEMA.map((title) => `defs: validate ${title}`),
    ...REMOTE_META,
    ...VOCABULARIES,
  ],
  draft6: [...META_SCHEMA.map((title) => `definitions: validate ${title}`), ...REMOTE_META],
  draft4: [...META_SCHEMA.map((title) => `definitions: validate ${title}`), ...REMOTE_META],
}

describe.skipIf(suite === undefined)('the public test suite', () => {
  test.each([
    ['draft2020-12', '2020-12'],
    ['draft7', 'draft-07'],
    ['draft2019-09', '2019-09'],
    ['draft6', 'draft-06'],
    ['draft4', 'draft-04'],
  ] as const)(
    'answers no required test of %s wrongly, and refuses those that are listed [JSON-02]',
    async (folder, dialect) => {
      const tally = await tallyOf(suite ?? '', folder, dialect, documentsOf(suite ?? ''))
      process.stdout.write(`${folder}: ${String(tally.passed)} of ${String(tally.total)}\n`)
      expect(tally.wrong).toEqual([])
      expect(tally.refused).toEqual(REFUSED[folder])
    },
  )

  test.each([
    ['draft2020-12', '2020-12'],
    ['draft7', 'draft-07'],
  ] as const)(
    'answers no required test of %s wrongly when nothing outside of the schema is known [JSON-04]',
    async (folder, dialect) => {
      const tally = await tallyOf(suite ?? '', folder, dialect, {})
      process.stdout.write(
        `${folder}, nothing supplied: ${String(tally.passed)} of ${String(tally.total)}\n`,
      )
      expect(tally.wrong).toEqual([])
    },
  )

  test.each([
    [
      'draft2020-12/optional',
      '2020-12',
      ['ecmascript-regex', 'non-bmp-regex', 'dynamicRef', 'anchor', 'cross-draft', 'no-schema'],
    ],
    [
      'draft7/optional',
      'draft-07',
      ['ecmascript-regex', 'non-bmp-regex', 'cross-draft', 'unknownKeyword'],
    ],
  ] as const)(
    'answers no optional test of %s about patterns and references wrongly',
    async (folder, dialect, files) => {
      const tally = await tallyOf(suite ?? '', folder, dialect, documentsOf(suite ?? ''), files)
      process.stdout.write(`${folder}: ${String(tally.passed)} of ${String(tally.total)}\n`)
      expect(tally.wrong).toEqual([])
    },
  )
})
