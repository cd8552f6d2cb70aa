/**
 * Runs the steps of one case of the case list with the project's own client against a misbehaving server that the
 * case names, and tells everything that did not go as the case expects.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { Answers, CallOptions, ClientOptions } from '../../src/client/options.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { Transport } from '../../src/jsonrpc/link.ts'
import type { ClientCapabilities } from '../../src/protocol/types/common.ts'
import type { ElicitResult } from '../../src/protocol/types/elicitation.ts'
import { isRevision } from '../../src/protocol/revision.ts'
import { http } from '../../src/transport/node/http-client.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { webSocket } from '../../src/transport/node/websocket.ts'
import { HttpServerProcess } from './http/server-process.ts'
import { misfit, textOf, type StepOutcome } from './case-match.ts'

export interface Step {
  readonly op: string
  readonly name?: string
  readonly method?: string
  readonly args?: JsonObject
  readonly params?: JsonObject
  readonly ms?: number
  readonly timeout_ms?: number
  readonly total_ms?: number
  readonly reset_on_progress?: boolean
  readonly within_ms?: number
  readonly at_least_ms?: number
  readonly after_ms?: number
  readonly save?: string
  readonly of?: string
  readonly steps?: readonly Step[]
  readonly expect?: JsonObject
}

export interface Case {
  readonly id: string
  readonly kind: string
  readonly file: string
  /** For server cases: the file of what is expected. */
  readonly expect?: string
  readonly within_ms: number
  readonly steps: readonly Step[]
  readonly client?: {
    readonly era?: 'legacy' | 'auto' | 'modern'
    readonly version?: string
    readonly capabilities?: ClientCapabilities
    readonly elicit?: ElicitResult
    readonly watch_lists?: boolean
    readonly transport?: 'auto'
    readonly headers?: Readonly<Record<string, string>>
  }
}

/** Everything that went otherwise than expected, one line each; empty when all is well. */
export async function runClientCase(one: Case, folder: string): Promise<readonly string[]> {
  const run = new CaseRun(one, folder)
  const startedAt = performance.now()
  try {
    for (const step of one.steps) {
      if (run.leavesOut(step)) continue
      await run.step(step, step.within_ms)
    }
  } finally {
    await run.end()
  }
  const took = performance.now() - startedAt
  return took <= one.within_ms
    ? run.problems
    : [...run.problems, `the case took ${Math.round(took)} ms`]
}

const NEEDS_CONNECTION = new Set(['listTools', 'callTool', 'request', 'close', 'parallel'])

class CaseRun {
  readonly problems: string[] = []
  readonly #case: Case
  readonly #folder: string
  readonly #saved = new Map<string, unknown>()
  #client: Client | undefined
  #server: HttpServerProcess | undefined

  constructor(one: Case, folder: string) {
    this.#case = one
    this.#folder = folder
  }

  leavesOut({ op }: Step): boolean {
    return NEEDS_CONNECTION.has(op) && this.#client === undefined
  }

  async step(step: Step, withinMs: number | undefined): Promise<void> {
    if (step.op === 'parallel') {
      const steps = step.steps ?? []
      await Promise.all(
        steps.map(async (one) => {
          if (one.after_ms !== undefined) await sleep(one.after_ms)
          await this.step(one, one.within_ms ?? step.within_ms)
        }),
      )
      return
    }
    const startedAt = performance.now()
    const outcome = await this.#attempt(step)
    const took = performance.now() - startedAt
    const label = `${step.op}${step.name === undefined ? '' : ` ${step.name}`}`
    const problem = misfit(outcome, step.expect ?? { ok: true })
    if (problem !== undefined) this.problems.push(`${label}: ${problem}`)
    if (withinMs !== undefined && took > withinMs)
      this.problems.push(`${label}: took ${Math.round(took)} ms, allowed are ${withinMs}`)
    if (step.at_least_ms !== undefined && took < step.at_least_ms)
      this.problems.push(`${label}: took only ${Math.round(took)} ms`)
  }

