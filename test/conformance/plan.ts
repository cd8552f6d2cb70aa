/**
 * Which runs there are: one for each version of the suite, side and protocol revision, with its scenarios as the suite
 * itself lists them. Pure; the lists come from `suites.ts`.
 */
export type Side = 'server' | 'client'

export interface SuiteVersion {
  readonly version: string
  /** Whether `--spec-version` decides which revision is spoken, and not only which scenarios run. */
  readonly speaksRevisions: boolean
}

/** A scenario and the words in brackets behind it: revisions, or `extension`. */
export interface Listed {
  readonly name: string
  readonly tags: readonly string[]
}

export interface Run {
  /** As the list of expectations names it, like `client/2025-11-25`. */
  readonly id: string
  readonly side: Side
  readonly suite: SuiteVersion
  /** What `--spec-version` says; undefined where the suite chooses for each scenario. */
  readonly spec: string | undefined
  readonly scenarios: readonly string[]
}

/** What was asked for. Everything where a member is undefined. */
export interface Selection {
  readonly side: Side | undefined
  readonly spec: string | undefined
  readonly suite: string | undefined
  readonly scenarios: readonly string[] | undefined
}

/** Scenarios of no revision, which `--spec-version` never selects. */
const EXTENSION = 'extension'

/** Reads what `list` prints: lines like `  - ping [2025-06-18,2025-11-25]` among others. */
export function readList(text: string): readonly Listed[] {
  return [...text.matchAll(/^\s*- (\S+) \[([^\]]*)\]\s*$/gm)].map(([, name = '', tags = '']) => ({
    name,
    tags: tags.split(',').map((tag) => tag.trim()),
  }))
}

/**
 * The runs of one side in one version of the suite. An early suite only filters by revision and always speaks the same, so
 * it runs once; a later one speaks the revision it is given, and runs once for each.
 */
export function runsOf(
  { side, suite }: { readonly side: Side; readonly suite: SuiteVersion },
  listed: readonly Listed[],
): readonly Run[] {
  const all: Run = {
    id: `${side}/${suite.version}`,
    side,
    suite,
    spec: undefined,
    scenarios: listed.map(({ name }) => name),
  }
  if (!suite.speaksRevisions) return [all]
  const revisions = [...new Set(listed.flatMap(({ tags }) => tags))]
    .filter((tag) => tag !== EXTENSION)
    .toSorted()
  const each = revisions.map((spec) => ({
    ...all,
    id: `${side}/${spec}`,
    spec,
    scenarios: named(listed, spec),
  }))
  // A server takes all scenarios from one process of the suite; a client's run once a revision anyway.
  const rest =
    side === 'server'
      ? all
      : { ...all, id: `${side}/extensions`, scenarios: named(listed, EXTENSION) }
  return [rest, ...each]
}

function named(listed: readonly Listed[], tag: string): readonly string[] {
  return listed.filter(({ tags }) => tags.includes(tag)).map(({ name }) => name)
}

/** The runs that a selection leaves, with the scenarios it leaves. */
export function select(runs: readonly Run[], wanted: Selection): readonly Run[] {
  const { side, spec, suite, scenarios } = wanted
  return runs
    .filter((run) => side === undefined || run.side === side)
    .filter((run) => spec === undefined || run.spec === spec)
    .filter((run) => suite === undefined || run.suite.version === suite)
    .map((run) => ({
      ...run,
      scenarios: run.scenarios.filter((name) => scenarios?.includes(name) ?? true),
    }))
    .filter((run) => run.scenarios.length > 0)
}
