/** Takes every recording of a folder through the codecs and counts. For the script and for the test. */
import { basename, relative, sep } from 'node:path'
import { checkExchanges, type Checked } from './cassettes-check.ts'
import { recordedExchanges, recordingsIn, type RecordedExchange } from './recorded-exchanges.ts'

/** Random cuts are made from it, so that each run makes the same ones. */
export const CASSETTE_SEED = 20_261_202

export interface CassetteRun {
  readonly files: number
  /** Exchanges that were checked; those that no adapter speaks are not among them. */
  readonly total: number
  readonly passed: number
  /** Files that hold no recording, or none that can be read, with the reason. Nothing of them is in the other numbers. */
  readonly notRead: readonly string[]
  /** Earlier replies that were written again in a later request. */
  readonly links: number
  /** Refused requests that were not built again, with the reason. Their answers were checked. */
  readonly untold: readonly string[]
  /** Exchanges with endpoints that no adapter speaks, by method and path. */
  readonly notSpoken: ReadonlyMap<string, number>
  readonly byProvider: ReadonlyMap<string, Tally>
  readonly failures: readonly string[]
  /** One line for each exchange. */
  readonly lines: readonly string[]
}

export interface Tally {
  readonly passed: number
  readonly total: number
}

const PROVIDERS: ReadonlySet<string> = new Set(['deepseek', 'llamacpp', 'ollama', 'openai'])

export function runCassettes(folder: string): CassetteRun {
  const files = recordingsIn(folder)
  const notSpoken = new Map<string, number>()
  const byProvider = new Map<string, Tally>()
  const failures: string[] = []
  const untold: string[] = []
  const notRead: string[] = []
  const lines: string[] = []
  let [total, passed, links] = [0, 0, 0]
  for (const file of files) {
    const name = relative(folder, file) || basename(file)
    const provider = providerOf(file)
    const exchanges = readFile(file)
    if (typeof exchanges === 'string') {
      notRead.push(`${name}: ${exchanges}`)
      continue
    }
    for (const [at, checked] of checkedAll(provider, exchanges).entries()) {
      const exchange = exchanges[at]
      const place = `${name} #${at + 1}`
      const { kind, problems, notes } = checked
      if (kind === 'apart') {
        const key = `${exchange?.method} ${exchange?.path}`
        notSpoken.set(key, (notSpoken.get(key) ?? 0) + 1)
        lines.push(`apart  ${place} (${key})`)
        continue
      }
      const isGood = problems.length === 0
      total += 1
      passed += isGood ? 1 : 0
      links += checked.links
      const tally = byProvider.get(provider) ?? { passed: 0, total: 0 }
      byProvider.set(provider, { passed: tally.passed + (isGood ? 1 : 0), total: tally.total + 1 })
      lines.push(`${isGood ? 'good ' : 'WRONG'}  ${place}${inBrackets(notes)}`)
      if (checked.untold !== undefined) untold.push(`${place}: ${checked.untold}`)
      for (const problem of problems) failures.push(`${place}: ${problem}`)
    }
  }
  return {
    files: files.length,
    total,
    passed,
    notRead,
    links,
    untold,
    notSpoken,
    byProvider,
    failures,
    lines,
  }
}

/** The exchanges of a file, or why there are none. */
function readFile(file: string): readonly RecordedExchange[] | string {
  try {
    return recordedExchanges(file)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Exchanges that the check itself fell over are one that failed. */
function checkedAll(provider: string, exchanges: readonly RecordedExchange[]): readonly Checked[] {
  try {
    return checkExchanges(provider, exchanges, CASSETTE_SEED)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ kind: 'checked', problems: [why], notes: [], links: 0 }]
  }
}

/** The last folder in the path of a recording that is called like a provider. */
function providerOf(file: string): string {
  return file.split(sep).findLast((part) => PROVIDERS.has(part)) ?? 'compatible'
}

function inBrackets(notes: readonly string[]): string {
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`
}
