/**
 * What a person said yes to, and for which calls that yes stands. A grant is bound to one tool and its exact definition;
 * keeping grants and taking them back is the host's part.
 */

/** `once` is one call, `session` until the session ends, `always` until it expires. */
export type GrantScope = 'once' | 'session' | 'always'

export interface Grant {
  readonly scope: GrantScope
  /** Config key; undefined for a native tool. */
  readonly server: string | undefined
  readonly tool: string
  /** Hash of the definition that the person saw. */
  readonly pin: string
  /** When there, only these very arguments. A `once` grant always has it. */
  readonly argumentsHash?: string
  /** Milliseconds since 1970 from which on it is void. An `always` grant always has it. */
  readonly until?: number
  /** Aliases of the sources of untrusted content that the person was told of. Default none. */
  readonly sources?: readonly string[]
}

/** What is looked up among the grants. */
export interface GrantSubject {
  readonly server: string | undefined
  readonly tool: string
  /** Hash of the definition as it is now. */
  readonly pin: string
  readonly argumentsHash: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Whether the yes stands for this call. Grants that lack what their scope needs stand for nothing. */
export function matches(grant: Grant, subject: GrantSubject): boolean {
  if (grant.server !== subject.server || grant.tool !== subject.tool) return false
  if (grant.pin !== subject.pin) return false
  if (grant.argumentsHash !== undefined && grant.argumentsHash !== subject.argumentsHash)
    return false
  if (grant.scope === 'once' && grant.argumentsHash === undefined) return false
  if (grant.scope === 'always' && grant.until === undefined) return false
  // A time that is no number is no time that is still to come.
  return grant.until === undefined || grant.until > subject.now
}

/**
 * The grant to hand to `decide`: the first that matches, with the sources that the persons behind all matching ones were told of.
 * Undefined when none stands for this call.
 */
export function findGrant(grants: Iterable<Grant>, subject: GrantSubject): Grant | undefined {
  let first: Grant | undefined
  const sources = new Set<string>()
  for (const grant of grants) {
    if (!matches(grant, subject)) continue
    first ??= grant
    for (const source of grant.sources ?? []) sources.add(source)
  }
  return first === undefined || sources.size === 0 ? first : { ...first, sources: [...sources] }
}
