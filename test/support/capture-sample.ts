/**
 * A small wire made by hand, for the tests and the fuzzer of this folder: every kind of event, odd text and bytes.
 */

import type { WireEvent } from '../../src/jsonrpc/wire.ts'

/** Events of two connections, the same for the same `count`. */
export function sampleEvents(count: number): WireEvent[] {
  const events: WireEvent[] = []
  const counters = new Map<string, number>()
  const add = (connection: string, rest: object): void => {
    const seq = counters.get(connection) ?? 0
    counters.set(connection, seq + 1)
    const at = events.length * 1.5
    const base = { seq, connection, transport: 'node server.mjs', at, wall: 1_700_000_000_000 + at }
    // The callers below give the members that the type asks for.
    events.push({ ...base, ...rest } as WireEvent)
  }
  add('a', { type: 'open' })
  add('b', { type: 'open' })
  for (let n = 0; events.length < count - 2; n += 1) {
    const connection = n % 7 === 0 ? 'b' : 'a'
    const text = `{"jsonrpc":"2.0","id":${n},"method":"tools/call","params":{"name":"echo","arguments":{"t":"中文 🙂 \\u0000 ${n}"}}}`
    add(connection, {
      type: 'message',
      direction: 'out',
      text,
      chain: { run: 'r1', turn: 't1', attempt: n },
    })
    const answer = `{"jsonrpc":"2.0","id":${n},"result":{"content":[{"type":"text","text":"a\\nb"}]}}`
    add(connection, { type: 'message', direction: 'in', text: answer, facts: { status: 200 } })
    if (n % 3 === 0)
      add(connection, {
        type: 'note',
        note: { kind: 'stderr', text: `line ${n}\u2028 \u001b[1m`, direction: 'in' },
      })
    if (n % 5 === 0)
      add(connection, {
        type: 'note',
        note: { kind: 'not-utf8', bytes: Uint8Array.of(0xff, 0xfe, n & 255), data: { n } },
      })
  }
  add('a', { type: 'close' })
  add('b', { type: 'close', reason: new Error('gone') })
  return events
}
