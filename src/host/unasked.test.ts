import { expect, it } from 'vitest'
import { fakeClock, type FakeClock } from '../../test/support/fake-clock.ts'
import type { LinkPort, TextReading, Transport } from '../jsonrpc/link.ts'
import { countUnasked } from './unasked.ts'

interface Scene {
  readonly port: LinkPort
  readonly counts: { stray: number; requests: number }
  readonly clock: FakeClock
  readonly passed: (string | TextReading | undefined)[]
}

/** A link that was opened through the counter, with what it counted and what it let through. */
async function opened(): Promise<Scene> {
  const counts = { stray: 0, requests: 0 }
  const passed: Scene['passed'] = []
  let port: LinkPort | undefined
  const transport: Transport = {
    name: 'peer',
    open(given) {
      port = given
      const sent = { sent: 'yes' } as const
      return Promise.resolve({
        backlogMessages: 0,
        backlogBytes: 0,
        write: () => sent,
        drained: () => Promise.resolve(),
        close: () => Promise.resolve(),
      })
    },
  }
  const clock = fakeClock()
  const ears = {
    clock,
    onStray: (bytes: number) => void (counts.stray += bytes),
    onRequest: () => void (counts.requests += 1),
  }
  await countUnasked(transport, ears).open({
    maxMessageBytes: 17,
    text: (text, _facts, reading) => void passed.push(text, reading),
    unreadable: ({ size }) => void passed.push(String(size)),
    failed: (id) => void passed.push(String(id)),
    note: ({ kind }) => void passed.push(kind),
    closed: (reason) => void passed.push(reason?.message),
  })
  if (port === undefined) throw new Error('nothing was opened')
  return { port, counts, passed, clock }
}

it('counts text that is no message, by its length', async () => {
  const { port, counts } = await opened()
  void port.text('INFO hello')
  void port.text('{"level":"info"}')
  void port.unreadable({
    reason: 'not-utf8',
    size: 9,
    head: new Uint8Array(9),
    tail: new Uint8Array(),
  })
  expect(counts).toEqual({ stray: 11 + 17 + 10, requests: 0 })
})

it('counts requests, and neither notices nor answers nor batches', async () => {
  const { port, counts } = await opened()
  void port.text('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  void port.text('{"jsonrpc":"2.0","method":"notifications/message"}')
  void port.text('{"jsonrpc":"2.0","id":1,"result":{}}')
  void port.text('[{"jsonrpc":"2.0","id":1,"result":{}}]')
  expect(counts).toEqual({ stray: 0, requests: 1 })
})

it('lets everything through, read once', async () => {
  const { port, passed } = await opened()
  expect(port.maxMessageBytes).toBe(17)
  void port.text('{"jsonrpc":"2.0","id":1,"result":{}}')
  void port.unreadable({
    reason: 'too-large',
    size: 99,
    head: new Uint8Array(),
    tail: new Uint8Array(),
  })
  port.failed(3, new Error('x'))
  port.note({ kind: 'spawn' })
  port.closed(new Error('gone'))
  const reading = expect.objectContaining({ kind: 'result' }) as unknown
  expect(passed).toEqual([
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    reading,
    '99',
    '3',
    'spawn',
    'gone',
  ])
})

it.each([
  ['notices', '{"jsonrpc":"2.0","method":"notifications/message"}', 400],
  ['requests', '{"jsonrpc":"2.0","id":1,"method":"ping"}', 400],
  ['text that is no message', 'x'.repeat(128 * 1024 - 1), 1],
])(
  'holds its source up when too many %s come at once, until the next span',
  async (_, text, most) => {
    const { port, clock } = await opened()
    for (let count = 0; count < most; count += 1) expect(port.text(text)).toBeUndefined()
    const [full, fuller] = [port.text(text), port.text(text)]
    expect(full).toBeInstanceOf(Promise)
    expect(fuller).toBe(full)
    await clock.advance(100)
    await full
    expect(clock.pending).toBe(0)
    expect(port.text(text)).toBeUndefined()
  },
)

it('holds its source up for bytes that are no text as well', async () => {
  const { port, clock } = await opened()
  const piece = {
    reason: 'not-utf8',
    size: 200_000,
    head: new Uint8Array(),
    tail: new Uint8Array(),
  } as const
  const full = port.unreadable(piece)
  expect(full).toBeInstanceOf(Promise)
  await clock.advance(100)
  await full
})

it('never waits for answers, however many there are', async () => {
  const { port } = await opened()
  const answer = '{"jsonrpc":"2.0","id":1,"result":{}}'
  for (let count = 0; count < 5000; count += 1) expect(port.text(answer)).toBeUndefined()
})
