/**
 * Decides over one call: by policy, by what was granted before, or by asking a person. Decided is what holds at the end: after
 * an answer everything is looked at again, since definitions and what the session has read may have changed meanwhile.
 *
 * It sends nothing and writes nothing down.
 */

import type { Clock } from '../base/clock.ts'
import type { Unanswered } from '../base/error-detail.ts'
import { describeError, type ErrorCode } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import type { Act, Decision, PinState, ReasonKind } from '../policy/act.ts'
import { decide } from '../policy/decide.ts'
import { afterResult, NO_FLOW, type FlowState } from '../policy/flow.ts'
import { findGrant, type Grant, type GrantSubject } from '../policy/grants.ts'
import type { Policy } from '../policy/policy.ts'
import type { Tool } from '../protocol/types/tools.ts'
import { hintsOf } from '../tools/display.ts'
import type { DecidedBy } from './audit.ts'
import type { CatalogTool } from './catalog.ts'
import type { CallQuestion, ConsentAnswer } from './consent.ts'
import type { ConsentQueue } from './consent-queue.ts'
import type { GrantBook } from './grants-file.ts'
import type { JudgedArguments } from './judged-arguments.ts'
import type { Pinning } from './pinning.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { MAX_FOLLOWED, type FoundPath, type ProtectedPaths } from './protected-paths.ts'

/** A call before it is decided. */
export interface JudgedCall {
  readonly tool: CatalogTool
  readonly judged: JudgedArguments
  readonly signal?: AbortSignal | undefined
}

/** What was decided, and about which definition. */
export interface Judgement {
  readonly verdict: 'allow' | 'deny'
  /** A stable word: a `ReasonKind`, `secret` or `protected-file`. */
  readonly reason: string
  readonly message: string
  readonly rule?: string
  /** Why there is the rule, as its author says. */
  readonly because?: string
  /** Where that stands of the policy which could not be read, for `broken-policy`. */
  readonly brokenAt?: string
  readonly by: DecidedBy
  /** Hash of the definition that was judged. */
  readonly pin: string
  /** The argument that it is about, for a protected file. */
  readonly about?: string
  /** What the person gave as the reason of a no. */
  readonly said?: string | undefined
  /** Why nobody answered, in a word. */
  readonly unanswered?: Unanswered | undefined
  /** For a no. */
  readonly code: Extract<ErrorCode, 'DP_POLICY_DENIED' | 'DP_POLICY_HELD'>
}

export interface JudgeParts {
  readonly policy: Policy
  readonly pinning: Pinning
  readonly grants: GrantBook
  readonly consent: ConsentQueue
  readonly secrets: KnownSecrets
  readonly protected: ProtectedPaths
  readonly clock: Clock
  readonly logger: Logger
  /** How long an `always` holds, in ms. */
  readonly grantMs: number
}

/** A yes of this call, and what the person was shown when it was given. */
interface Yes {
  readonly by: DecidedBy
  readonly shown: Verdict
  readonly grant: Grant
}

interface Verdict extends Omit<Decision, 'reason'> {
  readonly reason: ReasonKind | 'secret'
  readonly pin: string
  readonly state: PinState
  /** What starts the server, as it was last heard; empty for a native tool. */
  readonly launch: string
}

/** Questions about one call: more means that it changes faster than anyone can read. */
const MAX_QUESTIONS = 3

export class Judge {
  #parts: JudgeParts
  #flow: FlowState = NO_FLOW

  constructor(parts: JudgeParts) {
    this.#parts = parts
  }

  /** From now on other rules, secrets or files hold. */
  replace(parts: Partial<Pick<JudgeParts, 'policy' | 'secrets' | 'protected'>>): void {
    this.#parts = { ...this.#parts, ...parts }
  }

  /** What was read is forgotten: only for a new conversation. */
  newSession(): void {
    this.#flow = NO_FLOW
    this.#parts.grants.endSession()
  }

  /** A call was sent: whatever came of it, its text may be in the conversation from here on. */
  sent({ alias, labels }: Pick<CatalogTool, 'alias' | 'labels'>): void {
    this.#flow = afterResult(this.#flow, { alias, labels })
  }

  /** Rejects with a `CancelledError` when the call is given up meanwhile, and never otherwise. */
  async judge(call: JudgedCall): Promise<Judgement> {
    const file = await this.#protectedFile(call)
    if (file !== undefined) return this.#protected(call, file)
    let yes: Yes | undefined
    for (let asked = 0; ;) {
      const verdict = this.#decide(call, yes)
      if (verdict.verdict !== 'ask' || covers(yes, verdict)) return judgementOf(verdict, yes)
      if (asked >= MAX_QUESTIONS) return refused(verdict, 'it changed while it was asked about')
      asked += 1
      const answered = await this.#ask(call, yes)
      if (answered === undefined) continue
      const { answer, shown, grant } = answered
      if (grant === undefined)
        return { ...refused(shown, answer.reason, answer.by), ...wordsOf(answer) }
      yes = { by: answer.by ?? 'person', shown, grant }
      // A link may have been laid while someone was reading.
      const laid = await this.#protectedFile(call)
      if (laid !== undefined) return this.#protected(call, laid)
    }
  }

