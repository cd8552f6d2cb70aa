/**
 * Everything that a run of a model with tools needs, opened in order and surely closed: the model, the servers of the
 * configuration behind their gate, the session with its conversation, its artifacts and the recording of the whole wire.
 */

import { randomBytes } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { readArtifactTool } from '../agent/artifact-tool.ts'
import { memoryArtifacts, type ArtifactStore } from '../agent/artifacts.ts'
import type { Model } from '../agent/model.ts'
import { artifactFolder } from '../agent/node/artifact-folder.ts'
import { openTranscriptFile } from '../agent/node/transcript-file.ts'
import { Transcript } from '../agent/transcript.ts'
import { openCapture, type CaptureFile } from '../capture/node/file.ts'
import { PRODUCT } from '../client/options.ts'
import type { Config } from '../config/config.ts'
import { stateFolder } from '../config/node/home.ts'
import { policyOf } from '../host/config-policy.ts'
import { asError } from '../base/errors.ts'
import { Host } from '../host/host.ts'
import { joinSinks, type WireSink } from '../jsonrpc/wire.ts'
import {
  checkPriced,
  costsOf,
  openModel,
  tellShortKey,
  type Costs,
  type OpenModel,
} from './agent-model.ts'
import { systemOf, type AgentCommandOptions, type AgentRun } from './agent-options.ts'
import {
  filledIn,
  keptModel,
  resumedModel,
  type AskedModel,
  type ResumedModel,
} from './agent-resumed.ts'
import {
  Sessions,
  sessionsFolder,
  type KnownSession,
  type OpenSession,
  type SessionKind,
  type SpentSoFar,
} from './agent-sessions.ts'
import type { ServerStatus } from '../host/state.ts'
import { personAsked } from './person-asked.ts'
import { serverNews } from './server-news.ts'
import type { TerminalTurn } from './terminal-turn.ts'
import { loadServers, settle, unbound } from './host-session.ts'
import { noteSink } from './note-log.ts'
import { longEnough } from './secrets.ts'
import { startTrace } from './trace.ts'

/** What is open, for as long as `use` runs. */
export interface AgentRoom {
  readonly run: AgentRun
  readonly options: AgentCommandOptions
  readonly config: Config
  readonly host: Host
  readonly transcript: Transcript
  /** Lines of the transcript that could not be read. */
  readonly unreadLines: number
  readonly artifacts: ArtifactStore
  readonly system: string
  /** Names the session in the recording. */
  readonly runId: string
  readonly wire: WireSink
  /** Undefined where nothing is kept. */
  readonly session: OpenSession | undefined
  /** What was known of the session before, when it was taken up again. */
  readonly before: KnownSession | undefined
  /** How its model is asked now, beside how it was; undefined where none was taken up. */
  readonly resumed: ResumedModel | undefined
  readonly costs: Costs
  /** The model; another one may take its place between two runs. */
  model: OpenModel
  /** What the session came to so far. */
  spent: SpentSoFar
  /** Settles when all that crossed the wire is in the recording. */
  flush(): Promise<void>
}

export interface RoomWishes {
  /** What the session is. */
  readonly kind: SessionKind
  /** Takes up the session of this id, or with `true` the last one of its kind. Default: a new one. */
  readonly resume?: string | true | undefined
  /** Stands between a question and the terminal. */
  readonly turn?: TerminalTurn
  /** Hears of a server that was lost or is back, from the beginning on; safe, and with what is secret hidden. */
  readonly tellServer?: (text: string, status: ServerStatus) => void
  /** Ends what is under way, as for a Ctrl-C at a question, which is a no as well. */
  readonly interrupt: () => void
}

/**
 * Opens all of it, hands it to `use`, and closes it whatever happened. A session that is taken up again has its own model, as far
 * as `given` names no other.
 */
export async function withAgentRoom(
  run: AgentRun,
  given: AgentCommandOptions,
  wishes: RoomWishes,
  use: (room: AgentRoom) => Promise<void>,
): Promise<void> {
  // First what costs nothing and fails most often; a session that there is not needs no key.
  const before = await earlierSession(run, wishes)
  const options =
    before === undefined ? given : filledIn(given, askedBefore(before), run.invocation.env)
  const model = await openModel(run, options)
  let current = (): OpenModel => model
  const closers: Closers = [() => current().model.close?.(), staysAlive()]
  try {
    tellShortKey(run, model)
    const system = await systemOf(run, options)
    const costs = await costsOf(run)
    checkPriced(run, options, { model: model.model, costs })
    const config = unbound(await loadServers(run, options, { start: true }), { lazy: true })
    const all = [...config.entries.flatMap((entry) => entry.secrets), ...model.secrets]
    const secrets = all.filter(longEnough)
    run.invocation.mask.know(secrets)
    const kept = await openKept(run, options, { before, kind: wishes.kind, closers })
    const recording = await openRecordings(run, options, { kept, secrets, closers })
    const host = await openHost(run, { config, options, wire: recording.wire, wishes, kept })
    closers.push(() => host.close())
    host.mount([readArtifactTool(kept.artifacts)], { labels: ['untrusted-content'] })
    await settle(run, host)
    const { session, transcript, unreadLines, artifacts, runId } = kept
    // What strangers wrote is in the conversation still, or what was made of it.
    if (before !== undefined) host.recall(transcript.toolsRead(aliasesOf(host)))
    const room: AgentRoom = {
      run,
      options,
      config,
      host,
      transcript,
      unreadLines,
      artifacts,
      system,
      runId,
      wire: recording.wire,
      session,
      before,
      resumed:
        before &&
        resumedModel(given, options, {
          before: askedBefore(before),
          now: askedNow(run, options, model),
        }),
      costs,
      model,
      spent: before?.spent ?? { turns: 0, usage: { input: 0, output: 0 }, usd: 0 },
      flush: () => recording.flush(),
    }
    current = () => room.model
    await use(room)
  } finally {
    await closeAll(closers)
  }
}

