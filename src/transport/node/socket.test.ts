import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { socketPlace } from '../../../test/support/sockets/pairs.ts'
import { recordingPort, type RecordingPort } from '../../../test/support/stdio/port.ts'
import { systemClock, type Clock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import type { Link, Transport } from '../../jsonrpc/link.ts'
import type { UnixSocketServer } from './socket-options.ts'
import { serveUnixSocket } from './socket-server.ts'
import { unixSocket } from './socket.ts'

let place: Awaited<ReturnType<typeof socketPlace>>
let open: { close(): unknown }[] = []
beforeEach(async () => {
  place = await socketPlace()
})
afterEach(async () => {
  for (const one of open.toReversed()) await one.close()
  open = []
  await place.remove()
})

const posix = process.platform !== 'win32'

describe('a client of a Unix socket', () => {
  it('says that nobody is there, and that nothing was sent', async () => {
    await expect(unixSocket(place.path).open(recordingPort())).rejects.toMatchObject({
      code: 'DP_TRANSPORT_CONNECT',
      sent: 'no',
      message: expect.stringContaining('Start the server'),
    })
  })

  it('refuses a path that no socket can have', () => {
    expect(() => unixSocket('')).toThrow('must not be empty')
    expect(() => unixSocket('\0abstract')).toThrow('zero byte')
  })

  it.runIf(posix)('refuses a path that is longer than the system keeps', () => {
    expect(() => unixSocket(`/tmp/${'x'.repeat(200)}`)).toThrow('shorter')
  })

  it('gives up connecting when it is told to', async () => {
    const gone = new AbortController()
    gone.abort()
    await expect(unixSocket(place.path).open(recordingPort(), gone.signal)).rejects.toMatchObject({
      code: 'DP_CANCELLED',
    })
  })

  it('tells that the server has closed, after its last line', async () => {
    const { far, port } = await rawPair()
    far.end('"last"\n"without an end"')
    const reason = await port.ended
    expect(port.texts).toEqual(['"last"', '"without an end"'])
    expect(reason).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    expect(reason?.message).toContain('closed by the server')
  })

  it('opens again after a loss', async () => {
    const { server } = await served()
    const transport = unixSocket(place.path)
    expect(transport.reopens).toBe(true)
    for (const round of ['1', '2']) {
      const port = recordingPort()
      const link = await transport.open(port)
      link.write({ text: round })
      expect(await port.next()).toBe(round)
      await link.close()
    }
    await server.close()
  })

  it('gives up a server that reads nothing for 30 s', async () => {
    const clock = fakeClock()
    const { far, link, port } = await rawPair({ clock })
    far.pause()
    // More than the buffers of the system hold.
    link.write({ text: JSON.stringify('x'.repeat(8 * 1024 * 1024)) })
    await new Promise(setImmediate)
    for (let waited = 0; port.ends.length === 0 && waited < 100; waited += 1)
      await clock.advance(10_000)
    expect(port.ends).toEqual([expect.objectContaining({ code: 'DP_TRANSPORT_STALLED' })])
    expect(clock.pending).toBe(0)
  })

  it('waits 2 s at most for a server that does not close its half', async () => {
    const clock = fakeClock()
    const { link, port } = await rawPair({ clock })
    const closing = link.close()
    await clock.advance(1999)
    expect(port.ends).toEqual([])
    await clock.advance(1)
    await closing
    expect(port.ends).toEqual([undefined])
    expect(clock.pending).toBe(0)
  })

  it('reads to the end of the far side when it closes, also with a reader that is full', async () => {
    const port = recordingPort({ onText: () => new Promise(() => {}) })
    const { far, link } = await rawPair({ clock: fakeClock() }, port)
    far.resume().on('end', () => far.end('"last"\n'))
    far.write(`"first"\n${JSON.stringify('x'.repeat(1_000_000))}\n`)
    await port.next()
    // Time stands still: the end must come without it.
    await link.close()
    expect(port.texts.at(-1)).toBe('"last"')
    expect(port.ends).toEqual([undefined])
  })

  it('takes no line that is longer than allowed, and goes on [STDIO-18]', async () => {
    const { far, port } = await rawPair({}, recordingPort({ maxMessageBytes: 100 }))
    far.write(`${JSON.stringify('x'.repeat(1000))}\n"next"\n`)
    expect(await port.next()).toBe('"next"')
    expect(port.pieces).toMatchObject([{ reason: 'too-large', size: 1002 }])
  })
})

describe('a server on a Unix socket', () => {
  it('serves several clients at once, each on a link of its own', async () => {
    await served()
    const ports = [recordingPort(), recordingPort(), recordingPort()]
    const links = await Promise.all(ports.map((port) => unixSocket(place.path).open(port)))
    open.push(...links)
    for (const [at, link] of links.entries()) link.write({ text: `"client ${at}"` })
    expect(await Promise.all(ports.map((port) => port.next()))).toEqual([
      '"client 0"',
      '"client 1"',
      '"client 2"',
    ])
  })

  it('takes the end of a client for the end of its session, without a reason', async () => {
    const { ports } = await served()
    const port = recordingPort()
    const link = await unixSocket(place.path).open(port)
    link.write({ text: '1' })
    await port.next()
    await link.close()
    expect(await ports[0]?.ended).toBeUndefined()
    expect(port.ends).toEqual([undefined])
  })

  it('turns away who comes when all places are taken', async () => {
    await served({ maxConnections: 1 })
    const first = recordingPort()
    open.push(await unixSocket(place.path).open(first))
    const second = recordingPort()
    open.push(await unixSocket(place.path).open(second))
    expect(await second.ended).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    expect(first.ends).toEqual([])
  })

  it('turns away a client that nobody wants to serve, and goes on', async () => {
    let visits = 0
    const accept = (): Promise<void> => {
      visits += 1
      return visits === 1 ? Promise.reject(new Error('not today')) : Promise.resolve()
    }
    const lines: string[] = []
    const logger = createLogger(({ message, data }) =>
      lines.push(`${message}: ${JSON.stringify(data?.['error'])}`),
    )
    open.push(await serveUnixSocket(accept, { path: place.path, logger }))
    for (let visit = 1; visit <= 2; visit += 1) {
      const port = recordingPort()
      open.push(await unixSocket(place.path).open(port))
      await port.ended
    }
    expect(visits).toBe(2)
    expect(lines).toEqual(['a connection could not be served: "not today"'])
  })

  it('closes its links in order and is gone when close() has settled', async () => {
    const { server } = await served()
    const port = recordingPort()
    const link = await unixSocket(place.path).open(port)
    link.write({ text: '1' })
    await port.next()
    await Promise.all([server.close(), server.close()])
    expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    await expect(unixSocket(place.path).open(recordingPort())).rejects.toMatchObject({
      code: 'DP_TRANSPORT_CONNECT',
    })
    await link.close()
  })
})

describe.runIf(posix)('the place of a Unix socket', () => {
  it('is for this user alone, whatever the mask of the process is', async () => {
    const before = process.umask(0)
    try {
      await served()
      expect(statSync(place.path).mode & 0o777).toBe(0o600)
    } finally {
      expect(process.umask(before)).toBe(0)
    }
  })

  it('has the permissions that were asked for', async () => {
    await served({ mode: 0o660 })
    expect(statSync(place.path).mode & 0o777).toBe(0o660)
  })

  it('is not taken from a server that listens', async () => {
    await served()
    await expect(served()).rejects.toMatchObject({
      code: 'DP_TRANSPORT_CONNECT',
      message: expect.stringContaining('another server listens there'),
    })
    const port = recordingPort()
    const link = await unixSocket(place.path).open(port)
    open.push(link)
    link.write({ text: '"still there"' })
    expect(await port.next()).toBe('"still there"')
  })

  it('is taken over from a server that has died', async () => {
    leaveDeadSocket(place.path)
    await served()
    const port = recordingPort()
    const link = await unixSocket(place.path).open(port)
    open.push(link)
    link.write({ text: '1' })
    expect(await port.next()).toBe('1')
  })

  it('is got by one of many servers that start at once over a dead one', async () => {
    leaveDeadSocket(place.path)
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => served()))
    const got = starts.filter(({ status }) => status === 'fulfilled')
    expect(got).toHaveLength(1)
    const port = recordingPort()
    const link = await unixSocket(place.path).open(port)
    open.push(link)
    link.write({ text: '1' })
    expect(await port.next()).toBe('1')
  })

  it('is taken over also where a process died while it did the same', async () => {
    leaveDeadSocket(place.path)
    const lock = join(place.folder, '.mcp.sock.lock')
    writeFileSync(lock, '')
    const past = Date.now() / 1000 - 60
    utimesSync(lock, past, past)
    await served()
    expect(readdirSync(place.folder)).toEqual(['mcp.sock'])
  })

  it('waits for a process that does the same at this moment', async () => {
    leaveDeadSocket(place.path)
    const lock = join(place.folder, '.mcp.sock.lock')
    writeFileSync(lock, '')
    let waits = 0
    const clock: Clock = {
      ...systemClock,
      after(ms, run) {
        waits += 1
        if (waits === 3) rmSync(lock)
        return systemClock.after(ms, run)
      },
    }
    open.push(await serveUnixSocket(() => Promise.resolve(), { path: place.path, clock }))
    expect(waits).toBe(3)
  })

  it('is not made of a file or a folder', async () => {
    writeFileSync(place.path, 'mine')
    await expect(served()).rejects.toThrow('a file that is no socket')
    rmSync(place.path)
    mkdirSync(place.path)
    await expect(served()).rejects.toThrow('a file that is no socket')
  })

  it('leaves a socket alone that somebody else has put there meanwhile', async () => {
    const { server } = await served()
    rmSync(place.path)
    const other = await listenRaw(place.path)
    await server.close()
    expect(existsSync(place.path)).toBe(true)
    await new Promise<void>((resolve) => connect(place.path, resolve).unref())
    other.close()
  })

  it('says what is wrong with a folder that is not there', async () => {
    const path = join(place.folder, 'none', 'mcp.sock')
    await expect(serveUnixSocket(() => Promise.resolve(), { path })).rejects.toMatchObject({
      code: 'DP_TRANSPORT_CONNECT',
      message: expect.stringContaining(`Cannot listen on "${path}"`),
    })
  })

  it('leaves nothing in its folder', async () => {
    leaveDeadSocket(place.path)
    const { server } = await served()
    expect(readdirSync(place.folder)).toEqual(['mcp.sock'])
    await expect(served()).rejects.toThrow('another server')
    expect(readdirSync(place.folder)).toEqual(['mcp.sock'])
    await server.close()
    expect(readdirSync(place.folder)).toEqual([])
  })
})

