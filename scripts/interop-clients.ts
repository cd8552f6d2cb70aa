/**
 * Clients of others with our server: the client is a program that does every step by itself and writes a line for each; our
 * server speaks one revision, or all, and writes down what crosses, which is judged afterwards.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isJsonObject } from '../src/base/json.ts'
import { serveHttp } from '../src/server/node/serve-http.ts'
import { tableServer } from '../test/e2e/table/table-server.ts'
import { eventsOf } from '../test/support/judged-wire.ts'
import { linesOf } from './interop-process.ts'
import {
  canAsk,
  settle,
  STEPS,
  type Outcome,
  type Row,
  type RowPlan,
  type Step,
} from './interop-rows.ts'
import { openWire, wireFile } from './interop-wire.ts'

const LONGEST_MS = 180_000

export interface ClientPlace {
  readonly command: readonly [string, ...string[]]
  /** Our server for stdio, as one module. */
  readonly ourServer: string
  /** For wires. */
  readonly folder: string
}

/** One row with a client of others. Never rejects. */
export async function meetClient(plan: RowPlan, place: ClientPlace): Promise<Row> {
  const began = performance.now()
  const wire = openWire(plan, place.folder)
  const { lines, how, stderr } =
    plan.way === 'stdio' ? await overStdio(plan, place, wire) : await overHttp(plan, place, wire)
  const told = new Map<string, Report>()
  for (const line of lines) {
    const report = read(line)
    if (report !== undefined) told.set(report.step, report)
  }
  const opening = told.get('connect')
  const revision = opening?.revision
  const lost = `the client wrote nothing of it (${how}): ${stderr.slice(-200)}`
  const steps = new Map<Step, Outcome>()
  for (const step of STEPS) {
    const why = whyOf(told.get(step), lost)
    steps.set(step, outcomeOf(plan, step, { why, revision, open: opening?.ok === true }))
  }
  const { ours, theirs, judged } = wire.judge
  return {
    ...plan,
    revision,
    steps,
    ours,
    theirs,
    judged,
    ms: Math.round(performance.now() - began),
  }
}

function outcomeOf(
  plan: RowPlan,
  step: Step,
  seen: {
    readonly why: string | undefined
    readonly revision: string | undefined
    readonly open: boolean
  },
): Outcome {
  const { why, revision, open } = seen
  if (!plan.spoken) {
    const strange = step === 'connect' && open
    return strange ? { kind: 'wrong', why: `agreed on ${revision}` } : { kind: 'absent' }
  }
  if (step !== 'connect' && !open) return { kind: 'absent' }
  if (step === 'ask' && !canAsk(revision)) return { kind: 'absent' }
  const other = step === 'connect' && plan.wanted !== 'auto' && open && revision !== plan.wanted
  return settle(plan, step, other ? `agreed on ${revision}` : why)
}

function whyOf(report: Report | undefined, lost: string): string | undefined {
  if (report === undefined) return lost
  return report.ok ? undefined : report.why
}

interface Ended {
  readonly lines: readonly string[]
  readonly how: string
  readonly stderr: string
}

type Wire = ReturnType<typeof openWire>

/** Our server is a process of the client's there, and writes its wire by itself. */
async function overStdio(plan: RowPlan, place: ClientPlace, wire: Wire): Promise<Ended> {
  const file = wireFile(plan, place.folder)
  const ours = [process.execPath, place.ourServer, file, ...revisionsOf(plan)]
  const ended = await linesOf([...place.command, 'stdio', plan.wanted, ...ours], {
    cwd: process.cwd(),
    limitMs: LONGEST_MS,
  })
  const events = existsSync(file) ? eventsOf(readFileSync(file, 'utf8')) : []
  for (const event of events) wire.judge.sink(event)
  return ended
}

async function overHttp(plan: RowPlan, place: ClientPlace, wire: Wire): Promise<Ended> {
  const revisions = revisionsOf(plan)
  const server = tableServer({
    ...(revisions.length === 0 ? {} : { revisions }),
    wire: wire.sink,
  })
  const served = await serveHttp(server, { legacySse: true })
  const url = plan.way === 'sse' ? new URL('/sse', served.url).href : served.url
  try {
    return await linesOf([...place.command, plan.way, plan.wanted, url], {
      cwd: process.cwd(),
      limitMs: LONGEST_MS,
    })
  } finally {
    await served.close()
    await server.close()
  }
}

function revisionsOf({ wanted }: RowPlan): readonly Exclude<RowPlan['wanted'], 'auto'>[] {
  return wanted === 'auto' ? [] : [wanted]
}

/** What a client writes of one step. */
interface Report {
  readonly step: string
  readonly ok: boolean
  readonly why: string
  readonly revision: string | undefined
}

function read(line: string): Report | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (!isJsonObject(value)) return undefined
    const { step, ok, why, revision } = value
    if (typeof step !== 'string') return undefined
    return {
      step,
      ok: ok === true,
      why: typeof why === 'string' ? why : 'no reason was given',
      revision: typeof revision === 'string' ? revision : undefined,
    }
  } catch {
    return undefined // something else that the program says
  }
}