function askedBefore({ model, kept }: KnownSession): AskedModel {
  return { model, kept }
}

function askedNow(
  { invocation }: AgentRun,
  options: AgentCommandOptions,
  { model }: OpenModel,
): AskedModel {
  return { model: modelLabel(model), kept: keptModel(options, invocation.env, invocation.mask) }
}

/** What is written down of a session's model. */
export function askedModel({
  run,
  options,
  model,
}: Pick<AgentRoom, 'run' | 'options' | 'model'>): AskedModel {
  return askedNow(run, options, model)
}

function aliasesOf(host: Host): ReadonlySet<string> {
  return new Set(host.tools().map(({ alias }) => alias))
}

/** Waits before a repeat do not hold a process, and without servers nothing else does. */
function staysAlive(): () => void {
  const timer = setInterval(() => {}, LONG_MS)
  return () => clearInterval(timer)
}

const LONG_MS = 1_000_000_000

/** As `deepseek:deepseek-flash`. */
export function modelLabel({ provider, name }: Pick<Model, 'provider' | 'name'>): string {
  return `${provider}:${name}`
}

/** The sessions of this user. */
export function sessionsOf({ invocation, own }: AgentRun): Sessions {
  return new Sessions(sessionsFolder(invocation.env), { faults: own.faults })
}

interface Kept {
  readonly session: OpenSession | undefined
  readonly transcript: Transcript
  readonly unreadLines: number
  readonly artifacts: ArtifactStore
  readonly runId: string
}

type Closers = (() => unknown)[]

/** The session that is taken up again; undefined where none is wanted. Rejects with a `UsageError` where there is none. */
async function earlierSession(
  run: AgentRun,
  { kind, resume }: RoomWishes,
): Promise<KnownSession | undefined> {
  if (resume === undefined) return undefined
  return sessionsOf(run).find(resume === true ? undefined : resume, kind)
}

async function openKept(
  run: AgentRun,
  { save }: AgentCommandOptions,
  parts: {
    readonly before: KnownSession | undefined
    readonly kind: SessionKind
    readonly closers: Closers
  },
): Promise<Kept> {
  const { before, kind, closers } = parts
  const runId = randomBytes(8).toString('hex')
  if (save === false && before === undefined) {
    const rest = { session: undefined, unreadLines: 0, runId }
    return { transcript: new Transcript(), artifacts: memoryArtifacts(), ...rest }
  }
  const sessions = sessionsOf(run)
  const session =
    before === undefined ? await sessions.begin(kind) : await sessions.resume(before.id)
  const gone = { said: false }
  closers.push(() => (before === undefined && !gone.said ? session.discard() : session.close()))
  const file = await openTranscriptFile(session.transcriptPath)
  closers.push(() => {
    gone.said = file.transcript.messages.length > 0 || file.transcript.turns > 0
    return file.close()
  })
  return {
    session,
    transcript: file.transcript,
    unreadLines: file.problems.length,
    artifacts: await artifactFolder(session.artifactsPath),
    runId,
  }
}

/** The recording of the session, and what `--trace` and `--capture` want beside it. */
async function openRecordings(
  { invocation }: AgentRun,
  options: AgentCommandOptions,
  parts: { readonly kept: Kept; readonly secrets: readonly string[]; readonly closers: Closers },
): Promise<{ readonly wire: WireSink; flush(): Promise<void> }> {
  const { kept, secrets, closers } = parts
  const file = await sessionCapture(kept.session, secrets)
  if (file !== undefined) closers.push(() => file.close())
  const trace = await startTrace(invocation, options, secrets)
  closers.push(() => trace.close())
  const wire = joinSinks(file?.sink, trace.sink, noteSink(invocation.logger)) ?? (() => {})
  return { wire, flush: async () => file?.flush() }
}

async function sessionCapture(
  session: OpenSession | undefined,
  secrets: readonly string[],
): Promise<CaptureFile | undefined> {
  if (session === undefined) return undefined
  const path = session.capturePath
  const isThere = await lstat(path).then(
    () => true,
    () => false, // the first run of the session
  )
  return openCapture(path, {
    product: `${PRODUCT.name}/${PRODUCT.version}`,
    redact: { secrets },
    existing: isThere ? 'append' : 'refuse',
  })
}

async function openHost(
  run: AgentRun,
  parts: {
    readonly config: Config
    readonly options: AgentCommandOptions
    readonly wire: WireSink
    readonly wishes: RoomWishes
    readonly kept: Kept
  },
): Promise<Host> {
  const { config, options, wire, wishes, kept } = parts
  const { env, logger } = run.invocation
  const { consent, answers } = await personAsked(run, options, wishes)
  return Host.open(config, {
    home: stateFolder(env),
    readResource: true,
    logger,
    policy: policyOf(config).policy, // what is wrong with it was told when it was read
    wire,
    consent,
    answers,
    onStatus: serverNews(run.words, (text, status) =>
      wishes.tellServer?.(run.invocation.mask.text(text), status),
    ),
    run: kept.runId,
  })
}

/** The last opened first; one that fails keeps none of the others open. */
async function closeAll(closers: Closers): Promise<void> {
  let failure: unknown
  for (const close of closers.reverse()) {
    try {
      await close()
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw asError(failure)
}
