import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { rmSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts'
import { bundle } from '../../../test/support/stdio/orphans.ts'
import { recordingPort, type RecordingPort } from '../../../test/support/stdio/port.ts'
import type { Link } from '../../jsonrpc/link.ts'
import { stdioServer, type ServerHost, type StdioServerOptions } from './stdio-server.ts'

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
}

/** A process that is none: streams to look into, signals to send, exits to count. */
interface PretendHost extends ServerHost {
  readonly stdin: PassThrough
  readonly stdout: PassThrough
  readonly stderr: PassThrough
  readonly signals: EventEmitter
  readonly exits: readonly number[]
}

function pretendHost(): PretendHost {
  const signals = new EventEmitter()
  const exits: number[] = []
  return {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    signals,
    exits,
    on: (signal, listener) => signals.on(signal, listener),
    off: (signal, listener) => signals.off(signal, listener),
    exit: (code) => void exits.push(code),
  }
}

interface Stage {
  readonly host: PretendHost
  readonly port: RecordingPort
  readonly link: Link
  readonly clock: FakeClock
}

async function stage(
  options: StdioServerOptions = {},
  port: RecordingPort = recordingPort(),
): Promise<Stage> {
  const host = pretendHost()
  const clock = fakeClock()
  const link = await stdioServer({ host, clock, ...options }).open(port)
  return { host, port, link, clock }
}

describe('the link of a server', () => {
  it('reads lines from standard input and joins its answers into one write', async () => {
    const { host, port, link } = await stage()
    host.stdin.write('one\r\n\ntwo\n')
    expect([await port.next(), await port.next()]).toEqual(['one', 'two'])
    const first = link.write({ text: 'a' })
    link.write({ text: 'b' })
    await link.drained()
    expect(first.sent).toBe('yes')
    expect(String(host.stdout.read())).toBe('a\nb\n')
  })

  it('stops reading while its reader is full', async () => {
    let release: () => void = () => {}
    const full = new Promise<void>((resolve) => (release = resolve))
    const { host, port } = await stage({}, recordingPort({ onText: () => full }))
    host.stdin.write('one\n')
    await port.next()
    host.stdin.write('two\n')
    await turns()
    expect(port.texts).toEqual(['one'])
    release()
    expect(await port.next()).toBe('two')
  })

  it('can be open once only', async () => {
    const transport = stdioServer({ host: pretendHost() })
    const link = await transport.open(recordingPort())
    await expect(transport.open(recordingPort())).rejects.toMatchObject({
      code: 'DP_TRANSPORT_CLOSED',
      sent: 'no',
    })
    await link.close()
  })

  it('leaves no listener, no guard and no timer when it is closed, twice', async () => {
    const { host, link, clock } = await stage()
    link.write({ text: 'last' })
    await Promise.all([link.close(), link.close()])
    await link.close()
    expect(String(host.stdout.read())).toBe('last\n')
    expect(Object.hasOwn(host.stdout, 'write')).toBe(false)
    expect(host.signals.eventNames()).toEqual([])
    expect(host.stdout.listenerCount('error') + host.stderr.listenerCount('error')).toBe(0)
    expect(host.stdin.destroyed).toBe(true)
    expect(clock.pending).toBe(0)
    expect(link.write({ text: 'late' }).sent).toBe('no')
  })
})

describe('stray output', () => {
  it('goes to stderr and not among the messages [STDIO-03]', async () => {
    const { host, link } = await stage()
    host.stdout.write('stray one\n')
    link.write({ text: '{"id":1}' })
    const callback = new Promise<void>((resolve) =>
      host.stdout.write('stray two\n', 'utf8', () => resolve()),
    )
    await callback
    await link.drained()
    expect(String(host.stdout.read())).toBe('{"id":1}\n')
    expect(String(host.stderr.read())).toBe('stray one\nstray two\n')
    await link.close()
    host.stdout.write('mine again\n')
    expect(String(host.stdout.read())).toBe('mine again\n')
  })

  it('passes when the guard is off', async () => {
    const { host, link } = await stage({ guard: false })
    host.stdout.write('stray\n')
    expect(String(host.stdout.read())).toBe('stray\n')
    await link.close()
  })

  it('that somebody else has taken over since is not touched at the end', async () => {
    const { host, link } = await stage()
    const other = (): boolean => true
    host.stdout.write = other
    await link.close()
    expect(Reflect.get(host.stdout, 'write')).toBe(other)
  })
})

