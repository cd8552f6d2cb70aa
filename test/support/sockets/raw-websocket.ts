/** WebSocket by hand, for what no library would send: bare handshakes and frames over bare sockets. */
import { createHash, randomBytes } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface FrameShape {
  /** 0 goes on, 1 text (default), 2 binary, 8 close, 9 ping, 10 pong. */
  readonly op?: number
  readonly last?: boolean
  readonly masked?: boolean
  /** What the header says instead of the true length. */
  readonly length?: bigint
}

export function frame(payload: string | Uint8Array, shape: FrameShape = {}): Buffer {
  const { op = 1, last = true, masked = false } = shape
  const body = Buffer.from(payload)
  const length = shape.length ?? BigInt(body.length)
  const bit = masked ? 0x80 : 0
  const first = (last ? 0x80 : 0) | op
  const head =
    length < 126n
      ? Buffer.from([first, bit | Number(length)])
      : length < 65_536n
        ? Buffer.from([first, bit | 126, Number(length >> 8n), Number(length & 255n)])
        : Buffer.concat([Buffer.from([first, bit | 127]), wide(length)])
  if (!masked) return Buffer.concat([head, body])
  const mask = randomBytes(4)
  return Buffer.concat([head, mask, body.map((byte, at) => byte ^ (mask[at % 4] ?? 0))])
}

function wide(length: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(length)
  return bytes
}

/** A far side that has shaken hands by hand. */
export interface RawEnd {
  readonly socket: Socket
  /** Head of the request or of the answer. */
  readonly head: string
  /** Everything after the head so far. */
  received(): Buffer
  /** Settles when a frame with this opcode has come, with its payload. */
  frame(op: number): Promise<Buffer>
}

export interface RawServer {
  readonly url: string
  readonly listener: Server
  /** The next client, after the handshake. */
  next(): Promise<RawEnd>
}

export interface RawServerWishes {
  /** What to answer to the head of a request. Default: the upgrade with the subprotocol `mcp`. */
  readonly answer?: (head: string) => string | Buffer | undefined
}

/** A server that takes every client. */
export async function rawServer(wishes: RawServerWishes = {}): Promise<RawServer> {
  const arrived: RawEnd[] = []
  const waiting: ((end: RawEnd) => void)[] = []
  const listener = createServer((socket) => {
    socket.on('error', () => {})
    void readHead(socket).then((end) => {
      const answer = (wishes.answer ?? upgrade)(end.head)
      if (answer !== undefined) socket.write(answer)
      const reader = waiting.shift()
      if (reader === undefined) arrived.push(end)
      else reader(end)
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `ws://127.0.0.1:${port}/mcp`,
    listener,
    next() {
      const end = arrived.shift()
      return end === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(end)
    },
  }
}

/** The answer that agrees to an upgrade. */
export function upgrade(head: string): string {
  const key = /^sec-websocket-key: (.+)$/im.exec(head)?.[1] ?? ''
  const accept = createHash('sha1')
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: mcp\r\n\r\n`
}

export interface RawClientWishes {
  readonly target?: string
  /** Lines in place of, or without a value to leave out, those of a good upgrade. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly method?: string
}

/** A client that has sent its upgrade and read the head of the answer. */
export async function rawClient(url: string, wishes: RawClientWishes = {}): Promise<RawEnd> {
  const { hostname, port, host, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const headers = {
    Host: host,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    'Sec-WebSocket-Protocol': 'mcp',
    ...wishes.headers,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}`),
  )
  const first = `${wishes.method ?? 'GET'} ${wishes.target ?? pathname} HTTP/1.1`
  socket.write(`${[first, ...lines].join('\r\n')}\r\n\r\n`)
  return readHead(socket)
}

/** The status of an answer. */
export function statusOf({ head }: RawEnd): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
}

function readHead(socket: Socket): Promise<RawEnd> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0)
    let from = -1
    let look = (): void => {}
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (from >= 0) return look()
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return
      from = end + 4
      const head = bytes.subarray(0, end).toString('latin1')
      const received = (): Buffer => bytes.subarray(from)
      const next = (op: number): Promise<Buffer> =>
        new Promise((found) => {
          look = () => {
            const payload = payloadOf(received(), op)
            if (payload !== undefined) found(payload)
          }
          look()
        })
      resolve({ socket, head, received, frame: next })
    })
  })
}

/** The payload of the first frame with this opcode. */
function payloadOf(bytes: Buffer, op: number): Buffer | undefined {
  let at = 0
  while (at + 2 <= bytes.length) {
    const [first = 0, second = 0] = bytes.subarray(at)
    let length = second & 127
    let from = at + 2
    if (length === 126) {
      if (bytes.length < at + 4) return undefined
      length = bytes.readUInt16BE(at + 2)
      from = at + 4
    } else if (length === 127) {
      if (bytes.length < at + 10) return undefined
      length = Number(bytes.readBigUInt64BE(at + 2))
      from = at + 10
    }
    const masked = (second & 128) !== 0
    const mask = masked ? bytes.subarray(from, from + 4) : Buffer.alloc(4)
    if (masked) from += 4
    if (bytes.length < from + length) return undefined
    if ((first & 15) === op) {
      return bytes
        .subarray(from, from + length)
        .map((byte, index) => byte ^ (mask[index % 4] ?? 0)) as Buffer // a Buffer maps to one
    }
    at = from + length
  }
  return undefined
}