  #decide({ tool, judged }: JudgedCall, yes: Yes | undefined): Verdict {
    const { policy, clock, secrets } = this.#parts
    const { definition, pin, state } = this.#definitionOf(tool)
    const launch = this.#launchOf(tool)
    const { server, name, alias, labels, entry } = tool
    const grants = this.#grantsFor(launch, yes)
    const subject = (): GrantSubject => ({
      server,
      tool: name,
      pin,
      argumentsHash: judged.hash,
      now: clock.wall(),
    })
    const grant = grants.length === 0 ? undefined : findGrant(grants, subject())
    const act: Act = {
      server,
      tool: name,
      alias,
      args: judged.args,
      hints: definition.annotations === undefined ? undefined : hintsOf(definition),
      trusted: entry?.trusted ?? true,
      labels,
      flow: this.#flow,
      pin: state,
      ...(grant !== undefined && { grant }),
    }
    const decision = decide(policy, act)
    const owner = secrets.ownerIn(judged.text)
    if (decision.verdict !== 'allow' || owner === undefined || yes !== undefined)
      return { pin, state, launch, ...decision }
    const message = secretText(owner)
    return {
      ...decision,
      verdict: 'ask',
      reason: 'secret',
      message,
      lasting: false,
      pin,
      state,
      launch,
    }
  }

  /** What was said yes to, this call's own first: that of a server which is started in the same way as then. */
  #grantsFor(launch: string, yes: Yes | undefined): readonly Grant[] {
    const { grants } = this.#parts
    const own = yes === undefined ? [] : [yes.grant]
    const kept = grants.all()
    if (kept.length === 0) return own
    return [...own, ...kept.filter((one) => one.launch === launch).map(({ grant }) => grant)]
  }

  #launchOf({ server }: CatalogTool): string {
    return server === undefined ? '' : (this.#parts.pinning.launch(server) ?? '')
  }

  #definitionOf(tool: CatalogTool): { definition: Tool; pin: string; state: PinState } {
    if (tool.native !== undefined)
      return { definition: tool.native.tool, pin: tool.pin, state: 'approved' }
    const standing = this.#parts.pinning.standing(tool.server ?? '', tool.name)
    // Who calls has looked that it is there; gone in between it is not the one that was approved.
    if (standing === undefined)
      return { definition: { name: tool.name, inputSchema: {} }, pin: '', state: 'changed' }
    return { definition: standing.tool, pin: standing.sha256, state: standing.state }
  }

  /** Undefined when it needs no answer any more once its turn has come. */
  async #ask(call: JudgedCall, yes: Yes | undefined): Promise<Answered | undefined> {
    let shown: Verdict | undefined
    let grant: Grant | undefined
    const answer = await this.#parts.consent.ask(
      () => {
        const verdict = this.#decide(call, yes)
        if (verdict.verdict !== 'ask') return undefined
        shown = verdict
        return this.#question(call, verdict)
      },
      call.signal,
      // The call that waits behind may be covered by this very yes.
      async (given) => {
        if (shown !== undefined && given.kind !== 'deny')
          grant = await this.#grant(call, shown, given)
      },
    )
    return answer === undefined || shown === undefined
      ? this.#unasked(call, answer)
      : { answer, shown, grant }
  }

  /** The queue was full: there is an answer to a question that was never made. */
  #unasked(call: JudgedCall, answer: ConsentAnswer | undefined): Answered | undefined {
    return answer === undefined
      ? undefined
      : { answer, shown: this.#decide(call, undefined), grant: undefined }
  }

  #question({ tool, judged }: JudgedCall, verdict: Verdict): CallQuestion {
    const owner = this.#parts.secrets.ownerIn(judged.text)
    const { definition } = this.#definitionOf(tool)
    const { reason, message, rule, because, flow, state, lasting } = verdict
    return {
      kind: 'call',
      server: tool.server,
      tool: tool.name,
      alias: tool.alias,
      args: judged.args,
      argumentsHash: judged.hash,
      hints: hintsOf(definition),
      trusted: tool.entry?.trusted ?? true,
      reason,
      message,
      ...(rule !== undefined && { rule }),
      ...(because !== undefined && { because }),
      ...(flow !== undefined && { flow: { source: flow.source, sink: flow.sink } }),
      pin: state,
      lasting,
      warnings: [...tool.shown.warnings, ...(owner === undefined ? [] : [secretText(owner)])],
    }
  }

  /** The yes as a grant for this call, kept as long as the person said. */
  async #grant(call: JudgedCall, shown: Verdict, answer: ConsentAnswer): Promise<Grant> {
    const { grants, pinning, clock, logger, grantMs } = this.#parts
    const { tool, judged } = call
    const bound = { server: tool.server, tool: tool.name, pin: shown.pin }
    const told = { sources: shown.flow?.sources ?? [] }
    const exact = { argumentsHash: judged.hash }
    const once: Grant = { scope: 'once', ...bound, ...exact, ...told }
    if (answer.kind === 'once' || !shown.lasting) return once
    const { pin, launch } = this.#decide(call, undefined)
    // Another server by now, or another definition: nobody saw that one.
    if (pin !== shown.pin || launch !== shown.launch) return once
    if (tool.entry !== undefined && shown.state === 'new') pinning.approve(tool.entry, tool.name)
    const kept: Grant =
      answer.kind === 'session'
        ? { scope: 'session', ...bound, ...told }
        : {
            scope: 'always',
            ...bound,
            ...told,
            ...(answer.kind === 'always-these-arguments' && exact),
            until: clock.wall() + grantMs,
          }
    try {
      await pinning.save()
      await grants.add({ grant: kept, launch })
    } catch (error) {
      logger.warn('a grant could not be kept beyond this session', { error: describeError(error) })
    }
    return once
  }

  async #protectedFile({ tool, judged }: JudgedCall): Promise<FoundPath | undefined> {
    const { definition } = this.#definitionOf(tool)
    const believed = tool.entry?.trusted ?? true
    if (believed && hintsOf(definition).readOnly) return undefined
    const from = tool.entry?.transport === 'stdio' ? tool.entry.cwd : undefined
    return this.#parts.protected.find(judged.args, from)
  }

  #protected({ tool }: JudgedCall, { text, tooMany = false }: FoundPath): Judgement {
    const named = `An argument of ${tool.alias} names a file that decides what this host may do (${JSON.stringify(text.slice(0, 200))}). Tools may not touch it: change it yourself.`
    return {
      verdict: 'deny',
      reason: 'protected-file',
      ...(!tooMany && { about: text.slice(0, 200) }),
      message: tooMany
        ? `The arguments of ${tool.alias} hold more than ${MAX_FOLLOWED} texts, more than are looked through for files that decide what this host may do. Send less at once.`
        : named,
      by: 'policy',
      pin: this.#definitionOf(tool).pin,
      code: 'DP_POLICY_DENIED',
    }
  }
}

