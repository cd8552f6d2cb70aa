/**
 * What a client can be told when it connects, with its defaults, and what it therefore says of itself.
 *
 * A question of the server is only answered, and only declared, when something here can answer it.
 */

import { systemClock, systemRandom, type Clock, type Random } from '../base/clock.ts'
import { UsageError } from '../base/errors.ts'
import { silentLogger, type Logger } from '../base/log.ts'
import type { Notification } from '../jsonrpc/message.ts'
import type { RequestOptions, TimerSetting } from '../jsonrpc/exchange.ts'
import type { Chain, WireSink } from '../jsonrpc/wire.ts'
import type { ClientIdentity } from '../protocol/dialect.ts'
import type { Extension } from '../protocol/extension.ts'
import type { Revision } from '../protocol/revision.ts'
import type {
  ClientCapabilities,
  ClientTasksCapability,
  Icon,
  LoggingLevel,
  Progress,
} from '../protocol/types/common.ts'
import type {
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
} from '../protocol/types/elicitation.ts'
import type { LoggingMessage } from '../protocol/types/logging.ts'
import type { Root } from '../protocol/types/roots.ts'
import type { CreateMessageParams, CreateMessageResult } from '../protocol/types/sampling.ts'
import type { TaskState } from '../protocol/types/tasks.ts'
import type { TraceContext } from '../tools/context.ts'
import { ResponseCache } from './cache.ts'

/** What a question is answered with. */
export interface AnswerContext {
  /** Aborts when the server gives its question up, or the call that asked is given up. */
  readonly signal: AbortSignal
  /** Who asks: the name of the transport, for people. What a server calls itself is no proof of who it is. // ELIC-25 */
  readonly server: string
}

/** Who answers the server's questions. What is absent is not declared, and refused with -32601. */
export interface Answers {
  /**
   * `file://` URIs, or a function that gives them when asked. Roots that a function gives may change: tell the server of it
   * by `client.rootsChanged()`. Roots of a list never do. // ROOT-04, ROOT-05
   */
  readonly roots?: readonly Root[] | ((context: AnswerContext) => Promise<readonly Root[]>)
  readonly sampling?: (
    params: CreateMessageParams,
    context: AnswerContext,
  ) => Promise<CreateMessageResult>
  /** Whether `sampling` understands `tools` and `toolChoice`. Default false. // SAMP-06 */
  readonly samplingTools?: boolean
  /**
   * Whether a server of 2025-11-25 may ask for its question to be answered as a task, and come back for the answer: for people
   * who take their time. Default false. // TASK-01
   */
  readonly tasks?: boolean
  /** Fills in forms. */
  readonly elicitation?: (params: ElicitFormParams, context: AnswerContext) => Promise<ElicitResult>
  /** Takes a person to a URL, after asking; `accept` means that they agreed to go. // ELIC-19, ELIC-20 */
  readonly elicitationUrl?: (
    params: ElicitUrlParams,
    context: AnswerContext,
  ) => Promise<ElicitResult>
  /**
   * Settles when a person says that they are done at the URL that a call waits for: the call is then made again. It is made
   * as well when the server says so first, which aborts `signal`; a rejection gives it up. Where this is absent only the
   * server's word counts. // ELIC-17
   */
  readonly elicitationDone?: (params: ElicitUrlParams, context: AnswerContext) => Promise<void>
}

/** Time limits in ms. */
export interface ClientTimeouts {
  /** How long the era probe is waited for before the handshake is tried. Default 1,000. // VERS-26 */
  readonly probeMs?: number
  /** How long the server may take until requests can flow. Default 30,000, or what the transport says. */
  readonly startMs?: number
  /** Longest wait of a request without a sign of life. Default 60,000. */
  readonly idleMs?: number
  /** Longest wait of a request in all. Default 600,000. */
  readonly totalMs?: number
  /** Where the values above were set, for errors, as a place in a file. Default `client` for each. */
  readonly setBy?: { readonly start?: string; readonly idle?: string; readonly total?: string }
}

/** What became of a link of a client that opens its link again by itself. */
export type LinkChange =
  | { readonly kind: 'lost'; readonly reason: Error | undefined }
  | { readonly kind: 'reopened' }

