/**
 * How servers that run models themselves are asked for the window of one: where, and where in the answer it stands. Pure, as data. What
 * they say is a stranger's word: it is read here and believed by whoever asked, within bounds.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'

/** One question. The first that has an answer counts. */
export interface WindowWay {
  /** Below the base URL. */
  readonly path: string
  /** The version at the end of the base URL is left out: `/props` stands beside `/v1`. Default false. */
  readonly besideVersion?: boolean
  /** For a question that is posted. */
  readonly body?: (model: string) => JsonObject
  /** The window in the answer, whatever it is. */
  readonly read: (answer: JsonObject, model: string) => unknown
}

/** A model that is loaded has the window with which it was; else what its file asks for. The server's own default is told nowhere. */
export const OLLAMA_WINDOW: readonly WindowWay[] = [
  {
    path: '/api/ps',
    read({ models }, model) {
      const latest = `${model}:latest`
      const loaded = listed(models).find(({ name }) => name === model || name === latest)
      return loaded?.['context_length']
    },
  },
  {
    path: '/api/show',
    body: (model) => ({ model }),
    read: ({ parameters }) => numberOfWindow(parameters),
  },
]

/** That of one slot, which is what a request gets. */
export const LLAMACPP_WINDOW: readonly WindowWay[] = [
  {
    path: '/props',
    besideVersion: true,
    read({ default_generation_settings: settings }) {
      return isJsonObject(settings) ? settings['n_ctx'] : undefined
    },
  },
]

export const VLLM_WINDOW: readonly WindowWay[] = [
  {
    path: '/models',
    read: ({ data }, model) => listed(data).find(({ id }) => id === model)?.['max_model_len'],
  },
]

function listed(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Lines of a name, blanks and a value. */
function numberOfWindow(parameters: JsonValue | undefined): number | undefined {
  if (typeof parameters !== 'string') return undefined
  for (const line of parameters.split('\n')) {
    const [name, value, ...more] = line.trim().split(/\s+/)
    if (name === 'num_ctx' && value !== undefined && more.length === 0) return Number(value)
  }
  return undefined
}
