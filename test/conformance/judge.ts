/**
 * What the evidence of one scenario comes to. Stricter than the suite's own exit code: warnings count, and so does a
 * scenario that nobody got as far as checking. Pure; who gathers the evidence is `evidence.ts`.
 */
import { isJsonObject } from '../../src/base/json.ts'

/** How the process of the suite ended that ran the scenario. */
export type Ending = 'passed' | 'failed' | 'deadline'

export interface Evidence {
  /** What `checks.json` holds, as it was parsed; undefined where none was left. */
  readonly checks: unknown
  /** Of a process that ran this scenario alone; undefined where it ran many. */
  readonly ending: Ending | undefined
}

export type Verdict =
  | {
      readonly kind: 'green'
      /** Ids of checks that the suite left out within a scenario that is green otherwise. */
      readonly skips: readonly string[]
    }
  /** The suite left out every check. */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'red'; readonly faults: readonly string[] }

/** Added to every scenario with traffic; it is a success also when nothing of the scenario itself was reached. */
const ALWAYS_THERE = 'wire-schema-valid'
/** Words of a fault that fit into one line of a terminal. */
const MAX_FAULT_LENGTH = 300

const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO'] as const

interface Check {
  readonly id: string
  readonly status: (typeof STATUSES)[number]
  readonly says: string
}

/** Green needs no failure, no warning, at least one success of its own, and a process that ended well. */
export function judge({ checks, ending }: Evidence): Verdict {
  if (ending === 'deadline') return red('did not end before its deadline')
  if (!Array.isArray(checks)) {
    return red(checks === undefined ? 'left no checks.json' : 'its checks.json is not a list')
  }
  const read = checks.map(readCheck)
  if (read.some((check) => check === undefined)) return red('a check has no id or no known status')
  const known = read.filter((check) => check !== undefined)
  const faults = known
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, status, says }) => oneLine(`${status} ${id}: ${says}`))
  if (faults.length > 0) return { kind: 'red', faults }
  const own = known.filter(({ id }) => id !== ALWAYS_THERE)
  const succeeded = own.some(({ status }) => status === 'SUCCESS')
  if (ending === 'failed') {
    return red(`${succeeded ? 'every check is fine' : 'no check succeeded'}, and the run failed`)
  }
  if (succeeded) {
    const skips = own.filter(({ status }) => status === 'SKIPPED').map(({ id }) => id)
    return { kind: 'green', skips }
  }
  const skipped = own.length > 0 && own.every(({ status }) => status === 'SKIPPED')
  return skipped ? { kind: 'skipped' } : red('no check succeeded')
}

function red(fault: string): Verdict {
  return { kind: 'red', faults: [fault] }
}

function readCheck(value: unknown): Check | undefined {
  if (!isJsonObject(value)) return undefined
  const { id, description, errorMessage } = value
  const status = STATUSES.find((word) => word === value['status'])
  if (typeof id !== 'string' || status === undefined) return undefined
  const says = typeof errorMessage === 'string' ? errorMessage : description
  return { id, status, says: typeof says === 'string' ? says : '' }
}

/** The suite quotes what it received, so that a fault may hold anything. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return plain.length > MAX_FAULT_LENGTH ? `${plain.slice(0, MAX_FAULT_LENGTH - 1)}…` : plain
}
