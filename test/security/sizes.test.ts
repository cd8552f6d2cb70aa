/** Messages that are too large, too slow, or without an end, over real sockets: memory and time stay bounded, others are served. */
import { describe, expect, it } from 'vitest'
import { place, type Place } from '../support/attacked.ts'
import { liveBytes } from '../support/heap.ts'
import type { RawHttp } from '../support/http/raw-http.ts'

const CAP = 256 * 1024

function begin(raw: RawHttp, { port }: Place, more: readonly string[]): void {
  raw.send([
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...more,
  ])
}

/** Settles when both ends have taken everything that was written, as far as one can tell. */
async function taken(raw: RawHttp): Promise<void> {
  while (raw.socket.writableLength > 0 && !raw.ended) await new Promise(setImmediate)
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

describe('a body', () => {
  it('of a quarter of a million chunks of one byte costs what its bytes cost (A27)', async () => {
    const at = await place({ maxBodyBytes: CAP })
    await at.ask('tools/list')
    const raw = await at.raw()
    begin(raw, at, ['Transfer-Encoding: chunked'])
    const before = liveBytes()
    const piece = '1\r\n \r\n'.repeat(8192)
    for (let sent = 0; sent + 8192 < CAP; sent += 8192) {
      raw.socket.write(piece)
      await taken(raw)
    }
    const now = liveBytes()
    expect(raw.ended).toBe(false)
    expect(now.heap - before.heap + now.buffers - before.buffers).toBeLessThan(3 * CAP)
    raw.socket.write(piece)
    raw.socket.write(piece)
    expect((await raw.reply()).status).toBe(413)
  })
})
