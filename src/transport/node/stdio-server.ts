/**
 * The server's end of stdio: this process's own input and output as a link.
 *
 * It guards the output against everything that is not the protocol, and sees to it that the process ends when
 * its client is gone: servers that stay behind are the commonest leak of this protocol.
 */

import type { Readable, Writable } from 'node:stream'
import { systemClock, type Clock, type Timer } from '../../base/clock.ts'
import { TransportError } from '../../base/errors.ts'
import { createLineReader, type LineReader } from '../../formats/ndjson.ts'
import type { Link, LinkPort, Outbound, Receipt, Transport } from '../../jsonrpc/link.ts'
import { createJoinedWriter, NOT_SENT, type JoinedWriter } from './joined-writer.ts'
import { Pace } from './pace.ts'
import { guardStdout, type StdoutGuard } from './stdout-guard.ts'

/** The part of `process` that is used. */
export interface ServerHost {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown
  exit(code: number): void
}

export interface StdioServerOptions {
  /** Sends `console.log` and other stray output to stderr while the link is open. Default true. */
  readonly guard?: boolean
  /** `SIGTERM` and `SIGINT` close the link in order; a second one ends the process at once. Default true. */
  readonly signals?: boolean
  /**
   * Milliseconds that a process whose client is gone may go on before it is ended, if something keeps it
   * alive; `false` lets it. A process with nothing left to do ends at once. Default 1,500.
   */
  readonly lingerMs?: number | false
  /** Milliseconds a write may be stuck before the client counts as gone. Default 30,000. */
  readonly stallMs?: number
  readonly clock?: Clock
  /** Default: this process. */
  readonly host?: ServerHost
}

const LINGER_MS = 1500
const STALL_MS = 30_000

/** The one link that a process started by a client has; it can be open once at a time. */
export function stdioServer(options: StdioServerOptions = {}): Transport {
  const host = options.host ?? processHost
  let open = false
  return {
    name: 'stdio',
    async open(port) {
      if (open) {
        throw new TransportError(
          'DP_TRANSPORT_CLOSED',
          'Standard input and output carry one link only, and it is open. Close it first.',
          { server: 'stdio', sent: 'no' },
        )
      }
      open = true
      return new ServerStdioLink(port, { ...options, host, onClosed: () => (open = false) })
    },
  }
}

const processHost: ServerHost = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  on: (signal, listener) => process.on(signal, listener),
  off: (signal, listener) => process.off(signal, listener),
  exit: (code) => process.exit(code),
}

interface ServerLinkOptions extends StdioServerOptions {
  readonly host: ServerHost
  onClosed(): void
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']

class ServerStdioLink implements Link {
  readonly #port: LinkPort
  readonly #options: ServerLinkOptions
  readonly #clock: Clock
  readonly #reader: LineReader
  readonly #writer: JoinedWriter
  readonly #guard: StdoutGuard | undefined
  readonly #pace: Pace
  #told = false
  #closing: Promise<void> | undefined
  #linger: Timer | undefined

  constructor(port: LinkPort, options: ServerLinkOptions) {
    const { stdin, stdout, stderr } = options.host
    this.#port = port
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#pace = new Pace(stdin)
    this.#reader = createLineReader({
      maxBytes: port.maxMessageBytes,
      onText: (text) => this.#pace.mind(port.text(text)),
      onUnreadable: (piece) => this.#pace.mind(port.unreadable(piece)),
    })
    this.#guard = options.guard === false ? undefined : guardStdout(stdout, stderr)
    this.#writer = createJoinedWriter(this.#guard ?? stdout, {
      clock: this.#clock,
      stallMs: options.stallMs ?? STALL_MS,
      onFailed: (cause) => this.#clientGone(cause),
      onStalled: () => this.#clientGone(new Error('nothing was read for too long')),
    })
    stdin.on('data', this.#onData)
    stdin.on('end', this.#onEnd)
    stdin.on('error', this.#onEnd)
    stdout.on('error', this.#onOutputError)
    // Nobody reads what is said there any more; that is no reason to fall over.
    stderr.on('error', ignore)
    if (options.signals !== false)
      for (const signal of SIGNALS) options.host.on(signal, this.#onSignal)
  }

  get backlogMessages(): number {
    return this.#writer.backlogMessages
  }

  get backlogBytes(): number {
    return this.#writer.backlogBytes
  }

  write(outbound: Outbound): Receipt {
    if (this.#closing !== undefined) return NOT_SENT
    return this.#writer.write(outbound.text) // STDIO-02
  }

  drained(): Promise<void> {
    return this.#writer.drained()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#stopReading()
    await this.#writer.drained()
    this.#writer.stop()
    this.#guard?.restore()
    const { host } = this.#options
    host.stdout.off('error', this.#onOutputError)
    host.stderr.off('error', ignore)
    for (const signal of SIGNALS) host.off(signal, this.#onSignal)
    this.#tell()
    this.#options.onClosed()
  }

  readonly #onData = (chunk: Uint8Array): void => {
    if (!this.#told) this.#reader.push(chunk)
  }

  /** The client has closed our input: the end of the session, whatever stdout may still take. // STDIO-10 */
  readonly #onEnd = (): void => {
    if (this.#told) return
    this.#reader.end()
    this.#tell()
    this.#leave()
  }

  readonly #onOutputError = (error: Error): void => {
    this.#writer.stop()
    this.#clientGone(error)
  }

  #clientGone(cause: Error): void {
    if (this.#told) return
    this.#stopReading()
    this.#tell(
      new TransportError(
        'DP_TRANSPORT_CLOSED',
        'The client does not read standard output any more.',
        {
          server: 'stdio',
          cause,
        },
      ),
    )
    this.#leave()
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    if (this.#told) return this.#options.host.exit(signal === 'SIGINT' ? 130 : 143)
    this.#stopReading()
    this.#tell()
    this.#leave()
  }

  #tell(reason?: Error): void {
    if (this.#told) return
    this.#told = true
    this.#port.closed(reason)
  }

  /** A process that nothing keeps alive ends by itself before this; the timer is for the others. */
  #leave(): void {
    const { host, lingerMs = LINGER_MS } = this.#options
    if (lingerMs === false || this.#linger !== undefined) return
    this.#linger = this.#clock.after(lingerMs, () => host.exit(0))
  }

  #stopReading(): void {
    const { stdin } = this.#options.host
    this.#pace.stop()
    stdin.off('data', this.#onData)
    stdin.off('end', this.#onEnd)
    stdin.off('error', this.#onEnd)
    // An error after this has nobody to go to, and an `error` event without a listener would end the process.
    stdin.on('error', ignore)
    stdin.pause()
    // A paused pipe on which a read is under way keeps the process alive.
    stdin.destroy()
  }
}

function ignore(): void {}
