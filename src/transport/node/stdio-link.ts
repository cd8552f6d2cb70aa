/**
 * The link over the three pipes of a server's process: lines out, lines in, and what the end was.
 *
 * The process itself is the business of `server-process.ts`. The end is told once, after everything that the
 * process wrote was handed over; a stranger who holds the pipes open delays it by a bounded time only.
 */

import type { Clock, Timer } from '../../base/clock.ts'
import { TransportError } from '../../base/errors.ts'
import { createByteTail, type ByteTail } from '../../formats/byte-tail.ts'
import { createLineReader, type LineReader } from '../../formats/ndjson.ts'
import { showUtf8 } from '../../formats/utf8.ts'
import type { Link, LinkPort, Outbound, Receipt } from '../../jsonrpc/link.ts'
import { createJoinedWriter, NOT_SENT, type JoinedWriter } from './joined-writer.ts'
import { Pace } from './pace.ts'
import type { PipedProcess, ProcessPort } from './process-group.ts'
import { ServerProcess, type GroupWatch, type StartedProcess } from './server-process.ts'
import { createStderrLines, lastWords } from './stderr-lines.ts'

export interface StdioLinkOptions {
  readonly name: string
  readonly port: LinkPort
  readonly clock: Clock
  readonly processes: ProcessPort
  readonly watch: GroupWatch | undefined
  readonly stopEofMs: number
  readonly stopTermMs: number
  readonly stallMs: number
  readonly onStderr: ((bytes: Uint8Array) => void | Promise<void>) | undefined
}

/** How much of the end of stderr is kept for errors. */
const STDERR_TAIL_BYTES = 64 * 1024
/** After the end of the process: silence this long on pipes that others hold open means that all is read. */
const QUIET_MS = 40
/** And those who go on writing are not listened to for longer than this. */
const REST_MS = 200
/** Of what a process writes on while it is ended, so much is looked at; a flood would hold up its own end. */
const LAST_BYTES = 1024 * 1024
/** A broken pipe mostly is the first sign of an exit: how long to wait for the better reason. */
const EXIT_FOLLOWS_MS = 200

/** Reads and writes from its making on. `close` leaves no process, no pipe and no timer. */
export class StdioLink implements Link {
  readonly #options: StdioLinkOptions
  readonly #child: PipedProcess
  readonly #process: ServerProcess
  readonly #pace: Pace
  readonly #stderrPace: Pace
  readonly #reader: LineReader
  readonly #writer: JoinedWriter
  #stderrLines: LineReader | undefined
  #stderrTail: ByteTail | undefined
  #openPipes = 2
  #heard = false
  #lastBytes = 0
  #timer: Timer | undefined
  #closing: Promise<void> | undefined
  #ended = false
  #onEnd: (() => void) | undefined

