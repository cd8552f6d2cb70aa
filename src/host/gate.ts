/**
 * The one way from a model to a tool. A call is copied, frozen and hashed, decided over, the decision is written down, and
 * then exactly what was judged is sent: nothing else in the host can make a server run a tool.
 */

import type { Clock } from '../base/clock.ts'
import {
  describeError,
  PilotError,
  PolicyError,
  TransportError,
  UsageError,
} from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Logger } from '../base/log.ts'
import type { Chain } from '../jsonrpc/wire.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import type { AttachedServer } from './attached.ts'
import type { AuditSink, DecisionRecord, OutcomeRecord } from './audit.ts'
import type { Catalog, CatalogTool } from './catalog.ts'
import type { HostCallOptions } from './host-options.ts'
import type { ToolIdentity } from './host-tool.ts'
import type { HostWire } from './host-wire.ts'
import type { Judge, Judgement } from './judge.ts'
import { isUnaltered, judgeArguments, type JudgedArguments } from './judged-arguments.ts'
import { runNative } from './native.ts'
import type { Pinning } from './pinning.ts'
import { placeText } from './reasons.ts'
import {
  READ_RESOURCE,
  readingFault,
  readingName,
  readWish,
  RESOURCES_READ,
} from './resource-reading.ts'
import type { Seal, Seals } from './seal.ts'
import { mayBecomeReady, takesCalls } from './state.ts'

export interface GateParts {
  readonly catalog: Catalog
  readonly pinning: Pinning
  readonly judge: Judge
  readonly seals: Seals
  readonly audit: AuditSink | undefined
  readonly wire: HostWire
  readonly clock: Clock
  readonly logger: Logger
  /** Names the session. */
  readonly run: string
  readonly server: (key: string) => AttachedServer | undefined
}

/** One call, from its copy on. */
interface OneCall {
  readonly tool: CatalogTool
  /** Who was there when the call was judged; undefined for a native tool. */
  readonly attached: AttachedServer | undefined
  readonly judged: JudgedArguments
  readonly options: HostCallOptions
  readonly chain: Chain & { readonly call: string }
}

export class Gate {
  readonly #parts: GateParts
  #calls = 0

  constructor(parts: GateParts) {
    this.#parts = parts
  }

  /**
   * Calls a tool of the current list. A failed tool is a result with `isError`; a refusal is a `PolicyError`, and then
   * nothing was sent.
   */
  async call(
    id: string | ToolIdentity,
    args: unknown,
    options: HostCallOptions = {},
  ): Promise<CallToolResult> {
    const found = this.#parts.catalog.find(id)
    const given = judgeArguments(args, found.alias)
    const isAimed = found.server !== undefined || found.shown.readsResources !== true
    const aimed = isAimed ? { tool: found, judged: given } : this.#aimed(given)
    if ('content' in aimed) return aimed
    const { judged } = aimed
    checkReading(aimed)
    const attached =
      aimed.tool.server === undefined ? undefined : this.#parts.server(aimed.tool.server)
    const tool = this.#asNow(aimed.tool, attached)
    if (tool === undefined) return gone(aimed.tool)
    this.#calls += 1
    const { turn, call = `call-${this.#calls}` } = options
    const chain = { run: this.#parts.run, call, attempt: 1, ...(turn !== undefined && { turn }) }
    const one: OneCall = { tool, attached, judged, options, chain }
    this.#checkReachable(one)
    const judgement = await this.#parts.judge.judge({ tool, judged, signal: options.signal })
    await this.#writeDown(one, judgement)
    if (judgement.verdict === 'deny') throw refusal(one, judgement)
    this.#tell(one, options.onAllowed)
    return this.#perform(one, judgement)
  }

  /** The server that a call of the model's tool for resources names, or what is wrong with it, for the model. */
  #aimed({ args }: JudgedArguments): Pick<OneCall, 'tool' | 'judged'> | CallToolResult {
    const { catalog } = this.#parts
    const wish = readWish(args)
    if (wish === undefined)
      return failure(`${READ_RESOURCE} takes two texts, "server" and "uri". Nothing was read.`)
    const tool = catalog.reading(wish.server)
    if (tool !== undefined) {
      const fault = readingFault({ uri: wish.uri })
      if (fault !== undefined)
        return failure(`The arguments of ${READ_RESOURCE} ${fault}. Nothing was read.`)
      return { tool, judged: judgeArguments({ uri: wish.uri }, READ_RESOURCE) }
    }
    const names = catalog
      .readable()
      .slice(0, MAX_NAMED)
      .map((name) => JSON.stringify(name))
    const known =
      names.length === 0 ? 'No server has any.' : `Servers that have some: ${names.join(', ')}.`
    const named = JSON.stringify(wish.server.slice(0, MAX_NAME))
    return failure(`No resources can be read from a server ${named}. ${known} Nothing was read.`)
  }

