/**
 * What a policy is: rules over tools, and a verdict for what no rule names. Data only; `decide` judges by it, `readPolicy`
 * makes one of a file, and nothing here does I/O.
 */

import type { JsonValue } from '../base/json.ts'

/** `ask` is a question to a person; where nobody can be asked it comes to a no. */
export type Verdict = 'allow' | 'ask' | 'deny'

/**
 * A test on the arguments of a call. All members that are there must hold. Where a value cannot be judged (a path that is
 * relative to an unknown folder, a text that is no URL, a list of which only some items fit), the condition is undecided: it
 * holds for `deny` and `ask`, and does not for `allow`.
 */
export interface Condition {
  /** JSON Pointer into the arguments; empty for all of them. A value that is not there fits nothing but `absent`. */
  readonly pointer: string
  /** The value is exactly this JSON value. */
  readonly is?: JsonValue
  readonly oneOf?: readonly JsonValue[]
  /** `*` any text, also with slashes, `?` one character, all else itself. The whole text must fit. For paths use `under`. */
  readonly glob?: string
  /** A path in this folder, or the folder itself, after `.` and `..` are taken out. Links are not followed: nothing is read. */
  readonly under?: string
  /** The host of a URL: `example.org`, `example.org:8443`, or `*.example.org` for what is below it. */
  readonly host?: string
  readonly not?: Condition
  /** There is no such value. */
  readonly absent?: true
  /** Set by `readPolicy` where a condition could not be read: undecided for every value. */
  readonly unreadable?: true
}

/** One line of a policy. The order of rules means nothing: `deny` beats `ask`, which beats `allow`. */
export interface Rule {
  readonly effect: Verdict
  /**
   * `server`, `server__tool` or `mcp__server__tool`, with `*` and `?`; or the alias of a tool; or the name of a native tool.
   * An `allow` names its server literally, and what could be read as two tools allows neither: give `server` then.
   */
  readonly tools: string
  /** The config key of the server, literally; `tools` is then a name of its tools or a glob over them. */
  readonly server?: string
  /** All must hold. Default: none, the rule is about every call. */
  readonly when?: readonly Condition[]
  /** For an `allow`: it stands also after the session has read what strangers wrote. Default false. */
  readonly afterUntrusted?: boolean
  /**
   * For an `ask`: it makes a question of what would be allowed, and never of what would be denied. Default false: a rule that asks
   * speaks before `otherwise`, also where that denies. Set for rules of projects and for what could not be read.
   */
  readonly onlyStricter?: boolean
  /** Why there is this rule; told to who is refused. */
  readonly because?: string
  /** Where it stands, `FILE:LINE`. */
  readonly place?: string
  /** Set by `readPolicy` for one that nobody wrote: it stands for what could not be read at `place`. */
  readonly unreadable?: true
}

/** What a policy says beside its rules. */
export type PolicySetting = 'otherwise' | 'readOnlyOfTrusted' | 'flow' | 'native'

export interface Policy {
  readonly rules: readonly Rule[]
  /** For tools that no rule and nothing below speaks of. Default `ask`. */
  readonly otherwise: Verdict
  /** For tools that say they only read, of servers that are trusted. Default `allow`. */
  readonly readOnlyOfTrusted: Verdict
  /** What a call comes to that could let out data after untrusted content was read. Default `ask`. */
  readonly flow: 'ask' | 'deny' | 'off'
  /** For tools of the program itself. Default `allow`. */
  readonly native: Verdict
  /** Set by `readPolicy`: settings of which something else was written that could not be read, each with its place, empty for none. */
  readonly unread?: Readonly<Partial<Record<PolicySetting, string>>>
}

/** What holds where nobody wrote a policy. */
export const DEFAULT_POLICY: Policy = {
  rules: [],
  otherwise: 'ask',
  readOnlyOfTrusted: 'allow',
  flow: 'ask',
  native: 'allow',
}

/** Most rules of one policy. A longer list denies or asks for what the rest of it could have meant. */
export const MAX_RULES = 1_000
/** Most conditions of one rule. */
export const MAX_CONDITIONS = 32
/** How deep `not` may stand in `not`. */
export const MAX_CONDITION_DEPTH = 8
/** Longest pattern of tools, glob, folder or host, in UTF-16 units. */
export const MAX_PATTERN = 256
/** Longest pointer, in UTF-16 units. */
export const MAX_POINTER = 1_024
/** Most values of one `oneOf`. */
export const MAX_ONE_OF = 256
/** Longest reason of a rule, in UTF-16 units. */
export const MAX_BECAUSE = 500

const STRICTNESS: Readonly<Record<Verdict | 'off', number>> = { off: 0, allow: 0, ask: 1, deny: 2 }

/** The stricter of two verdicts; also of two settings of `flow`. */
export function stricter<Word extends Verdict | 'off'>(first: Word, second: Word): Word {
  return STRICTNESS[second] > STRICTNESS[first] ? second : first
}

/**
 * A policy made stricter by another, as that of a project: what the other asks or denies counts, what it allows does not.
 * Never laxer than `policy`, whatever `other` says.
 */
export function tightenPolicy(policy: Policy, other: Policy): Policy {
  const tight = other.rules
    .filter(({ effect }) => effect !== 'allow')
    .map((rule) => ({ ...rule, onlyStricter: true }))
  const unread = { ...policy.unread, ...unreadOf(other, policy) }
  return {
    rules: [...policy.rules, ...tight],
    otherwise: stricter(policy.otherwise, other.otherwise),
    readOnlyOfTrusted: stricter(policy.readOnlyOfTrusted, other.readOnlyOfTrusted),
    flow: stricter(policy.flow, other.flow),
    native: stricter(policy.native, other.native),
    ...(Object.keys(unread).length > 0 && { unread }),
  }
}

/** The settings of `other` that could not be read and are stricter than what `policy` says. */
function unreadOf(other: Policy, policy: Policy): NonNullable<Policy['unread']> {
  const { unread = {} } = other
  const settings = ['otherwise', 'readOnlyOfTrusted', 'flow', 'native'] as const
  return Object.fromEntries(
    settings
      .filter((key) => STRICTNESS[other[key]] > STRICTNESS[policy[key]])
      .flatMap((key) => (unread[key] === undefined ? [] : [[key, unread[key]]])),
  )
}