  constructor(started: StartedProcess, options: StdioLinkOptions) {
    const { port } = options
    this.#options = options
    this.#child = started.child
    this.#pace = new Pace(started.child.stdout)
    this.#stderrPace = new Pace(started.child.stderr)
    this.#process = new ServerProcess(started, {
      processes: options.processes,
      clock: options.clock,
      watch: options.watch,
      stopEofMs: options.stopEofMs,
      stopTermMs: options.stopTermMs,
      onExit: () => this.#onExit(),
      onForce: (step) => {
        if (!this.#ended) port.note({ kind: 'stop', data: { step } })
      },
    })
    this.#reader = createLineReader({
      maxBytes: port.maxMessageBytes,
      onText: (text) => this.#pace.mind(port.text(text)),
      onUnreadable: (piece) => this.#pace.mind(port.unreadable(piece)),
    })
    this.#writer = createJoinedWriter(started.child.stdin, {
      clock: options.clock,
      stallMs: options.stallMs,
      onFailed: (error) =>
        this.#onBroken('DP_TRANSPORT_WRITE', 'does not read its input any more', error),
      onStalled: () => this.#onStalled(),
    })
    this.#listen(started.child)
    port.note({ kind: 'spawn', data: { pid: started.pid, command: started.child.spawnfile } })
  }

  get backlogMessages(): number {
    return this.#writer.backlogMessages
  }

  get backlogBytes(): number {
    return this.#writer.backlogBytes
  }

  write(outbound: Outbound): Receipt {
    if (this.#closing !== undefined) return NOT_SENT
    return this.#writer.write(outbound.text) // STDIO-02, STDIO-04
  }

  drained(): Promise<void> {
    return this.#writer.drained()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    // A full reader would keep the process from writing its last words and from ending.
    this.#pace.letGo()
    this.#stderrPace.letGo()
    this.#endInput()
    await this.#process.stop()
    if (this.#ended) return
    // The end follows the exit when the pipes are read to their end; without an exit nothing follows.
    if (this.#process.exit === undefined) this.#end()
    else await new Promise<void>((resolve) => (this.#onEnd = resolve))
  }

  #listen({ stdin, stdout, stderr }: PipedProcess): void {
    stdout.on('data', (chunk: Uint8Array) => {
      this.#heard = true
      if (!this.#ended && this.#isListening(chunk)) this.#reader.push(chunk)
    })
    stderr.on('data', (chunk: Uint8Array) => {
      this.#heard = true
      if (!this.#ended) this.#onStderr(chunk)
    })
    for (const stream of [stdout, stderr]) {
      // What breaks also closes, and the close says all that matters.
      stream.on('error', ignore)
      stream.on('close', () => this.#onPipeClosed(stream === stdout))
    }
    // Writes tell their failures by themselves.
    stdin.on('error', ignore)
  }

  #isListening({ length }: Uint8Array): boolean {
    if (this.#closing === undefined) return true
    this.#lastBytes += length
    return this.#lastBytes <= LAST_BYTES
  }

  #onStderr(chunk: Uint8Array): void {
    this.#stderrPace.mind(this.#options.onStderr?.(chunk))
    this.#stderrTail ??= createByteTail(STDERR_TAIL_BYTES)
    this.#stderrTail.append(chunk)
    this.#stderrLines ??= createStderrLines(this.#options.port)
    this.#stderrLines.push(chunk)
  }

  /** The process has ended. What it wrote may still be in the pipes: a bounded rest, so nobody is asked to wait. */
  #onExit(): void {
    this.#timer?.cancel()
    this.#pace.letGo()
    this.#stderrPace.letGo()
    if (this.#openPipes === 0) this.#end()
    else this.#awaitQuiet(this.#options.clock.now() + REST_MS)
  }

  #awaitQuiet(until: number): void {
    const { clock } = this.#options
    this.#heard = false
    this.#timer = clock.after(QUIET_MS, () => {
      // When this process was held up, the timer comes before what has long been in the pipe: read once more.
      setImmediate(() => {
        if (this.#heard && clock.now() < until) this.#awaitQuiet(until)
        else this.#end()
      })
    })
  }

  #onPipeClosed(output: boolean): void {
    this.#openPipes -= 1
    if (this.#process.exit !== undefined) {
      if (this.#openPipes === 0) this.#end()
    } else if (output) {
      this.#onBroken('DP_TRANSPORT_CLOSED', 'closed its output and goes on running', undefined)
    }
  }

  #onBroken(
    code: 'DP_TRANSPORT_CLOSED' | 'DP_TRANSPORT_WRITE',
    what: string,
    cause: unknown,
  ): void {
    if (this.#ended || this.#closing !== undefined || this.#process.exit !== undefined) return
    this.#timer ??= this.#options.clock.after(EXIT_FOLLOWS_MS, () => {
      const { name } = this.#options
      this.#end(
        new TransportError(
          code,
          `The server "${name}" ${what}. See its stderr, or connect again.`,
          {
            server: name,
            stderr: this.#stderrText(),
            cause,
            detail: { kind: code === 'DP_TRANSPORT_WRITE' ? 'input-closed' : 'output-closed' },
          },
        ),
      )
    })
  }

  #onStalled(): void {
    const { name, stallMs } = this.#options
    this.#end(
      new TransportError(
        'DP_TRANSPORT_STALLED',
        `The server "${name}" has read nothing for ${stallMs} ms while messages waited. It hangs; connect again.`,
        {
          server: name,
          stderr: this.#stderrText(),
          detail: { kind: 'stalled', ms: stallMs },
        },
      ),
    )
  }

  /** Tells the end, once, and puts everything away. */
  #end(reason?: TransportError): void {
    if (this.#ended) return
    this.#ended = true
    this.#timer?.cancel()
    const { port } = this.#options
    this.#reader.end()
    this.#stderrLines?.end()
    const { exit } = this.#process
    if (exit !== undefined) port.note({ kind: 'exit', data: { ...exit } })
    const { stdout, stderr } = this.#child
    this.#endInput()
    stdout.destroy()
    stderr.destroy()
    // Of a group whose leader is gone, others may live.
    void this.#process.stop()
    port.closed(reason ?? (this.#closing === undefined ? this.#exitError() : undefined))
    this.#onEnd?.()
  }

  #endInput(): void {
    const { stdin } = this.#child
    if (this.#ended) {
      this.#writer.stop()
      stdin.destroy()
    } else {
      // What was accepted before still goes out first, if the process reads it.
      void this.#writer.drained().then(() => stdin.end())
    }
  }

  #exitError(): TransportError {
    const { name } = this.#options
    const { exitCode, signal } = this.#process.exit ?? {}
    const how =
      signal === undefined
        ? `ended with exit code ${exitCode}`
        : `was ended by the signal ${signal}`
    const stderr = this.#stderrText()
    return new TransportError(
      'DP_TRANSPORT_EXIT',
      `The server "${name}" ${how}. ${lastWords(stderr)}`,
      { server: name, exitCode, signal, stderr, detail: { kind: 'exited' } },
    )
  }

  #stderrText(): string {
    return this.#stderrTail === undefined ? '' : showUtf8(this.#stderrTail.bytes())
  }
}

function ignore(): void {}
