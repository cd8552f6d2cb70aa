/**
 * The client against processes that break the rules of stdio, in the ways that real servers have: stray output,
 * odd line ends, bad ends, floods, answers at the wrong moment. The peers are ours, under `test/support/peers`.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { failureOf, isAlive, leaveAll, meet, textOf } from '../support/odd-peer.ts'

const TEXT = 'żółć 漢字 🦉 \uFEFF \u2028 a\r\nb'

afterEach(leaveAll)

describe.each([
  ['puts prose and other JSON between its messages', 'banner', 'STDIO-21'],
  ['puts a byte order mark before each line', 'marked', 'STDIO-20'],
  ['ends lines as Windows does and sends empty ones', 'blank', 'STDIO-20'],
  ['writes byte by byte', 'crumbs', 'STDIO-20'],
  ['sends errors that belong to no request', 'nobody', 'RPC-08'],
])('a server that %s', (_, way) => {
  it('is understood, to the last character [STDIO-20, STDIO-21]', async () => {
    const { client } = await meet('lines', way)
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['speak'])
    expect(textOf(await client.callTool('speak'))).toBe(TEXT)
  })
})

it('remarks every line that is no message, and none that is', async () => {
  const { client, notes } = await meet('lines', 'banner', { era: 'legacy' })
  await client.callTool('speak')
  await client.callTool('speak')
  const stray = notes.filter(({ kind }) => kind === 'stray').map(({ text }) => text)
  // What came ahead of the last answer has surely been seen; three lines follow each answer as well.
  expect(stray.slice(0, 17)).toEqual([
    '*** starting ***',
    '{"ready":true}',
    ...[1, 2].flatMap((id) => [
      `INFO about to answer {"${id}"`,
      '[1,2]',
      '"text"',
      '17',
      'null',
      '{"event":"answered"}',
    ]),
    'INFO about to answer {"3"',
    '[1,2]',
    '"text"',
  ])
})

it('settles no request by an error without an id, and remarks it [RPC-08]', async () => {
  const { client, notes } = await meet('lines', 'nobody', { era: 'legacy' })
  await client.callTool('speak')
  const codes = notes
    .filter(({ kind }) => kind === 'error-without-id')
    .map(({ data }) => data?.['code'])
  expect(codes).toEqual([-32700, -32603, -32700, -32603])
})

describe('a server that ends badly', () => {
  it('fails the connection at once with its exit code and last words', async () => {
    const error = await failureOf(meet('ends', 'early'))
    expect(error).toMatchObject({
      code: 'DP_TRANSPORT_EXIT',
      exitCode: 78,
      stderr: expect.stringContaining('set PEER_KEY'),
    })
  })

  it('fails every call that was under way with the exit code, and every later one', async () => {
    const { client } = await meet('ends', 'crash')
    const errors = await Promise.all(
      ['wait', 'wait', 'crash'].map((name) => failureOf(client.callTool(name))),
    )
    for (const error of errors)
      expect(error).toMatchObject({ code: 'DP_TRANSPORT_EXIT', exitCode: 9, sent: 'yes' })
    expect(await failureOf(client.callTool('wait'))).toMatchObject({ exitCode: 9, sent: 'no' })
  })

  it('has its last answer heard although the line has no end', async () => {
    const { client } = await meet('ends', 'half')
    expect(textOf(await client.callTool('last'))).toBe('that was all')
  })

  it('fails a call whose answer was cut off by the exit', async () => {
    const { client } = await meet('ends', 'cut')
    expect(await failureOf(client.callTool('last'))).toMatchObject({
      code: 'DP_TRANSPORT_EXIT',
      exitCode: 0,
    })
  })

  it('fails what waits when it closes its output and goes on living', async () => {
    const { client } = await meet('ends', 'mute')
    expect(await failureOf(client.callTool('mute'))).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
  })
})

describe.each([
  ['is deaf to the end of input and to signals', 'deaf'],
  ['hides behind a launcher that dies first', 'shell'],
])('a server that %s', (_, way) => {
  it('is ended by force, and nothing of it is left [STDIO-08, STDIO-09]', async () => {
    const { client, notes } = await meet('ends', way, { stdio: { stopEofMs: 50, stopTermMs: 50 } })
    const pids = JSON.parse(textOf(await client.callTool('pids'))) as number[]
    const ours = pids.filter((pid) => pid !== process.pid)
    expect(ours.length).toBe(way === 'shell' ? 2 : 1)
    await client.close()
    expect(ours.filter(isAlive)).toEqual([])
    // Once the first process of the group has gone, nothing more is remarked on its wire.
    const steps = notes.filter(({ kind }) => kind === 'stop').map(({ data }) => data?.['step'])
    expect(steps.slice(0, 1)).toEqual(['SIGTERM'])
  })
})

describe('a server that floods', () => {
  it('is read on stderr all the time, so that it can answer [STDIO-06]', async () => {
    const { client } = await meet('floods', 'stderr')
    for (let call = 0; call < 3; call += 1)
      expect(textOf(await client.callTool('quiet'))).toBe('heard')
  })

  it('has an answer of 16 MiB heard whole', async () => {
    const { client } = await meet('floods', 'line')
    expect(textOf(await client.callTool('long'))).toBe('abcdefgh'.repeat(2 << 20))
  })

  it('loses only the call whose answer is longer than allowed', async () => {
    const { client } = await meet('floods', 'stubborn', { maxMessageBytes: 1 << 20 })
    const huge = failureOf(client.callTool('huge'))
    const small = client.callTool('small')
    expect(await huge).toMatchObject({ code: 'DP_TRANSPORT_TOO_LARGE', sent: 'yes' })
    expect(textOf(await small)).toBe('fits')
  })

  it('cannot fill the memory with a line that has no end', async () => {
    const { client } = await meet('floods', 'endless', { maxMessageBytes: 1 << 20 })
    const before = process.memoryUsage().arrayBuffers
    expect(await failureOf(client.callTool('start', {}, { timeoutMs: 700 }))).toMatchObject({
      code: 'DP_TIMEOUT',
    })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20)
    await client.close()
  })

  it('has every one of its progress reports heard, in order, before the answer [PROG-02]', async () => {
    const { client } = await meet('floods', 'progress')
    const heard: number[] = []
    const onProgress = ({ progress }: { progress: number }): void => void heard.push(progress)
    await client.callTool('report', { times: 20_000 }, { onProgress })
    expect(heard).toEqual(Array.from({ length: 20_000 }, (_, at) => at + 1))
  })
})

describe('a server that answers at the wrong moment', () => {
  it('is told of a timeout once, and its late answer goes to nobody [CANC-04, LIFE-18]', async () => {
    const { client, notes } = await meet('timing', 'held')
    const slow = failureOf(client.callTool('slow', {}, { timeoutMs: 100 }))
    expect(await slow).toMatchObject({ code: 'DP_TIMEOUT', timer: 'idle', setBy: 'call' })
    expect(textOf(await client.callTool('quick'))).toBe('quick')
    expect(textOf(await client.callTool('count'))).toBe('1')
    expect(notes.filter(({ kind }) => kind === 'late')).toHaveLength(1)
  })

  it('is understood when it answers in reverse order, twice, and unasked [RPC-06, RPC-29]', async () => {
    const { client, notes } = await meet('timing', 'backwards')
    const called = ['one', 'two', 'three', 'four']
    const results = await Promise.all(
      called.map((word) => client.callTool('hold', { word, of: called.length })),
    )
    expect(results.map(textOf)).toEqual(called)
    expect(textOf(await client.callTool('hold', { word: 'after', of: 1 }))).toBe('after')
    const kinds = notes.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'unknown-id').length).toBeGreaterThanOrEqual(9)
    expect(kinds.filter((kind) => kind === 'duplicate').length).toBeGreaterThanOrEqual(4)
  })

  it('keeps a call alive by its reports, beyond the limit of silence [LIFE-20]', async () => {
    const { client } = await meet('timing', 'reports')
    const options = { timeoutMs: 2000, resetOnProgress: true }
    expect(textOf(await client.callTool('long', { everyMs: 250, times: 10 }, options))).toBe('done')
  })

  it('does not keep a call alive beyond its total limit [LIFE-20]', async () => {
    const { client } = await meet('timing', 'reports')
    const call = client.callTool('long', { everyMs: 50, times: 10_000 }, { totalTimeoutMs: 300 })
    expect(await failureOf(call)).toMatchObject({ code: 'DP_TIMEOUT', timer: 'total' })
  })

  it('costs no more than the probe when it is silent until the handshake [VERS-26]', async () => {
    const { client } = await meet('timing', 'silent', { timeouts: { probeMs: 100 } })
    expect(client.server.era).toBe('legacy')
    expect(textOf(await client.callTool('here'))).toBe('here')
  })
})
