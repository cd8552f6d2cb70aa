import { afterEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { isAlive, PEER, recordingPort, untilGone } from '../../../test/support/stdio/port.ts'
import { sessions } from '../../../test/support/stdio/start.ts'
import { systemProcesses, type PipedProcess, type ProcessPort } from './process-group.ts'
import { stdio } from './stdio-client.ts'
import type { StdioOptions } from './stdio-options.ts'

/** Signals, groups of processes and folders as tests need them are those of POSIX. */
const posix = process.platform !== 'win32'

const { start, closeAll } = sessions()
afterEach(closeAll)

describe('lines', () => {
  it('go to the process and come back in order [STDIO-01, STDIO-07]', async () => {
    const { link, port } = await start('echo')
    for (let line = 0; line < 100; line += 1) link.write({ text: `{"line":${line}}` })
    const expected = Array.from({ length: 100 }, (_, line) => `{"line":${line}}`)
    while (port.texts.length < 100) await port.next()
    expect(port.texts).toEqual(expected)
  })

  it('of 16 MiB arrive whole, in whatever pieces', async () => {
    const { link, port } = await start('big')
    link.write({ text: 'go' })
    expect(await port.next()).toBe('0123456789abcdef'.repeat(1 << 20))
  })

  it('of 8 MiB leave whole', async () => {
    const { link, port } = await start('echo')
    const text = `é${'0123456789abcdef'.repeat(1 << 19)}🦀`
    const receipt = link.write({ text })
    expect(link.backlogBytes).toBe(text.length + 1)
    await link.drained()
    expect(receipt.sent).toBe('yes')
    expect(await port.next()).toBe(text)
  })

  it('that are bad or too long cost themselves only [STDIO-20]', async () => {
    const { link, port } = await start('bad-bytes', {}, recordingPort({ maxMessageBytes: 1000 }))
    link.write({ text: 'go' })
    expect([await port.next(), await port.next()]).toEqual(['a', 'b'])
    expect(port.pieces.map(({ reason, size }) => [reason, size])).toEqual([
      ['not-utf8', 1],
      ['too-large', 5000],
    ])
  })

  it('are not read while the reader is full, and all come later', async () => {
    const children: PipedProcess[] = []
    const processes: ProcessPort = {
      ...systemProcesses,
      start(file, args, options) {
        const child = systemProcesses.start(file, args, options)
        children.push(child)
        return child
      },
    }
    let release: () => void = () => {}
    const full = new Promise<void>((resolve) => (release = resolve))
    const port = recordingPort({ onText: () => (port.texts.length < 5000 ? undefined : full) })
    const { link } = await start('echo', { processes }, port)
    const line = 'x'.repeat(1000)
    for (let turn = 0; turn < 20_000; turn += 1) link.write({ text: line })
    while (port.texts.length < 5000) await port.next()
    expect(children[0]?.stdout.isPaused()).toBe(true)
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    // No more than the chunk that was at hand, which has at most 64 KiB.
    expect(port.texts.length).toBeLessThanOrEqual(5066)
    release()
    while (port.texts.length < 20_000) await port.next()
    expect(link.backlogMessages).toBe(0)
  })
})

describe('the process', () => {
  it('gets nothing on its input but the lines that were written [STDIO-04]', async () => {
    const { link, port } = await start('echo', { stopEofMs: 60_000 })
    link.write({ text: '{"a":1}' })
    link.write({ text: '{"b":2}' })
    await link.close()
    expect(port.texts).toEqual(['{"a":1}', '{"b":2}'])
  })

  it('sees the few harmless variables and the credentials of its entry, and no other [STDIO-17]', async () => {
    process.env['AWS_SECRET_ACCESS_KEY'] = 'canary'
    try {
      const { port } = await start('environment', { env: { OWN: 'given' } })
      const text = await port.next()
      const env: Record<string, string> = JSON.parse(text)
      expect(text).not.toContain('canary')
      expect(env['OWN']).toBe('given')
      expect(env['PATH']).toBe(process.env['PATH'])
    } finally {
      delete process.env['AWS_SECRET_ACCESS_KEY']
    }
  })

  it.runIf(posix)('gets its arguments as they are, and its folder', async () => {
    const words = ['$(id)', '`id`', '; id', '"', '%PATH%', '', '--x']
    const { port } = await start(['place', ...words], { cwd: '/' })
    expect(JSON.parse(await port.next())).toEqual({ cwd: '/', argv: words })
  })

  it('may flood stderr with 16 MiB and answers all the same [STDIO-06]', async () => {
    let bytes = 0
    const onStderr = (chunk: Uint8Array): void => void (bytes += chunk.length)
    const { link, port } = await start('flood', { onStderr })
    link.write({ text: 'still here' })
    expect(await port.next()).toBe('still here')
    await link.close()
    expect(bytes).toBe(16 << 20)
    expect(port.notes.filter(({ kind }) => kind === 'stderr')).toHaveLength(16 * 1024)
  })

  it('waits with its flood of stderr while who hears it is full', async () => {
    let bytes = 0
    let more = (): void => undefined
    const full = new Promise<void>((resolve) => (more = resolve))
    const onStderr = (chunk: Uint8Array): Promise<void> => {
      bytes += chunk.length
      return full
    }
    const { link, port } = await start('flood', { onStderr })
    link.write({ text: 'still here' })
    // Another process starts and answers meanwhile, which is time enough for all of it.
    const other = await start('flood')
    other.link.write({ text: 'x' })
    await other.port.next()
    expect(bytes).toBeLessThan(1 << 20)
    expect(port.texts).toEqual([])
    more()
    expect(await port.next()).toBe('still here')
    expect(bytes).toBeGreaterThan(15 << 20)
  })

  it('has its stderr noted line by line, odd bytes and long lines too [STDIO-05]', async () => {
    const { link, port } = await start('odd-errors')
    link.write({ text: 'x' })
    await port.next()
    await link.close()
    const notes = port.notes.filter(({ kind }) => kind === 'stderr')
    expect(notes.map(({ text, data }) => [text?.length, data])).toEqual([
      [2, { size: 2, cut: false }],
      [16 * 1024, { size: 100_000, cut: true }],
      ['prompt: '.length, undefined],
    ])
    expect(notes[0]?.bytes).toEqual(Uint8Array.of(0x61, 0xff))
  })
})

describe.runIf(posix)('the end of the process', () => {
  it('at the first message is told with code and last words, harmless to a terminal', async () => {
    const { link, port } = await start('refuse')
    link.write({ text: 'hello' })
    expect(await port.ended).toMatchObject({
      code: 'DP_TRANSPORT_EXIT',
      server: 'peer',
      exitCode: 3,
      signal: undefined,
      stderr: 'loading\nfatal: \u001b[31mDEMO_KEY is not set\n',
      message:
        'The server "peer" ended with exit code 3. Its last words on stderr: fatal: \uFFFD[31mDEMO_KEY is not set',
    })
    expect(port.notes.at(-1)).toEqual({ kind: 'exit', data: { exitCode: 3, signal: undefined } })
  })

  it('by a signal is told by its name', async () => {
    const { link, port } = await start('crash')
    link.write({ text: 'boom' })
    expect(await port.ended).toMatchObject({
      code: 'DP_TRANSPORT_EXIT',
      exitCode: undefined,
      signal: 'SIGKILL',
    })
    expect(link.write({ text: 'late' }).sent).toBe('no')
  })

  it('comes after everything it wrote, a last line without newline too [STDIO-11]', async () => {
    const { link, port } = await start('unfinished')
    link.write({ text: 'go' })
    await port.ended
    expect(port.texts).toEqual(['whole', 'last words'])
  })

  it('comes after what still was in the pipe, even to a reader that is full', async () => {
    const port = recordingPort({ onText: () => new Promise(() => {}) })
    const { link } = await start('talkative', {}, port)
    link.write({ text: 'go' })
    await port.next()
    link.write({ text: 'go on' })
    expect(await port.ended).toMatchObject({ exitCode: 0 })
    expect(port.texts).toHaveLength(151)
  })

  it('is told once, whatever comes after it', async () => {
    const { link, port } = await start(['leave', '0'])
    await port.ended
    await link.close()
    await link.close()
    expect(port.ends).toHaveLength(1)
    expect(port.notes.map(({ kind }) => kind)).toEqual(['spawn', 'exit'])
  })

  it('does not wait for a stranger who holds the pipes', async () => {
    const { port } = await start('holder')
    const pid = Number(await port.next())
    try {
      expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_EXIT', exitCode: 0 })
      expect(isAlive(pid)).toBe(true)
    } finally {
      process.kill(pid, 'SIGKILL')
    }
  })

  it('does not wait for a stranger who goes on writing', async () => {
    const { port } = await start('chatterbox')
    const pid = Number(await port.next())
    await port.ended
    expect(port.texts.length).toBeLessThan(100)
    expect(await untilGone([pid])).toBeDefined()
  })

  it('of the leader ends what it left behind in its group', async () => {
    const { port } = await start(['orphaner', 'now'])
    const pid = Number(await port.next())
    expect(await port.ended).toMatchObject({ exitCode: 9 })
    expect(await untilGone([pid])).toBeDefined()
  })

  it('is near when it closes its output, and helped along', async () => {
    const { port, link } = await start('closes-output')
    expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    await link.close()
  })

  it('is near when it closes its input, and a write finds out', async () => {
    const { port, link } = await start('closes-input')
    await port.next()
    const receipt = link.write({ text: 'anybody?' })
    expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_WRITE' })
    expect(receipt.sent).not.toBe('yes')
  })
})

it.runIf(posix)('gives up on a process that reads nothing for 30 s', async () => {
  const clock = fakeClock()
  const { link, port } = await start('deaf', { clock })
  await port.next()
  link.write({ text: 'x'.repeat(4 << 20) })
  await new Promise(setImmediate)
  await clock.advance(30_000)
  expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_STALLED', server: 'peer' })
  const closing = link.close()
  while (clock.pending > 0) await clock.advance(50)
  await closing
})

describe.runIf(posix)('a start that fails', () => {
  const failing = (options: StdioOptions, signal?: AbortSignal): Promise<unknown> =>
    stdio(options)
      .open(recordingPort(), signal)
      .catch((error: unknown) => error)

  it('for want of a command says so', async () => {
    expect(await failing({ command: 'no-such-command-here' })).toMatchObject({
      code: 'DP_TRANSPORT_SPAWN',
      sent: 'no',
      message: expect.stringMatching(/no command "no-such-command-here".*Install it/),
      cause: expect.objectContaining({ code: 'ENOENT' }),
    })
  })

  it('for want of its folder names the folder and not the command', async () => {
    expect(await failing({ command: process.execPath, cwd: '/no/such/folder' })).toMatchObject({
      code: 'DP_TRANSPORT_SPAWN',
      message: expect.stringMatching(/folder "\/no\/such\/folder" does not exist/),
    })
  })

  it('because the file may not be executed says what to do', async () => {
    expect(await failing({ command: PEER })).toMatchObject({
      code: 'DP_TRANSPORT_SPAWN',
      message: expect.stringMatching(/chmod \+x/),
    })
  })

  it.each([
    [{ command: 'node\0x' }],
    [{ command: process.execPath, args: ['a\0b'] }],
    [{ command: process.execPath, env: { A: 'b\0c' } }],
    [{ command: '' }],
    [{ command: process.execPath, args: ['x'.repeat(3 << 20)] }],
  ])('because of odd values is still a typed error (%#)', async (options) => {
    expect(await failing(options)).toMatchObject({
      code: 'DP_TRANSPORT_SPAWN',
      family: 'transport',
    })
  })

  it('leaves no pipe behind', async () => {
    const count = async (): Promise<number> => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
      return process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length
    }
    const before = await count()
    for (let turn = 0; turn < 10; turn += 1) await failing({ command: 'no-such-command-here' })
    expect(await count()).toBe(before)
  })

  it('because nobody waits any more starts nothing', async () => {
    expect(
      await failing({ command: process.execPath }, AbortSignal.abort('changed my mind')),
    ).toMatchObject({ code: 'DP_CANCELLED', reason: 'changed my mind' })
  })
})

it('knows how long its command may take to start', () => {
  expect(stdio({ command: 'npx', args: ['-y', 'x'] }).startTimeoutMs).toBe(120_000)
  expect(stdio({ command: 'node' }).startTimeoutMs).toBe(30_000)
})