export interface ClientOptions {
  /** Told to the server, for display. Default `deep-pilot`. */
  readonly name?: string
  readonly version?: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
  readonly answers?: Answers
  /** Replaces what `answers` and `extensions` declare, exactly. For tests of servers. */
  readonly capabilities?: ClientCapabilities
  /** Extensions to use where the server has them; any that is not named here is off. Default none. // EXT-01, EXT-03 */
  readonly extensions?: readonly Extension[]
  /** `auto` finds out how the server speaks. Default `auto`. // VERS-09 */
  readonly era?: 'auto' | 'legacy' | 'modern'
  /** Revisions to speak; one alone is spoken or connecting fails. Default: all five, the newest that both know. */
  readonly revisions?: readonly Revision[]
  readonly timeouts?: ClientTimeouts
  /** Check arguments against the tool's schema, where a list told it, before anything is sent. Default true. */
  readonly checkArguments?: boolean
  /** Check structured results against the tool's output schema. Default true. // TOOL-08 */
  readonly checkResults?: boolean
  /** Least level of the server's log messages to ask for. Default: ask for none. // LOG-03, LOG-05 */
  readonly logLevel?: LoggingLevel
  readonly onLog?: (message: LoggingMessage) => void
  /** Notifications that nothing else took, by method. */
  readonly onNotification?: (method: string, params: unknown) => void
  /** Hears every message of this connection, exactly as it crosses. */
  readonly wire?: WireSink
  readonly logger?: Logger
  /** Longest message accepted, in bytes. Default 32 MiB. */
  readonly maxMessageBytes?: number
  /** Requests that may wait at once. Default 1,024. */
  readonly maxPending?: number
  /** Rounds of questions within one call. Default 10. // MRTR-14 */
  readonly maxRounds?: number
  /**
   * Open the connection again when it is lost, or when the server has forgotten its session: up to five times in a row, each
   * later than the one before. Calls that surely did nothing, and requests that only read, are then made a second time;
   * others fail and say that nobody knows. Default: what the transport says of itself (`reopens`). // HTTP-32
   */
  readonly reconnect?: boolean
  /** Hears when a link was lost that is to be opened again, and when it was. The end for good is told by `closed`. Must not throw. */
  readonly onLink?: (change: LinkChange) => void
  /**
   * Believe what the server says of its tools: one that calls itself read-only or idempotent may be called a second time when
   * the connection was lost over the first. Default false. // TOOL-18
   */
  readonly trusted?: boolean
  /**
   * Where results are kept that a server of the modern era allows to be kept; `false`: nowhere. Default: a cache of this client
   * alone, of 1,000 results and 16 MiB. // CACHE-03
   */
  readonly cache?: ResponseCache | false
  /**
   * Names who asks, for a cache that several clients share: what a server calls private is given only to the same name. Never
   * the credential itself. A function is asked each time. Default: a name that no other client has. // CACHE-04
   */
  readonly authorization?: string | (() => string)
  /** Give a result that is no longer fresh when the server cannot be reached. Default false. // CACHE-10 */
  readonly serveStale?: boolean
  /** The trace that a request belongs to, asked for each: W3C Trace Context and Baggage. What has not their form is not sent. // META-13 */
  readonly trace?: () => TraceContext | undefined
  readonly clock?: Clock
  /** Jitter of the pauses between tries. Default: the system's. */
  readonly random?: Random
  /** Gives up connecting. Has no effect afterwards. */
  readonly signal?: AbortSignal
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Longest wait without a sign of life, in ms. Default: the client's. */
  readonly timeoutMs?: number
  /** Longest wait in all, in ms. Default: the client's. */
  readonly totalTimeoutMs?: number
  /** Where the two limits were set, for errors. Default `call` for each. */
  readonly limitsSetBy?: { readonly idle?: string; readonly total?: string }
  /** Whether progress starts the first limit anew. Default true. // LIFE-20 */
  readonly resetOnProgress?: boolean
  readonly onProgress?: (progress: Progress) => void
  readonly logLevel?: LoggingLevel
  /**
   * Asks a server of 2025-11-25 to make a task of the call, where it can; a tool that demands one is always called so.
   * `ttlMs` is how long the task should be kept. Other revisions take no wishes: there the server decides. // TASK-02
   */
  readonly task?: { readonly ttlMs?: number }
  /** Hears how the task goes that a call has become, first when it is made and last when it has ended. */
  readonly onTask?: (task: TaskState) => void
  /** Names this call in captures. */
  readonly chain?: Chain
}

/** Options with every default in place. */
export interface Settings {
  readonly identity: ClientIdentity
  readonly answers: Answers
  readonly extensions: readonly Extension[]
  readonly idle: TimerSetting
  readonly total: TimerSetting
  readonly maxRounds: number
  readonly checkArguments: boolean
  readonly checkResults: boolean
  /** The one setting that may change later. */
  logLevel: LoggingLevel | undefined
  readonly trusted: boolean
  readonly cache: ResponseCache | undefined
  readonly authorization: string | (() => string)
  readonly serveStale: boolean
  readonly onLink: ((change: LinkChange) => void) | undefined
  readonly trace: (() => TraceContext | undefined) | undefined
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** What a call without options is sent with. */
  readonly plain: RequestOptions
}

/** Name and version a client gives when its owner gave none. */
export const PRODUCT: { readonly name: string; readonly version: string } = {
  name: 'deep-pilot',
  version: '0.8.0',
}

