/** The list of models that a provider offers, in the shapes that are in use. Pure; what it reads is peer text. */

import { ModelError } from '../../base/errors.ts'
import { exceedsDepth, isJsonObject } from '../../base/json.ts'

/** Most names that are given. */
const MAX_NAMES = 10_000
/** A longer name is none, in UTF-16 units. */
const MAX_NAME = 256

/** In the provider's order, each once. Throws `DP_MODEL_UNREADABLE` for what is no list. */
export function readModelNames(text: string, provider: string): readonly string[] {
  const list = listIn(parsed(text))
  if (list === undefined)
    throw new ModelError(
      'DP_MODEL_UNREADABLE',
      `${provider} answered with something that is no list of models. Check the base URL.`,
      { provider, said: text.slice(0, 2000), detail: { kind: 'model-no-list' } },
    )
  const names = new Set<string>()
  for (const one of list) {
    if (names.size >= MAX_NAMES) break
    const name = isJsonObject(one) ? (one['id'] ?? one['model'] ?? one['name']) : one
    if (typeof name === 'string' && name !== '' && name.length <= MAX_NAME) names.add(name)
  }
  return [...names]
}

function listIn(value: unknown): readonly unknown[] | undefined {
  const lists: readonly unknown[] = isJsonObject(value) ? [value['data'], value['models']] : [value]
  return lists.find((list): list is unknown[] => Array.isArray(list))
}

function parsed(text: string): unknown {
  if (exceedsDepth(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // told by the caller as what it is: no list
  }
}