  /**
   * The tool as its server has it now, by the entry of now; undefined when it was there as the list was made and is no more. One that
   * is away for a while is not gone.
   */
  #asNow(tool: CatalogTool, attached: AttachedServer | undefined): CatalogTool | undefined {
    const { server, name } = tool
    if (server === undefined) return tool
    if (attached === undefined) return undefined
    const isAway = attached.offer === undefined
    if (!isAway && this.#parts.pinning.standing(server, name) === undefined) return undefined
    return this.#parts.catalog.underEntry(tool, attached.entry)
  }

  /** Nobody is asked about a call that has nowhere to go. */
  #checkReachable({ tool, attached }: OneCall): void {
    const { server, alias, entry } = tool
    if (server === undefined || attached === undefined) return
    if (takesCalls(attached.state) || mayBecomeReady(attached.state)) return
    const { why, whyKind, error: cause } = attached.status
    const message = `${alias} cannot be called: "${server}" takes no calls. ${why}`
    const facts = { server, method: methodOf(tool) }
    if (whyKind === 'unapproved') {
      const place = entry === undefined ? '' : placeText(entry.place)
      const detail = { kind: 'unapproved', place } as const
      throw new PolicyError('DP_POLICY_UNAPPROVED', message, { ...facts, detail })
    }
    throw new TransportError('DP_TRANSPORT_UNAVAILABLE', message, {
      ...facts,
      sent: 'no',
      cause,
      detail: { kind: 'unavailable', why: whyKind },
    })
  }

  /** A yes that cannot be written down is no yes. */
  async #writeDown(call: OneCall, judgement: Judgement): Promise<void> {
    const { audit, wire, logger } = this.#parts
    if (audit === undefined && !wire.listens) return
    const { verdict, reason, rule, because, by, pin } = judgement
    const record: DecisionRecord = {
      type: 'decision',
      ...this.#stamp(call),
      verdict,
      reason,
      ...(rule !== undefined && { rule }),
      ...(because !== undefined && { because }),
      by,
      pin,
    }
    const { at: _at, run: _run, call: _call, type: _type, ...data } = record
    wire.note('decision', data, call.chain)
    try {
      await audit?.record(record)
    } catch (cause) {
      logger.error('a decision could not be written down', { error: describeError(cause) })
      if (verdict === 'deny') return
      throw new PolicyError(
        'DP_POLICY_DENIED',
        `${call.tool.alias} was not called: the decision could not be written down (${describeError(cause)}). Make room, or mend the permissions of the audit log.`,
        {
          ...factsOf(call),
          cause,
          detail: { kind: 'not-recorded', tool: call.tool.alias, reason: describeError(cause) },
        },
      )
    }
  }

  /** A listener that fails is no reason not to call, and the decision that was written down gets its end. */
  #tell({ tool }: OneCall, listener: (() => void) | undefined): void {
    try {
      listener?.()
    } catch (error) {
      const facts = { tool: tool.alias, error: describeError(error) }
      this.#parts.logger.error('a listener for calls failed', facts)
    }
  }

  async #perform(call: OneCall, judgement: Judgement): Promise<CallToolResult> {
    const { clock, judge } = this.#parts
    const startedAt = clock.now()
    let sends = 0
    let heard = false
    try {
      const result = await this.#send(call, judgement, (count) => (sends = count))
      heard = true
      await this.#end(call, {
        outcome: result.isError === true ? 'failed' : 'ok',
        sends,
        startedAt,
      })
      return result
    } catch (error) {
      const code = error instanceof PilotError ? { error: error.code } : {}
      await this.#end(call, { outcome: 'error', ...code, sends, startedAt })
      throw error
    } finally {
      // What a client had kept from an earlier read is heard without being sent for.
      if (sends > 0 || heard) judge.sent(sourceOf(call.tool))
    }
  }

  async #send(
    call: OneCall,
    judgement: Judgement,
    count: (sends: number) => void,
  ): Promise<CallToolResult> {
    const { tool, judged, options, chain } = call
    // A native tool takes the frozen object itself, of which no text is made.
    if (tool.native !== undefined) {
      count(1)
      this.#tell(call, options.onSent)
      return runNative(tool.native, judged.args, { logger: this.#parts.logger, ...options })
    }
    if (!isUnaltered(judged)) throw altered(call)
    const server = this.#parts.server(tool.server ?? '')
    if (server === undefined || tool.server === undefined) throw vanished(call)
    if (server !== call.attached) throw exchanged(call)
    const check = (): void => this.#checkPin(call, judgement)
    check()
    const seal: Seal = this.#parts.seals.open({
      server: tool.server,
      tool: tool.name,
      judged,
      check: () => {
        check()
        this.#tell(call, options.onSent)
      },
    })
    try {
      return await server.send(tool.name, judged.args, { chain, ...options })
    } finally {
      count(seal.sends)
      seal.close()
    }
  }

  /** The definition must be the judged one until the call has left, however long it waits. */
  #checkPin(call: OneCall, { pin }: Judgement): void {
    const { pinning } = this.#parts
    if (pinning.mode === 'off') return
    const standing = pinning.standing(call.tool.server ?? '', call.tool.name)
    if (standing !== undefined && standing.held === undefined && standing.sha256 === pin) return
    throw new PolicyError(
      'DP_POLICY_HELD',
      `${call.tool.alias} was not called: its definition changed after the call was judged. Look at the difference with "deep-pilot verify".`,
      { ...factsOf(call), detail: { kind: 'changed-meanwhile', tool: call.tool.alias } },
    )
  }

  async #end(
    call: OneCall,
    end: Pick<OutcomeRecord, 'outcome' | 'error' | 'sends'> & { readonly startedAt: number },
  ): Promise<void> {
    const { audit, clock, logger } = this.#parts
    if (audit === undefined) return
    const { startedAt, ...rest } = end
    const ms = Math.round(clock.now() - startedAt)
    try {
      await audit.record({ type: 'outcome', ...this.#stamp(call), ...rest, ms })
    } catch (error) {
      logger.error('the end of a call could not be written down', { error: describeError(error) })
    }
  }

  #stamp({
    tool,
    judged,
    chain,
  }: OneCall): Omit<DecisionRecord, 'type' | 'verdict' | 'reason' | 'by'> {
    return {
      at: new Date(this.#parts.clock.wall()).toISOString(),
      run: this.#parts.run,
      call: chain.call,
      server: tool.server ?? null,
      tool: tool.name.slice(0, MAX_NAME),
      alias: tool.alias,
      argumentsHash: judged.hash,
    }
  }
}

