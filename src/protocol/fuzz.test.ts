import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError, RpcRefusal } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { readImplementation, readServerCapabilities, readServerFacts } from './decode.ts'
import type { ServerIdentity } from './dialect.ts'
import { DIALECTS } from './dialects/index.ts'
import { readProbe } from './probe.ts'
import { LEGACY_REVISIONS, MODERN_REVISIONS } from './revision.ts'

const seed = 20_261_201
const runs = { seed, numRuns: 300 }
console.log(`seed of the random peers: ${seed}`)

/** Objects that know our words, so that they get past the first check, and put anything behind them. */
const words = [
  'content',
  'tools',
  'messages',
  'contents',
  'completion',
  'values',
  'task',
  'type',
  'text',
  'name',
  'uri',
  'inputSchema',
  'properties',
  'outputSchema',
  'structuredContent',
  'annotations',
  'resource',
  'resultType',
  'inputRequests',
  'requestState',
  'method',
  'params',
  '_meta',
  'nextCursor',
  'capabilities',
  'extensions',
  'supportedVersions',
  'serverInfo',
  '__proto__',
  'toJSON',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/logLevel',
]
const key = fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 4 }))
const leaf = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    '',
    'object',
    'text',
    'audio',
    'input_required',
    'complete',
    'roots/list',
    '2026-07-28',
  ),
  fc.string({ maxLength: 8 }),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
}))
/** JSON as it comes out of the parser: `__proto__` is an own member there. */
const anyObject = fc
  .dictionary(key, value, { maxKeys: 6 })
  .map((object): JsonObject => JSON.parse(JSON.stringify(object)))
const method = fc.constantFrom(
  'tools/call',
  'tools/list',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'sampling/createMessage',
  'roots/list',
)
const self: ServerIdentity = {
  info: { name: 's', version: '1' },
  capabilities: {},
  revisions: [],
  ttlMs: 0,
  cacheScope: 'private',
}

/** Runs it and tells what was thrown, if that was of another class than allowed. */
function stray(allowed: typeof ProtocolError | typeof RpcRefusal, run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error instanceof allowed ? undefined : error
  }
  return undefined
}

describe.each(DIALECTS)('$revision', (dialect) => {
  it('reads any result, or says that the peer broke a rule', () => {
    fc.assert(
      fc.property(method, anyObject, (name, raw) => {
        expect(stray(ProtocolError, () => dialect.decodeResult(name, raw))).toBeUndefined()
      }),
      runs,
    )
  })

  it('passes any result on that it could read, as a gateway does', () => {
    fc.assert(
      fc.property(method, anyObject, (name, raw) => {
        const pass = (): void => {
          const outcome = dialect.decodeResult(name, raw)
          if (outcome.kind === 'complete')
            for (const other of DIALECTS) other.encodeResult(name, outcome, self)
        }
        expect(stray(ProtocolError, pass)).toBeUndefined()
      }),
      runs,
    )
  })

  it('reads any request, or refuses it', () => {
    fc.assert(
      fc.property(method, anyObject, (name, params) => {
        const request = { jsonrpc: '2.0', id: 1, method: name, params } as const
        expect(stray(RpcRefusal, () => dialect.decodeRequest(request))).toBeUndefined()
      }),
      runs,
    )
  })

  it('reads anything that a server says about itself', () => {
    fc.assert(
      fc.property(anyObject, (raw) => {
        readServerFacts(raw, dialect.revision)
        readServerCapabilities(raw)
        readImplementation(raw)
        readProbe(
          { kind: 'result', result: raw },
          { asked: dialect.revision, modern: MODERN_REVISIONS, legacy: LEGACY_REVISIONS },
        )
      }),
      runs,
    )
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
