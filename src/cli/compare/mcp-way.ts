/**
 * The way over the protocol: a host of this program, with the tool in a process of its own and once more in Python. Every message is
 * kept as it crosses, with the ids that tie it to a call.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CancelledError, TimeoutError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { configOf } from '../../config/config.ts'
import type { StdioEntry } from '../../config/entry.ts'
import { Host } from '../../host/host.ts'
import type { HostCallOptions } from '../../host/host-options.ts'
import type { HostTool } from '../../host/host-tool.ts'
import type { WireEvent, WireMessageEvent, WireNoteEvent, WireSink } from '../../jsonrpc/wire.ts'
import { DEFAULT_POLICY, type Policy } from '../../policy/policy.ts'
import type { CallToolResult } from '../../protocol/types/tools.ts'
import type { ToolDefinition } from '../../tools/define.ts'
import { givenEntry } from './given-entry.ts'
import { PYTHON_SERVER } from './python-server.ts'
import { described, type Subject } from './subject.ts'
import { readTool, TOOL_FILE, writeTool, type EditableTool } from './tool-file.ts'

export interface McpWayOptions {
  readonly subject: Subject
  /** Path of this program. */
  readonly program: string
  readonly logger: Logger
  readonly wire: WireSink | undefined
}

/** Key of the server in Python. */
const PYTHON = 'python'
/** Turn of the one call that is shown, and its name, in captures. */
export const TURN = 't1'
export const CALL = 't1c1'

/** Longest wait for what must come, in ms. */
const PATIENCE_MS = 20_000

/** Most messages that are kept: what is measured over many calls is counted, not kept. */
const MAX_KEPT = 64

const TOOL_JSON = 'tool.json'

/** Each message is a line. */
const LINE_END = 1

export class McpWay implements AsyncDisposable {
  readonly host: Host
  readonly subject: Subject
  /** The first messages between the host and the server of the tool. */
  readonly frames: WireMessageEvent[] = []
  /** What the host decided over the call that is shown. */
  decision: WireNoteEvent | undefined
  /** Bytes between the host and the server so far, both directions. */
  bytes = 0
  /** The same in messages. */
  messages = 0
  #onEvent: (() => void) | undefined
  readonly #folder: string

  private constructor(host: Host, subject: Subject, folder: string) {
    this.host = host
    this.subject = subject
    this.#folder = folder
  }

  /** Starts both servers and waits for them. Python may be missing; the other may not. */
  static async open({ subject, program, logger, wire }: McpWayOptions): Promise<McpWay> {
    const folder = await mkdtemp(join(tmpdir(), 'deep-pilot-compare-'))
    const file = join(folder, TOOL_JSON)
    const opened: { way?: McpWay } = {}
    const early: WireEvent[] = []
    try {
      const { description = '' } = subject.definition.tool
      await writeTool(file, { description })
      const host = await Host.open(configOf([entryOf(subject, program, file), PYTHON_ENTRY]), {
        logger,
        lock: false,
        pinning: 'off',
        policy: policyFor(subject),
        wire: (event) => {
          wire?.(event)
          if (opened.way === undefined) early.push(event)
          else opened.way.#hear(event)
        },
      })
      const way = new McpWay(host, subject, folder)
      opened.way = way
      for (const event of early) way.#hear(event)
      await host.settled()
      host.turn()
      return way
    } catch (error) {
      await opened.way?.host.close()
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** The tool in the host's list; undefined while its server offers none. */
  get tool(): HostTool | undefined {
    return this.host.tools().find(({ server }) => server === this.subject.name)
  }

  get pid(): number | undefined {
    return this.#status(this.subject.name)?.pid
  }

  /** What runs the tool in Python; undefined where there is none. */
  get python(): { readonly pid: number | undefined; readonly version: string } | undefined {
    const status = this.#status(PYTHON)
    if (status?.info === undefined) return undefined
    return { pid: status.pid, version: status.info.version }
  }

  /** Calls the tool as the subject wants it, through the gate. */
  call(options: HostCallOptions): Promise<CallToolResult> {
    const { name, args } = this.subject
    return this.host.callTool({ server: name, name }, args, options)
  }

  /** The same in Python. */
  callPython(options: HostCallOptions): Promise<CallToolResult> {
    const { name, args } = this.subject
    return this.host.callTool({ server: PYTHON, name }, args, options)
  }

  /** Settles when something holds of the tools as of a new turn; looked at whenever something crosses. */
  async until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
    try {
      await new Promise<void>((resolve, reject) => {
        const look = (): void => {
          this.host.turn()
          if (holds()) resolve()
        }
        // What an event changes is done behind it.
        this.#onEvent = () => setImmediate(look)
        limit.addEventListener('abort', () => reject(gaveUp(signal)), { once: true })
        look()
      })
    } finally {
      this.#onEvent = undefined
    }
  }

  /** Edits the tool, as its author would. */
  edit(tool: EditableTool): Promise<void> {
    return writeTool(join(this.#folder, TOOL_JSON), tool)
  }

  /** The tool as a program in this process has it: read once. */
  load(): ToolDefinition {
    const { definition } = this.subject
    const { description } = readTool(join(this.#folder, TOOL_JSON))
    return description === undefined ? definition : described(definition, description)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #status(key: string): ReturnType<Host['servers']>[number] | undefined {
    return this.host.servers().find((server) => server.key === key)
  }

  #hear(event: WireEvent): void {
    if (event.type === 'note' && event.note.kind === 'decision' && event.note.chain?.call === CALL)
      this.decision = event
    if (event.type === 'message' && event.transport === this.subject.name) {
      this.bytes += Buffer.byteLength(event.text) + LINE_END
      this.messages += 1
      if (this.frames.length < MAX_KEPT) this.frames.push(event)
    }
    this.#onEvent?.()
  }
}

function gaveUp(signal: AbortSignal): Error {
  return signal.aborted
    ? new CancelledError('The comparison was given up.', { reason: signal.reason })
    : new TimeoutError('The server of the comparison did not tell of its change in time.', {
        timer: 'total',
        ms: PATIENCE_MS,
        setBy: 'default',
      })
}

function entryOf(subject: Subject, program: string, file: string): StdioEntry {
  return {
    ...givenEntry(subject.name),
    transport: 'stdio',
    command: process.execPath,
    args: [program, 'compare', '--role', 'server', '--tool', subject.name],
    env: { [TOOL_FILE]: file },
  }
}

const PYTHON_ENTRY: StdioEntry = {
  ...givenEntry(PYTHON),
  transport: 'stdio',
  command: process.platform === 'win32' ? 'python' : 'python3',
  args: ['-c', PYTHON_SERVER],
  env: {},
}

/** Both servers may be called, each by a rule that names it. */
function policyFor({ name }: Subject): Policy {
  const rules = [name, PYTHON].map((tools) => ({ effect: 'allow', tools }) as const)
  return { ...DEFAULT_POLICY, rules }
}
