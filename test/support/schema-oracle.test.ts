/** The judge itself: it must find what is wrong, and only that. */
import { describe, expect, it } from 'vitest'
import type { WireMessageEvent } from '../../src/jsonrpc/wire.ts'
import { oracleSink, schemaOracle, schemasPresent } from './schema-oracle.ts'

const NEWEST = '2026-07-28'
const envelope =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'

function crossing(seq: number, direction: 'in' | 'out', text: string): WireMessageEvent {
  return { type: 'message', seq, connection: 'c', transport: 't', at: 0, wall: 0, direction, text }
}

describe.runIf(schemasPresent)('the schema oracle', () => {
  it('finds a modern request without an envelope', () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
    expect(schemaOracle(NEWEST).checkMessage(text, 'out').join()).toContain('_meta')
  })

  it('finds a result that lacks what its method demands', () => {
    const oracle = schemaOracle(NEWEST)
    const asked = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a",${envelope}}}`
    expect(oracle.checkMessage(asked, 'out')).toEqual([])
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}'
    expect(oracle.checkMessage(answer, 'in').join()).toContain('content')
  })

  it('finds an answer that nobody asked for, also in the other type of id', () => {
    const oracle = schemaOracle('2025-06-18')
    oracle.checkMessage('{"jsonrpc":"2.0","id":1,"method":"ping"}', 'out')
    expect(oracle.checkMessage('{"jsonrpc":"2.0","id":"1","result":{}}', 'in')).toHaveLength(1)
  })

  it('finds a block of a kind that the revision does not know', () => {
    const result = { content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] }
    expect(schemaOracle('2024-11-05').checkResult('tools/call', result)).not.toEqual([])
    expect(schemaOracle('2025-03-26').checkResult('tools/call', result)).toEqual([])
  })

  it('finds a method of another revision, and lets the methods of extensions pass', () => {
    const oracle = schemaOracle(NEWEST)
    const ping = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${envelope}}}`
    expect(oracle.checkMessage(ping, 'out').join()).toContain('has no method ping')
    const foreign = `{"jsonrpc":"2.0","id":1,"method":"com.example/x","params":{${envelope}}}`
    expect(oracle.checkMessage(foreign, 'out')).toEqual([])
  })

  it('takes fractions and null where the schema files forget them [ELIC-29]', () => {
    const oracle = schemaOracle('2025-11-25')
    const answer = { action: 'accept', content: { a: 0.5 } }
    expect(oracle.checkResult('elicitation/create', answer)).toEqual([])
    const capabilities = { experimental: { x: { a: [0.5, null] } } }
    expect(schemaOracle(NEWEST).checkDefinition('ClientCapabilities', capabilities)).toEqual([])
  })

  it('finds questions where nobody may ask, and questions without a question', () => {
    const oracle = schemaOracle(NEWEST)
    expect(oracle.checkResult('tools/list', { resultType: 'input_required' })).toHaveLength(2)
  })
})

describe.runIf(schemasPresent)('the oracle sink', () => {
  it('learns the revision from the handshake and judges what follows in it', () => {
    const oracle = oracleSink()
    const open =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}'
    const answer =
      '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}'
    oracle.sink(crossing(0, 'out', open))
    oracle.sink(crossing(1, 'in', answer))
    expect(oracle.violations).toEqual([])
    oracle.sink(
      crossing(2, 'in', '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}'),
    )
    expect(oracle.violations.join()).toContain('2024-11-05 has no method elicitation/create')
    expect(oracle.judged).toBe(3)
  })

  it('learns the revision of each request from its envelope', () => {
    const oracle = oracleSink()
    oracle.sink(
      crossing(0, 'out', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${envelope}}}`),
    )
    oracle.sink(
      crossing(1, 'in', '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}'),
    )
    expect(oracle.violations.join()).toContain('ttlMs')
  })
})