interface Answered {
  readonly answer: ConsentAnswer
  readonly shown: Verdict
  /** What a yes came to. */
  readonly grant: Grant | undefined
}

/** Whether a yes was given to just this question: no other reason, definition or server, no source that was not shown. */
function covers(yes: Yes | undefined, verdict: Verdict): boolean {
  if (yes === undefined) return false
  const { shown } = yes
  // Of several reasons the strongest is named, and its question shows the rule as well.
  const isRule = verdict.reason === 'ask-rule' || verdict.reason === 'broken-policy'
  if (shown.reason !== verdict.reason && !isRule) return false
  return (
    shown.rule === verdict.rule &&
    shown.brokenAt === verdict.brokenAt &&
    shown.pin === verdict.pin &&
    shown.launch === verdict.launch &&
    shown.flow?.source === verdict.flow?.source
  )
}

function judgementOf(verdict: Verdict, yes: Yes | undefined): Judgement {
  const { reason, message, pin } = verdict
  const denied = verdict.verdict === 'deny'
  const kept = reason === 'grant' ? 'grant' : 'policy'
  return {
    verdict: denied ? 'deny' : 'allow',
    reason: yes === undefined || denied ? reason : yes.shown.reason,
    message,
    ...ruleFacts(verdict),
    by: denied ? 'policy' : (yes?.by ?? kept),
    pin,
    code: reason === 'changed-definition' ? 'DP_POLICY_HELD' : 'DP_POLICY_DENIED',
  }
}

function ruleFacts({
  rule,
  because,
  brokenAt,
}: Verdict): Pick<Judgement, 'rule' | 'because' | 'brokenAt'> {
  return {
    ...(rule !== undefined && { rule }),
    ...(because !== undefined && { because }),
    ...(brokenAt !== undefined && { brokenAt }),
  }
}

/** The words of a person, or the word of the program. */
function wordsOf({ reason, unanswered }: ConsentAnswer): Pick<Judgement, 'said' | 'unanswered'> {
  return unanswered === undefined ? { said: reason } : { unanswered }
}

function refused(verdict: Verdict, why: string | undefined, by: DecidedBy = 'person'): Judgement {
  const { reason, pin, message } = verdict
  return {
    verdict: 'deny',
    reason,
    message: `${message} ${by === 'nobody' ? 'Nobody answered' : 'It was answered with no'}${reasonText(why)}`,
    ...ruleFacts(verdict),
    by,
    pin,
    code: 'DP_POLICY_DENIED',
  }
}

/** Persons end a sentence or do not. */
function reasonText(why: string | undefined): string {
  if (why === undefined) return '.'
  return `: ${why}${/[.!?。！？]$/.test(why) ? '' : '.'}`
}

function secretText(owner: string): string {
  return `The arguments hold a secret of the configuration of the server ${JSON.stringify(owner)}.`
}
