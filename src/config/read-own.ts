/** What `deepPilot` says within an entry: how the host of this project treats the server. Other hosts ignore it. */

import type { EntryDraft } from './draft.ts'
import { numberOf, type ConfigNode } from './document.ts'
import type { EntryTimers, FlowLabel, Place, StartMode } from './entry.ts'
import type { ProblemKind, ProblemValues } from './problem.ts'
import { OWN_TIMER_KEYS, ownTimers } from './read-timers.ts'

/** What may be said; what is not said is left out. */
export interface OwnSettings {
  readonly start?: StartMode
  readonly trusted?: boolean
  readonly timeouts: EntryTimers
  readonly concurrency?: number
  readonly queue?: number
  readonly onlyTools?: readonly string[]
  readonly withoutTools?: readonly string[]
  readonly labels: readonly FlowLabel[]
  readonly toolLabels: ReadonlyMap<string, readonly FlowLabel[]>
}

const START: readonly string[] = ['required', 'optional', 'lazy'] satisfies StartMode[]
const LABELS: readonly string[] = [
  'private-data',
  'untrusted-content',
  'external-sink',
] satisfies FlowLabel[]

const KEYS: readonly string[] = [
  'start',
  'trusted',
  'concurrency',
  'queue',
  'onlyTools',
  'withoutTools',
  'labels',
  'toolLabels',
  ...OWN_TIMER_KEYS,
]

/** Most calls at once and most that wait. */
const LIMITS = { concurrency: [1, 1024], queue: [0, 100_000] } as const

const NO_SETTINGS: OwnSettings = { timeouts: {}, labels: [], toolLabels: new Map() }

export function readOwn(entry: ConfigNode, draft: EntryDraft): OwnSettings {
  const block = entry.members.get('deepPilot')
  if (block === undefined || block.kind === 'null') return NO_SETTINGS
  if (block.kind !== 'object') {
    draft.wrongType('deepPilot', block, 'an object')
    return NO_SETTINGS
  }
  for (const [key, { place }] of block.members)
    if (!KEYS.includes(key)) draft.warn('unknown-setting', place, { key, choices: KEYS.join(', ') })
  const start = startOf(block, draft)
  const trusted = trustOf(block, draft)
  const onlyTools = toolNames(block, 'onlyTools', draft)
  const withoutTools = toolNames(block, 'withoutTools', draft)
  const labels = block.members.get('labels')
  return {
    timeouts: ownTimers(block, draft),
    ...(start !== undefined && { start }),
    ...(trusted !== undefined && { trusted }),
    ...counts(block, draft),
    ...(onlyTools !== undefined && { onlyTools }),
    ...(withoutTools !== undefined && { withoutTools }),
    labels: labels === undefined ? [] : labelsOf('labels', labels, draft),
    toolLabels: toolLabelsOf(block, draft),
  }
}

function startOf(block: ConfigNode, draft: EntryDraft): StartMode | undefined {
  const node = block.members.get('start')
  if (node === undefined) return undefined
  if (isStart(node.text)) return node.text
  return draft.error('bad-choice', node.place, { key: 'start', choices: START.join(', ') })
}

function isStart(text: string): text is StartMode {
  return START.includes(text)
}

/** A file that comes with a project cannot speak for itself. */
function trustOf(block: ConfigNode, draft: EntryDraft): boolean | undefined {
  const trusted = draft.flag(block, 'trusted')
  const node = block.members.get('trusted')
  if (trusted !== true || draft.context.scope !== 'project' || node === undefined) return trusted
  draft.warn('project-trust', node.place, { key: 'deepPilot.trusted' })
  return false
}

/** Told of as an error of the entry, or of the file. */
export interface CountFaults {
  error(kind: ProblemKind, place: Place, values?: ProblemValues): undefined
}

/** `concurrency` and `queue` of a block. */
export function counts(
  block: ConfigNode,
  faults: CountFaults,
): { readonly concurrency?: number; readonly queue?: number } {
  const concurrency = wholeNumber(block, 'concurrency', faults)
  const queue = wholeNumber(block, 'queue', faults)
  return {
    ...(concurrency !== undefined && { concurrency }),
    ...(queue !== undefined && { queue }),
  }
}

/** A whole number within the limits of its kind. */
export function wholeNumber(
  block: ConfigNode,
  key: string,
  faults: CountFaults,
): number | undefined {
  const node = block.members.get(key)
  if (node === undefined || node.kind === 'null') return undefined
  const [least, most] = key === 'queue' ? LIMITS.queue : LIMITS.concurrency
  const value = numberOf(node)
  if (value !== undefined && Number.isInteger(value) && value >= least && value <= most)
    return value
  return faults.error('bad-number', node.place, { key, least, most })
}

function toolNames(
  block: ConfigNode,
  key: string,
  draft: EntryDraft,
): readonly string[] | undefined {
  const node = block.members.get(key)
  return node === undefined ? undefined : draft.words(key, node)
}

function labelsOf(key: string, node: ConfigNode, draft: EntryDraft): readonly FlowLabel[] {
  const words = draft.words(key, node) ?? []
  const labels = words.filter(isLabel)
  if (labels.length < words.length)
    draft.error('bad-choice', node.place, { key, choices: LABELS.join(', ') })
  // Without labels a tool is taken for one that lets data out, and a project's own word does not take that back.
  const lowers = draft.context.scope === 'project' && labels.length > 0
  return lowers && !labels.includes('external-sink') ? [...labels, 'external-sink'] : labels
}

function isLabel(text: string): text is FlowLabel {
  return LABELS.includes(text)
}

function toolLabelsOf(
  block: ConfigNode,
  draft: EntryDraft,
): ReadonlyMap<string, readonly FlowLabel[]> {
  const node = block.members.get('toolLabels')
  if (node === undefined) return new Map()
  if (node.kind !== 'object') {
    draft.wrongType('toolLabels', node, 'an object of lists')
    return new Map()
  }
  return new Map(
    [...node.members].map(([tool, labels]) => [
      tool,
      labelsOf(`toolLabels.${tool}`, labels, draft),
    ]),
  )
}
