/**
 * Carries out one run: starts what is judged, starts the suite, gathers what it left, and hands that to the judge. A server
 * is started anew for each run; clients are started by the suite, one scenario after another and never all at once.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { checksIn } from './evidence.ts'
import { judge, type Ending, type Verdict } from './judge.ts'
import type { Run } from './plan.ts'
import { runJob, startServer } from './process.ts'
import type { SuiteCommand } from './suites.ts'

export interface Stage {
  /** Where results go. */
  readonly folder: string
  /** How each version of the suite is started. */
  readonly commands: ReadonlyMap<string, SuiteCommand>
  /** A server that runs already; undefined for ours. */
  readonly url: string | undefined
  /** How the client is started, before its URL. */
  readonly client: string
}

/** Starts ours: `server` or `client-command`. */
export const SUBJECTS: string = join('scripts', 'conformance.mjs')
/** Bundling included. */
const START_MS = 60_000
/** Inside of the suite; ours are longer, for what the suite does not end itself. */
const SCENARIO_MS = 30_000
const ONE_MS = 60_000
/** For each scenario of a process that runs many: most take a second. */
const SHARE_MS = 10_000

/** The verdict on each scenario of a run, in the order of the run. */
export function judgeRun(run: Run, stage: Stage): Promise<ReadonlyMap<string, Verdict>> {
  return run.side === 'server' ? judgeServer(run, stage) : judgeClient(run, stage)
}

async function judgeServer(run: Run, stage: Stage): Promise<ReadonlyMap<string, Verdict>> {
  const folder = folderOf(run, stage)
  const server =
    stage.url === undefined
      ? await startServer({
          command: [process.execPath, SUBJECTS, 'server'],
          deadlineMs: START_MS,
          log: join(folder, 'server.log'),
        })
      : { url: stage.url, exitCode: () => undefined, stop: async () => {} }
  try {
    const words = ['server', '--url', server.url]
    const found = new Map<string, unknown>()
    if (run.scenarios.length > 1) {
      // All at once is quick, but what hangs or crashes takes the rest with it: that is run again below.
      await suite(run, stage, {
        words: [...words, '--suite', 'all'],
        folder: join(folder, 'all'),
        deadlineMs: ONE_MS + SHARE_MS * run.scenarios.length,
      })
      for (const [name, checks] of checksIn(join(folder, 'all'), run.scenarios))
        found.set(name, checks)
    }
    const verdicts = new Map<string, Verdict>()
    for (const name of run.scenarios) {
      if (found.has(name)) verdicts.set(name, judge({ checks: found.get(name), ending: undefined }))
      else if (server.exitCode() === undefined)
        verdicts.set(name, await one(run, stage, { name, words }))
      else verdicts.set(name, gone(server.exitCode()))
    }
    return verdicts
  } finally {
    await server.stop()
  }
}

async function judgeClient(run: Run, stage: Stage): Promise<ReadonlyMap<string, Verdict>> {
  const words = ['client', '--command', stage.client, '--timeout', String(SCENARIO_MS)]
  const verdicts = new Map<string, Verdict>()
  for (const name of run.scenarios) verdicts.set(name, await one(run, stage, { name, words }))
  return verdicts
}

/** One scenario in a process of its own. */
async function one(
  run: Run,
  stage: Stage,
  { name, words }: { readonly name: string; readonly words: readonly string[] },
): Promise<Verdict> {
  const folder = join(folderOf(run, stage), 'one', name.replaceAll('/', '_'))
  const ending = await suite(run, stage, {
    words: [...words, '--scenario', name],
    folder,
    deadlineMs: ONE_MS,
  })
  return judge({ checks: checksIn(folder, [name]).get(name), ending })
}

async function suite(
  { suite: { version }, spec }: Run,
  { commands }: Stage,
  job: { readonly words: readonly string[]; readonly folder: string; readonly deadlineMs: number },
): Promise<Ending> {
  const command = commands.get(version)
  if (command === undefined) throw new Error(`Version ${version} of the suite is not installed.`)
  mkdirSync(job.folder, { recursive: true })
  const revision = spec === undefined ? [] : ['--spec-version', spec]
  return runJob({
    command: [...command, ...job.words, ...revision, '-o', job.folder],
    deadlineMs: job.deadlineMs,
    log: join(job.folder, 'suite.log'),
  })
}

function folderOf({ id }: Run, { folder }: Stage): string {
  const path = join(folder, ...id.split('/'))
  mkdirSync(path, { recursive: true })
  return path
}

function gone(code: number | string | undefined): Verdict {
  return { kind: 'red', faults: [`the server under test had ended (${code}) before this scenario`] }
}
