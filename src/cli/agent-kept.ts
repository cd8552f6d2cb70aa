/**
 * How a session asks its model, as it is kept in the facts of the session. Only reads; what is made of it is in `agent-resumed`.
 *
 * No key is in it, and of an address only what cannot be secret.
 */

import type { Effort } from '../agent/model.ts'
import { isJsonObject } from '../base/json.ts'

/** How much a model thinks, as it is written. */
export const EFFORTS: readonly Effort[] = ['none', 'low', 'medium', 'high', 'max']

/** Variables that stand for options of the model. */
export type ModelVariable = 'DEEP_PILOT_MODEL' | 'DEEP_PILOT_BASE_URL' | 'DEEP_PILOT_CONTEXT'

/** All of them. */
export const MODEL_VARIABLES: readonly ModelVariable[] = [
  'DEEP_PILOT_MODEL',
  'DEEP_PILOT_BASE_URL',
  'DEEP_PILOT_CONTEXT',
]

/** Longest text that is read. */
const MAX_TEXT = 4_096

/** What beside the model's name is needed to ask it as before. */
export interface KeptModel {
  /** An address of the user's own, without user, query and fragment. */
  readonly baseUrl?: string
  /** The address had more, which is not kept. */
  readonly isCut?: true
  readonly insecureHttp?: true
  readonly stream?: false
  /** Tokens. */
  readonly context?: number
  readonly effort?: Effort
  readonly maxOutput?: number
  /** The variables that were set then, by their names; an address as above. */
  readonly variables?: Readonly<Partial<Record<ModelVariable, string>>>
}

/** What was kept, as far as it can be read; undefined where nothing was. */
export function keptIn(value: unknown): KeptModel | undefined {
  if (!isJsonObject(value)) return undefined
  const { baseUrl, isCut, insecureHttp, stream, context, effort, maxOutput, variables } = value
  const known = EFFORTS.find((one) => one === effort)
  return {
    ...(isText(baseUrl) && { baseUrl }),
    ...(isCut === true && { isCut }),
    ...(insecureHttp === true && { insecureHttp }),
    ...(stream === false && { stream }),
    ...(isCount(context) && { context }),
    ...(known !== undefined && { effort: known }),
    ...(isCount(maxOutput) && { maxOutput }),
    ...(isJsonObject(variables) && {
      variables: Object.fromEntries(
        MODEL_VARIABLES.flatMap((name) => {
          const one = variables[name]
          return isText(one) ? [[name, one] as const] : []
        }),
      ),
    }),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
