/** Requests for resources, prompts and completion with every member turned into something else: refused, and nothing breaks. */

import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { createLogger, type LogRecord } from '../../src/base/log.ts'
import { definePrompt } from '../../src/tools/prompt.ts'
import { defineResource } from '../../src/tools/resource.ts'
import { defineTemplate } from '../../src/tools/template.ts'
import { LEGACY, MODERN, pairUp } from '../support/pair.ts'

const ODD: readonly (JsonValue | undefined)[] = [
  undefined,
  null,
  0,
  -1,
  1e308,
  '',
  'x'.repeat(100_000),
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  true,
  [],
  ['x'],
  {},
  JSON.parse('{"__proto__":{"polluted":true},"toString":1}'),
]

const REQUESTS: readonly [string, JsonObject][] = [
  ['resources/list', { cursor: 'after:x' }],
  ['resources/templates/list', { cursor: 'after:x' }],
  ['prompts/list', { cursor: 'after:x' }],
  ['resources/read', { uri: 'x://1' }],
  ['prompts/get', { name: 'p', arguments: { a: 'x' } }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: 'a', value: 'x' },
      context: { arguments: { b: 'x' } },
    },
  ],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'x://{id}' }, argument: { name: 'id', value: 'x' } },
  ],
]
const SUBSCRIBING: readonly [string, JsonObject][] = [
  ['resources/subscribe', { uri: 'x://a' }],
  ['resources/unsubscribe', { uri: 'x://a' }],
]

/** The params with one member, at any depth, replaced. */
function* mutations(value: JsonValue | undefined): Generator<JsonValue | undefined> {
  yield* ODD
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const name of Object.keys(value))
    for (const changed of mutations(value[name])) yield { ...value, [name]: changed }
}

describe.each([...LEGACY, ...MODERN])('odd members at %s', (revision) => {
  const requests = MODERN.includes(revision) ? REQUESTS : [...REQUESTS, ...SUBSCRIBING]

  it.each(requests)(
    'of %s are refused, or make no difference [ERR-01, RPC-22]',
    async (method, params) => {
      const records: LogRecord[] = []
      const pair = await pairUp(revision, {
        resources: [defineResource({ uri: 'x://a', name: 'a', read: () => 'x' })],
        templates: [
          defineTemplate({
            uriTemplate: 'x://{id}',
            name: 't',
            complete: { id: () => ['1'] },
            read: () => 'x',
          }),
        ],
        prompts: [
          definePrompt({
            name: 'p',
            arguments: [{ name: 'a', complete: () => ['1'] }, { name: 'b' }],
            get: () => 'x',
          }),
        ],
        completionsPerSecond: 1e6,
        logger: createLogger((record) => void records.push(record)),
      })
      pair.unjudged()
      for (const changed of mutations(params)) {
        if (typeof changed !== 'object' || changed === null || Array.isArray(changed)) continue
        const code = await pair.client.request(method, changed).then(
          () => 0,
          (error: { rpcCode?: number }) => error.rpcCode,
        )
        expect([0, -32602, -32002], JSON.stringify(changed).slice(0, 200)).toContain(code)
      }
      expect(records).toEqual([])
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
      await pair.client.listPrompts()
    },
  )
})
