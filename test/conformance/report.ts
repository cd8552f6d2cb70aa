/** Words and figures about what was found: lines for a terminal, and a summary as data. Decides nothing. */
import type { Finding } from './expected.ts'
import type { Run } from './plan.ts'

export interface Outcome {
  readonly run: Run
  readonly findings: readonly Finding[]
}

export interface Summary {
  readonly asExpected: boolean
  readonly runs: readonly RunSummary[]
  /** Entries of the list of expectations that name nothing. */
  readonly orphans: readonly string[]
}

interface RunSummary {
  readonly id: string
  readonly suite: string
  readonly spec: string | null
  readonly green: number
  readonly skipped: number
  readonly scenarios: number
  readonly notGreen: readonly {
    readonly scenario: string
    readonly faults: readonly string[]
    readonly reason: string | null
    readonly asExpected: boolean
  }[]
  /** Entries of the list whose scenario is green now. */
  readonly greenNow: readonly string[]
  /** Checks left out by the suite within green scenarios. */
  readonly skippedChecks: readonly string[]
}

export function summaryOf(outcomes: readonly Outcome[], lost: readonly string[]): Summary {
  const asExpected =
    outcomes.length > 0 &&
    lost.length === 0 &&
    outcomes.every(({ findings }) => findings.every((finding) => finding.asExpected))
  return { asExpected, runs: outcomes.map(summaryOfRun), orphans: lost }
}

/** Under the line of a run, what is not as it should be, and what is as it should be but not green. */
export function describeRun(outcome: Outcome): string {
  const { notGreen, greenNow, skippedChecks } = summaryOfRun(outcome)
  const unexpected = notGreen
    .filter((one) => !one.asExpected)
    .flatMap(({ scenario, faults }) => [
      `  NOT GREEN  ${scenario}`,
      ...faults.map((fault) => `             ${fault}`),
    ])
  const stale = greenNow.map((name) => `  GREEN NOW  ${name}: take it off the list`)
  const skips = skippedChecks.map((name) => `  skipped    ${name}`)
  return [lineOf(outcome), ...unexpected, ...stale, ...skips, ...expectedLines(outcome)].join('\n')
}

export function tableOf(outcomes: readonly Outcome[], lost: readonly string[]): string {
  const orphaned = lost.map((entry) => `  NO SUCH SCENARIO on the list: ${entry}`)
  const { asExpected } = summaryOf(outcomes, lost)
  const end = outcomes.length === 0 ? 'Nothing was selected.' : `All as expected: ${asExpected}`
  return ['', ...outcomes.map(lineOf), ...orphaned, end].join('\n')
}

/** Such as `0.2.0-alpha.12 server  64/65 (1 skipped by the suite)`. */
function lineOf(outcome: Outcome): string {
  const { run, findings } = outcome
  const { green, skipped, scenarios } = summaryOfRun(outcome)
  const expected = findings.filter(
    ({ asExpected, verdict }) => asExpected && verdict.kind === 'red',
  )
  const wrong = findings.filter(({ asExpected }) => !asExpected)
  const remarks = [
    ...(skipped > 0 ? [`${skipped} skipped by the suite`] : []),
    ...(expected.length > 0 ? [`${expected.length} expected`] : []),
    ...(wrong.length > 0 ? [`${wrong.length} NOT AS EXPECTED`] : []),
  ]
  const figures = `${green}/${scenarios}`
  return `${nameOf(run).padEnd(24)} ${figures.padStart(6)}${remarks.length > 0 ? ` (${remarks.join(', ')})` : ''}`
}

function nameOf({ id, side, suite, spec }: Run): string {
  if (spec !== undefined) return `${side} ${spec} wire`
  return id.endsWith(suite.version) ? `${suite.version} ${side}` : id.replace('/', ' ')
}

function expectedLines({ findings }: Outcome): readonly string[] {
  const reasons = new Map<string, string[]>()
  for (const { scenario, reason, asExpected } of findings) {
    if (reason === undefined || !asExpected) continue
    const names = reasons.get(reason) ?? []
    reasons.set(reason, names)
    names.push(scenario)
  }
  return [...reasons].map(([reason, names]) => `  expected   ${names.join(', ')}: ${reason}`)
}

function summaryOfRun({ run, findings }: Outcome): RunSummary {
  const of = (kind: Finding['verdict']['kind']): number =>
    findings.filter(({ verdict }) => verdict.kind === kind).length
  return {
    id: run.id,
    suite: run.suite.version,
    spec: run.spec ?? null,
    green: of('green'),
    skipped: of('skipped'),
    scenarios: findings.length,
    notGreen: findings.flatMap(({ scenario, verdict, reason, asExpected }) => {
      if (verdict.kind === 'green') return []
      const faults = verdict.kind === 'red' ? verdict.faults : ['every check was skipped']
      return [{ scenario, faults, reason: reason ?? null, asExpected }]
    }),
    greenNow: findings
      .filter(({ verdict, reason }) => verdict.kind === 'green' && reason !== undefined)
      .map(({ scenario }) => scenario),
    skippedChecks: findings.flatMap(({ scenario, verdict }) =>
      verdict.kind === 'green' ? verdict.skips.map((id) => `${scenario}: ${id}`) : [],
    ),
  }
}