/** Of names that strangers give, so much is written down. */
const MAX_NAME = 256
/** Most servers that a model is told of at once. */
const MAX_NAMED = 50

/** What a conversation has read, by a name that tells the servers apart. */
function sourceOf({
  server,
  name,
  alias,
  labels,
}: CatalogTool): Pick<CatalogTool, 'alias' | 'labels'> {
  return name === RESOURCES_READ ? { alias: readingName(server ?? ''), labels } : { alias, labels }
}

/** Of a program that reads by what the act is, without the model's tool. */
function checkReading({ tool, judged }: Pick<OneCall, 'tool' | 'judged'>): void {
  if (tool.server === undefined || tool.name !== RESOURCES_READ) return
  const fault = readingFault(judged.args)
  if (fault === undefined) return
  throw new UsageError(
    `The arguments of ${RESOURCES_READ} of ${JSON.stringify(tool.server)} ${fault}. Nothing was read.`,
  )
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

function methodOf({ name }: CatalogTool): string {
  return name === RESOURCES_READ ? name : 'tools/call'
}

function factsOf({ tool, judged }: OneCall): JsonObject & { argumentsHash: string } {
  return {
    method: methodOf(tool),
    argumentsHash: judged.hash,
    ...(tool.server !== undefined && { server: tool.server }),
  }
}

function refusal(
  call: OneCall,
  { code, message, rule, because, brokenAt, reason, by, said, unanswered, about }: Judgement,
): PolicyError {
  const { alias: tool } = call.tool
  return new PolicyError(code, `${tool} was not called. ${message}`, {
    ...factsOf(call),
    detail: { kind: 'denied', tool, reason, by, said, unanswered, about, brokenAt },
    ...(rule !== undefined && { rule }),
    ...(because !== undefined && { because }),
  })
}

function altered(call: OneCall): PolicyError {
  return new PolicyError(
    'DP_POLICY_ALTERED',
    `${call.tool.alias} was not called: its arguments are not those that were judged. Something in this program changes how values are written as JSON.`,
    { ...factsOf(call), detail: { kind: 'altered', tool: call.tool.alias } },
  )
}

function exchanged(call: OneCall): PolicyError {
  const { alias, server = '' } = call.tool
  return new PolicyError(
    'DP_POLICY_HELD',
    `${alias} was not called: the configuration of "${server}" changed after the call was judged, and another process or address stands for it now. Call it again.`,
    { ...factsOf(call), detail: { kind: 'exchanged-meanwhile', tool: alias } },
  )
}

function gone({ alias }: CatalogTool): CallToolResult {
  return failure(
    `The tool ${alias} is gone: its server does not offer it any more. Nothing was called.`,
  )
}

function vanished({ tool }: OneCall): TransportError {
  return new TransportError(
    'DP_TRANSPORT_UNAVAILABLE',
    `${tool.alias} cannot be called: its server was detached meanwhile.`,
    {
      method: methodOf(tool),
      sent: 'no',
      detail: { kind: 'detached' },
      ...(tool.server !== undefined && { server: tool.server }),
    },
  )
}
