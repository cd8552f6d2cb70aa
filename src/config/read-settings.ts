/** The block `deepPilot` of a file: settings of the host and the policy, which is only carried to who reads it. */

import type { HostSettings, PinningMode, PlacedValue } from './config.ts'
import { kindInWords, placesWithin, plainValue, type ConfigNode } from './document.ts'
import type { Place, Scope } from './entry.ts'
import { makeProblem, type Problem, type ProblemKind, type ProblemValues } from './problem.ts'
import { counts, wholeNumber } from './read-own.ts'
import { OWN_TIMER_KEYS, ownTimers } from './read-timers.ts'

export interface ReadSettings {
  readonly settings: HostSettings
  readonly policy: PlacedValue | undefined
}

const NOTHING: ReadSettings = { settings: { timeouts: {} }, policy: undefined }

const KEYS: readonly string[] = [
  'policy',
  'concurrency',
  'queue',
  'totalConcurrency',
  'pinning',
  ...OWN_TIMER_KEYS,
]
const PINNING: readonly string[] = ['off', 'first-use', 'frozen'] satisfies PinningMode[]

/** Problems go into `problems`. A bad setting is left out and told of; nothing else is lost by it. */
export function readSettings(root: ConfigNode, scope: Scope, problems: Problem[]): ReadSettings {
  const block = root.members.get('deepPilot')
  if (block === undefined || block.kind === 'null') return NOTHING
  const told = (
    severity: 'error' | 'warning',
    kind: ProblemKind,
    place: Place,
    values: ProblemValues = {},
  ): undefined => void problems.push(makeProblem({ severity, kind, place, values }))
  const faults = {
    error: (kind: ProblemKind, place: Place, values?: ProblemValues) =>
      told('error', kind, place, values),
  }
  if (block.kind !== 'object') {
    const values = { key: 'deepPilot', expected: 'an object', found: kindInWords(block) }
    told('error', 'wrong-type', block.place, values)
    return NOTHING
  }
  for (const [key, { place }] of block.members)
    if (!KEYS.includes(key))
      told('warning', 'unknown-setting', place, { key, choices: KEYS.join(', ') })
  const totalConcurrency = wholeNumber(block, 'totalConcurrency', faults)
  const pinning = block.members.get('pinning')
  const policy = block.members.get('policy')
  const fits = pinning !== undefined && isPinning(pinning.text)
  if (pinning !== undefined && !fits) {
    const values = { key: 'pinning', choices: PINNING.join(', ') }
    told('error', 'bad-choice', pinning.place, values)
  }
  // A project may ask for more care, never for less.
  const mode = fits && (scope !== 'project' || pinning.text === 'frozen') ? pinning.text : undefined
  if (fits && mode === undefined)
    told('warning', 'project-trust', pinning.place, { key: 'deepPilot.pinning' })
  return {
    settings: {
      timeouts: ownTimers(block, faults),
      ...counts(block, faults),
      ...(totalConcurrency !== undefined && { totalConcurrency }),
      ...(mode !== undefined && isPinning(mode) && { pinning: mode }),
    },
    policy:
      policy === undefined
        ? undefined
        : { value: plainValue(policy), place: policy.place, places: placesWithin(policy) },
  }
}

function isPinning(text: string): text is PinningMode {
  return PINNING.includes(text)
}