  async end(): Promise<void> {
    await this.#client?.close()
    await this.#server?.stop()
  }

  async #attempt(step: Step): Promise<StepOutcome> {
    try {
      return await this.#perform(step)
    } catch (error) {
      return { kind: 'error', error }
    }
  }

  async #perform(step: Step): Promise<StepOutcome> {
    switch (step.op) {
      case 'connect':
        return this.#connect(step)
      case 'close':
        await this.#connected().close()
        return { kind: 'ok' }
      case 'sleep':
        await sleep(step.ms ?? 0)
        return { kind: 'ok' }
      case 'listTools':
        return { kind: 'ok', tools: (await this.#connected().listTools()).map(({ name }) => name) }
      case 'callTool':
        return this.#callTool(step)
      case 'request':
        return { kind: 'ok', json: await this.#connected().request(step.method ?? '', step.params) }
      case 'pidsGone':
        return this.#pidsGone(step)
      case 'trace':
        return { kind: 'ok', json: await (await this.#httpServer()).trace() }
      default:
        throw new Error(`The step ${step.op} is not known here.`)
    }
  }

  async #transport(): Promise<Transport> {
    const { file, kind, client = {} } = this.#case
    if (kind === 'client-stdio')
      return stdio({ command: process.execPath, args: [file], cwd: this.#folder })
    const { url } = await this.#httpServer()
    if (kind === 'client-ws') return webSocket(url)
    const { transport = 'auto', headers = {} } = client
    return http(url, { transport, headers })
  }

  /** The server of an HTTP case: one for all connections of the case. */
  async #httpServer(): Promise<HttpServerProcess> {
    this.#server ??= await HttpServerProcess.start(join(this.#folder, this.#case.file))
    return this.#server
  }

  async #connect(step: Step): Promise<StepOutcome> {
    const transport = await this.#transport()
    const { client = {} } = this.#case
    const { elicit, version, capabilities } = client
    const answers: Answers =
      elicit === undefined ? {} : { elicitation: () => Promise.resolve(elicit) }
    const options: ClientOptions = {
      era: client.era ?? 'auto',
      timeouts: { startMs: step.timeout_ms ?? 10_000 },
      answers,
      ...(version !== undefined && isRevision(version) ? { revisions: [version] } : {}),
      ...(capabilities === undefined ? {} : { capabilities }),
    }
    this.#client = await connect(transport, options)
    if (client.watch_lists === true) void this.#watchLists(this.#client)
    return { kind: 'ok', revision: this.#client.server.revision }
  }

  /** Reads the list anew whenever it is said to have changed. */
  async #watchLists(client: Client): Promise<void> {
    for await (const _ of client.changes({ tools: true })) await client.listTools()
  }

  async #callTool(step: Step): Promise<StepOutcome> {
    const options: CallOptions = {
      timeoutMs: step.timeout_ms ?? 10_000,
      resetOnProgress: step.reset_on_progress === true,
      ...(step.total_ms === undefined ? {} : { totalTimeoutMs: step.total_ms }),
    }
    const result = await this.#connected().callTool(step.name ?? '', step.args ?? {}, options)
    if (step.save !== undefined) this.#saved.set(step.save, JSON.parse(textOf(result)))
    return { kind: 'ok', result }
  }

  async #pidsGone(step: Step): Promise<StepOutcome> {
    const pids = this.#saved.get(step.of ?? '') as readonly number[] // a step before saved a list of numbers
    const until = performance.now() + (step.within_ms ?? 3000)
    while (pids.some((pid) => isAlive(pid))) {
      if (performance.now() > until) throw new Error(`One of ${pids.join(', ')} is still alive.`)
      await sleep(20)
    }
    return { kind: 'ok' }
  }

  #connected(): Client {
    if (this.#client === undefined) throw new Error('There is no connection.')
    return this.#client
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // no such process
  }
}
