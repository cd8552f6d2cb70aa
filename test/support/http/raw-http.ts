/** HTTP as bytes on a socket: what no client library would send. */
import { connect, type Socket } from 'node:net'

export interface RawReply {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** A connection to a port of this machine. */
export class RawHttp {
  readonly socket: Socket
  text = ''
  ended = false
  readonly #watchers = new Set<() => void>()

  static async open(port: number): Promise<RawHttp> {
    const socket = connect({ port, host: '127.0.0.1' })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new RawHttp(socket)
  }

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      this.text += text
      this.#look()
    })
    const end = (): void => {
      this.ended = true
      this.#look()
    }
    socket.on('end', end)
    socket.on('close', end)
    socket.on('error', end)
  }

  /** Lines of a head, then the body as it stands. */
  send(lines: readonly string[], body = ''): void {
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  }

  /** Settles as soon as something holds, or the connection has ended. */
  until(holds: () => boolean): Promise<void> {
    if (holds() || this.ended) return Promise.resolve()
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds() && !this.ended) return
        this.#watchers.delete(look)
        resolve()
      }
      this.#watchers.add(look)
    })
  }

  /** The first reply, as soon as it is whole or the connection has ended. */
  async reply(): Promise<RawReply> {
    await this.until(() => this.#whole !== undefined)
    return this.#whole ?? this.#cut
  }

  /** How many replies have begun. */
  get replies(): number {
    return this.text.split(/HTTP\/1\.1 (?!100)/).length - 1
  }

  close(): void {
    this.socket.destroy()
  }

  get #cut(): RawReply {
    const [head = '', ...rest] = this.text.split('\r\n\r\n')
    return {
      status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
      head,
      body: rest.join('\r\n\r\n'),
    }
  }

  get #whole(): RawReply | undefined {
    if (!this.text.includes('\r\n\r\n')) return undefined
    const length = /content-length: (\d+)/i.exec(this.#cut.head)?.[1]
    if (length === undefined) return this.ended ? this.#cut : undefined
    return Buffer.byteLength(this.#cut.body) >= Number(length) ? this.#cut : undefined
  }

  #look(): void {
    for (const look of this.#watchers) look()
  }
}

/** Sends bytes and gives the first reply. */
export async function rawReply(
  port: number,
  lines: readonly string[],
  body = '',
): Promise<RawReply> {
  const raw = await RawHttp.open(port)
  try {
    raw.send(lines, body)
    return await raw.reply()
  } finally {
    raw.close()
  }
}