export function settingsOf(options: ClientOptions): Settings {
  const answers = options.answers ?? {}
  if (Array.isArray(answers.roots)) checkRoots(answers.roots)
  const { title, description, websiteUrl, icons, timeouts } = options
  const { clock = systemClock, extensions = [] } = options
  const idle = timer(timeouts?.idleMs, timeouts?.setBy?.idle, 60_000)
  const total = timer(timeouts?.totalMs, timeouts?.setBy?.total, 600_000)
  return {
    identity: {
      info: {
        name: options.name ?? PRODUCT.name,
        version: options.version ?? PRODUCT.version,
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
        ...(websiteUrl === undefined ? {} : { websiteUrl }),
        ...(icons === undefined ? {} : { icons }),
      },
      capabilities: options.capabilities ?? capabilitiesOf(answers, extensions),
    },
    answers,
    extensions,
    idle,
    total,
    maxRounds: options.maxRounds ?? 10,
    checkArguments: options.checkArguments !== false,
    checkResults: options.checkResults !== false,
    logLevel: options.logLevel,
    trusted: options.trusted === true,
    cache: cacheOf(options, clock),
    authorization: options.authorization ?? `\u0000${(unnamed += 1)}`,
    serveStale: options.serveStale === true,
    onLink: options.onLink,
    trace: options.trace,
    clock,
    random: options.random ?? systemRandom,
    logger: (options.logger ?? silentLogger).module('client'),
    plain: optionsOf({ idle, total }, {}),
  }
}

/** Clients so far that named nobody. */
let unnamed = 0

function cacheOf({ cache }: ClientOptions, clock: Clock): ResponseCache | undefined {
  return cache === false ? undefined : (cache ?? new ResponseCache({ clock }))
}

/**
 * The options of one request, from those of a call and the client's own. Every member is written, in one order: the
 * engine then sees one shape in all requests. Calls without options share one object.
 */
export function requestOptions(settings: Settings, call: CallOptions | undefined): RequestOptions {
  return call === undefined ? settings.plain : optionsOf(settings, call)
}

function optionsOf(
  { idle, total }: Pick<Settings, 'idle' | 'total'>,
  call: CallOptions,
): RequestOptions {
  const { signal, timeoutMs, totalTimeoutMs, limitsSetBy, onProgress, chain } = call
  return {
    signal,
    idle: timeoutMs === undefined ? idle : limit(timeoutMs, limitsSetBy?.idle),
    total: totalTimeoutMs === undefined ? total : limit(totalTimeoutMs, limitsSetBy?.total),
    resetOnProgress: call.resetOnProgress,
    timer: undefined,
    uncancellable: false,
    onNotification: onProgress === undefined ? undefined : progressListener(onProgress),
    facts: undefined,
    chain,
  }
}

function progressListener(
  onProgress: (progress: Progress) => void,
): (notification: Notification) => void {
  return ({ method, params }) => {
    if (method === 'notifications/progress' && isProgress(params)) onProgress(params)
  }
}

function timer(ms: number | undefined, setBy: string | undefined, fallback: number): TimerSetting {
  return ms === undefined ? { ms: fallback, setBy: 'default' } : { ms, setBy: setBy ?? 'client' }
}

function limit(ms: number, setBy: string = 'call'): TimerSetting {
  return { ms, setBy }
}

function isProgress(params: unknown): params is Progress {
  return (
    typeof params === 'object' &&
    params !== null &&
    typeof (params as Progress).progress === 'number'
  ) // read, then checked
}

function capabilitiesOf(answers: Answers, extensions: readonly Extension[]): ClientCapabilities {
  const declared = extensions.filter(({ declaredBy }) => declaredBy !== 'server')
  const { elicitation, elicitationUrl } = answers
  const forms = elicitation === undefined ? {} : { form: {} }
  const urls = elicitationUrl === undefined ? {} : { url: {} }
  return {
    ...(answers.roots === undefined
      ? {}
      : { roots: typeof answers.roots === 'function' ? { listChanged: true } : {} }), // ROOT-01, ROOT-05
    ...(answers.sampling === undefined
      ? {}
      : { sampling: answers.samplingTools === true ? { tools: {} } : {} }), // SAMP-01
    ...(elicitation === undefined && elicitationUrl === undefined
      ? {}
      : { elicitation: { ...forms, ...urls } }), // ELIC-01
    ...(answers.tasks === true ? { tasks: answerTasks(answers) } : {}), // TASK-01
    ...(declared.length === 0
      ? {}
      : { extensions: Object.fromEntries(declared.map(({ id }) => [id, {}])) }), // EXT-01
  }
}

/** The questions that may become tasks. No list: there is nobody who could tell whose they are. // TASK-14 */
function answerTasks(answers: Answers): ClientTasksCapability {
  const { sampling, elicitation, elicitationUrl } = answers
  const asks = (elicitation ?? elicitationUrl) !== undefined
  return {
    cancel: {},
    requests: {
      ...(sampling === undefined ? {} : { sampling: { createMessage: {} } }),
      ...(asks ? { elicitation: { create: {} } } : {}),
    },
  }
}

/** Throws `UsageError` for a root that is no `file://` URI. // ROOT-04 */
export function checkRoots(roots: readonly Root[]): void {
  for (const { uri } of roots) {
    if (!uri.startsWith('file://')) {
      throw new UsageError(`A root must be a file:// URI, and ${JSON.stringify(uri)} is none.`)
    }
  }
}
