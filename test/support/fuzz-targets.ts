/** The parsers that face strangers, each as a target of the fuzzer. */

import { PilotError } from '../../src/base/errors.ts'
import { exceedsDepth, isJsonObject } from '../../src/base/json.ts'
import { entryReader } from '../../src/client/entries.ts'
import { readMessage } from '../../src/jsonrpc/message.ts'
import { identifyRemains } from '../../src/jsonrpc/oversize.ts'
import { DIALECTS } from '../../src/protocol/dialects/index.ts'
import { blockToText } from '../../src/tools/content.ts'
import type { ContentBlock } from '../../src/protocol/types/tools.ts'
import { createLineReader } from '../../src/formats/ndjson.ts'
import { captureFuzz } from './capture-fuzz.ts'
import type { FuzzTarget } from './fuzz.ts'
import { modelEvents, readEvents } from './sse-model.ts'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Messages of every kind, as lines. */
const MESSAGES: readonly object[] = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'a', version: '1' },
    },
  },
  {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: {
      name: '工具',
      arguments: { a: [1, 2, { b: null }] },
      _meta: { progressToken: 2, ...META },
    },
  },
  {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 2, progress: 0.5, total: 1, message: '🦀' },
  },
  {
    jsonrpc: '2.0',
    id: 'x',
    result: {
      tools: [
        {
          name: 't',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        },
      ],
      nextCursor: '',
    },
  },
  {
    jsonrpc: '2.0',
    id: 3,
    result: {
      content: [
        { type: 'text', text: 'é\u2028' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'odd' },
      ],
      structuredContent: null,
      isError: false,
    },
  },
  {
    jsonrpc: '2.0',
    id: 3,
    result: {
      resultType: 'input_required',
      inputRequests: { a: { method: 'roots/list' } },
      requestState: 's',
    },
  },
  {
    jsonrpc: '2.0',
    id: 4,
    error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'], requested: 'x' } },
  },
  {
    jsonrpc: '2.0',
    id: 5,
    method: 'tools/call',
    params: {
      name: 'a',
      inputResponses: { a: { action: 'accept' } },
      requestState: 's',
      _meta: META,
    },
  },
]

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const lines = (): readonly Uint8Array[] => [
  ...MESSAGES.map((message) => encode(`${JSON.stringify(message)}\n`)),
  encode(MESSAGES.map((message) => JSON.stringify(message)).join('\r\n')),
  encode(`\uFEFFbanner\n\n  \n${JSON.stringify(MESSAGES)}\n`),
]

/** Bytes to lines to messages, through the depth check. */
const frames: FuzzTarget = {
  name: 'frames',
  seeds: lines,
  run(bytes, cuts) {
    const out: string[] = []
    const reader = createLineReader({
      maxBytes: 4096,
      onText: (text) => out.push(kindOf(text)),
      onUnreadable: ({ reason, size, head, tail }) => {
        out.push(`${reason} ${size} ${String(identifyRemains(head, tail).id)}`)
      },
    })
    let from = 0
    for (const to of [...cuts, bytes.length]) {
      reader.push(bytes.slice(from, to))
      from = to
    }
    reader.end()
    return out.join('\n')
  },
}

function kindOf(text: string): string {
  const value = parse(text)
  if (value === undefined) return `stray ${text.length}`
  const reading = readMessage(value)
  return reading.kind === 'malformed' ? `malformed ${reading.reason}` : reading.kind
}

function parse(text: string): unknown {
  if (exceedsDepth(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON: the reader says so
  }
}

/** Bytes of an event stream to events, and a model beside them. */
const events: FuzzTarget = {
  name: 'events',
  seeds: () =>
    MESSAGES.flatMap((message, at) => {
      const data = JSON.stringify(message)
      return [
        encode(`event: message\nid: ${at}\ndata: ${data}\n\n: ping\n\n`),
        encode(`\uFEFFretry: 1000\r\nid: ${at}\r\ndata:\r\n\r\ndata: ${data}\r\n\r\n`),
      ]
    }),
  run(bytes, cuts) {
    const borders = [0, ...cuts, bytes.length]
    const chunks = borders.slice(1).map((to, at) => bytes.slice(borders[at] ?? 0, to))
    const heard = JSON.stringify(readEvents(chunks, 4096))
    const expected = JSON.stringify(modelEvents(bytes, 4096))
    if (heard !== expected) throw new Error(`heard ${heard} and not ${expected}`)
    return heard
  },
}

/** Messages that are messages, through every dialect: typed refusals only, and nothing that JSON cannot hold. */
const dialects: FuzzTarget = {
  name: 'dialects',
  seeds: lines,
  run(bytes) {
    const value = parse(new TextDecoder().decode(bytes))
    const reading = readMessage(value)
    const out: string[] = []
    for (const dialect of DIALECTS) {
      out.push(
        typed(() => {
          if (reading.kind === 'request')
            return Object.keys(dialect.decodeRequest(reading.message)).join()
          if (reading.kind === 'notification') return String(dialect.exchangeOf(reading.message))
          if (reading.kind !== 'result') return reading.kind
          const { result } = reading.message
          const outcome = dialect.decodeResult('tools/call', result)
          if (outcome.kind === 'task') return outcome.task.status
          if (outcome.kind !== 'complete') return `asks ${outcome.inputRequests.size}`
          const { content } = outcome.result
          if (Array.isArray(content))
            for (const block of content) blockToText(block as unknown as ContentBlock)
          return String(
            entryReader('tools/list', { note: () => undefined, mirrors: true })(
              Array.isArray(result['tools']) ? result['tools'] : [],
            ).length,
          )
        }),
      )
    }
    if (isJsonObject({}) && 'polluted' in {}) throw new Error('a prototype was changed')
    return out.join('|')
  },
}

function typed(run: () => string): string {
  try {
    return run()
  } catch (error) {
    if (error instanceof PilotError) return error.code
    throw error
  }
}

export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  frames,
  { ...events, small: 1500 },
  dialects,
  { ...captureFuzz, small: 300 },
]