describe('the end of the session', () => {
  it('is the end of standard input, its last line included [STDIO-10]', async () => {
    const { host, port, clock } = await stage()
    host.stdin.end('one\nlast')
    expect(await port.ended).toBeUndefined()
    expect(port.texts).toEqual(['one', 'last'])
    await clock.advance(1499)
    expect(host.exits).toEqual([])
    await clock.advance(1)
    expect(host.exits).toEqual([0])
  })

  it('lets the process linger when told so', async () => {
    const { host, port, clock } = await stage({ lingerMs: false })
    host.stdin.end()
    await port.ended
    await clock.advance(60_000)
    expect(host.exits).toEqual([])
  })

  it('is an output that nobody reads any more', async () => {
    const { host, port, link } = await stage()
    host.stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    expect(await port.ended).toMatchObject({
      code: 'DP_TRANSPORT_CLOSED',
      cause: { code: 'EPIPE' },
    })
    expect(link.write({ text: 'x' }).sent).toBe('no')
    await link.close()
    expect(port.ends).toHaveLength(1)
  })

  it('is a client that takes nothing for 30 s', async () => {
    const { host, port, link, clock } = await stage()
    const texts = 'x'.repeat(200_000)
    link.write({ text: texts })
    await turns()
    await clock.advance(30_000)
    expect(host.stdout.writableNeedDrain).toBe(true)
    expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
  })

  it('is SIGTERM, and a second one ends the process at once', async () => {
    const { host, port, link } = await stage()
    host.signals.emit('SIGTERM', 'SIGTERM')
    expect(await port.ended).toBeUndefined()
    link.write({ text: 'the last answer' })
    await link.drained()
    expect(String(host.stdout.read())).toBe('the last answer\n')
    expect(host.exits).toEqual([])
    host.signals.emit('SIGTERM', 'SIGTERM')
    host.signals.emit('SIGINT', 'SIGINT')
    expect(host.exits).toEqual([143, 130])
  })

  it('is no signal when signals are left to others', async () => {
    const { host } = await stage({ signals: false })
    expect(host.signals.eventNames()).toEqual([])
  })
})

describe.runIf(process.platform !== 'win32')('a process that serves', () => {
  let file = ''
  const children: ChildProcessWithoutNullStreams[] = []
  beforeAll(async () => {
    file = await bundle('echo-server')
  })
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  afterAll(() => rmSync(file, { force: true }))

  function serve(): {
    child: ChildProcessWithoutNullStreams
    stdout: Promise<string>
    stderr: Promise<string>
    exit: Promise<[number | null, NodeJS.Signals | null]>
  } {
    const child = spawn(process.execPath, [file])
    children.push(child)
    child.stdin.on('error', () => {})
    return {
      child,
      stdout: textOf(child.stdout).catch(() => ''),
      stderr: textOf(child.stderr),
      exit: new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal]))),
    }
  }

  it('keeps console.log and stray writes off the wire [STDIO-03]', async () => {
    const { child, stdout, stderr, exit } = serve()
    child.stdin.end('print\nwrite\nok\n')
    expect(await stdout).toBe('print\nwrite\nok\n')
    expect(await stderr).toBe('stray from console.log\nstray from stdout.write\nclosed: in order\n')
    expect(await exit).toEqual([0, null])
  })

  it('writes all it owes before it ends', async () => {
    const { child, stdout, exit } = serve()
    child.stdin.end('burst\n')
    const lines = (await stdout).split('\n')
    expect(lines).toHaveLength(5002)
    expect(lines.at(-2)).toBe('burst')
    expect(await exit).toEqual([0, null])
  })

  it('ends when its input does, also when something keeps it busy [STDIO-10]', async () => {
    const { child, exit } = serve()
    child.stdin.end('stay\n')
    expect(await exit).toEqual([0, null])
  })

  it('ends in order when nobody reads its output', async () => {
    const { child, stderr, exit } = serve()
    child.stdout.destroy()
    child.stdin.write('x\n')
    expect(await exit).toEqual([0, null])
    expect(await stderr).toBe('closed: The client does not read standard output any more.\n')
  })

  it('ends in order at SIGTERM', async () => {
    const { child, stderr, exit } = serve()
    child.stdin.write('ready\n')
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    expect(await stderr).toBe('closed: in order\n')
  })
})