interface ServeWishes {
  readonly maxConnections?: number
  readonly mode?: number
}

/** A server that gives every text back. */
async function served(
  wishes: ServeWishes = {},
): Promise<{ server: UnixSocketServer; ports: RecordingPort[] }> {
  const ports: RecordingPort[] = []
  const accept = async (transport: Transport): Promise<void> => {
    const port = recordingPort({ onText: (text) => void link.write({ text }) })
    ports.push(port)
    const link = await transport.open(port)
    await port.ended
    await link.close()
  }
  const server = await serveUnixSocket(accept, { path: place.path, ...wishes })
  open.push(server)
  return { server, ports }
}

/** A client of ours whose far side is a bare socket. */
async function rawPair(
  options: Parameters<typeof unixSocket>[1] = {},
  port: RecordingPort = recordingPort(),
): Promise<{ far: Socket; link: Link; port: RecordingPort }> {
  const listener = await listenRaw(place.path)
  const visitor = new Promise<Socket>((resolve) => listener.once('connection', resolve))
  const link = await unixSocket(place.path, options).open(port)
  const far = await visitor
  far.on('error', () => {})
  open.push({ close: () => far.destroy() }, { close: () => listener.close() })
  return { far, link, port }
}

function listenRaw(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const listener = createServer({ allowHalfOpen: true })
    listener.once('error', reject)
    listener.listen(path, () => resolve(listener))
  })
}

/** What is left of a server that was killed. */
function leaveDeadSocket(path: string): void {
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
  try {
    execFileSync(process.execPath, ['-e', script, path])
  } catch {
    // It was killed, as it should be.
  }
  expect(existsSync(path)).toBe(true)
}
