/**
 * A model whose refusals of a key say which key that was: the variable it came from, or where one would be read. Nothing else of
 * the model is changed, and the key itself is not known here.
 */

import { ModelError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { Model } from './model.ts'

/** Where the key of a request came from, for errors. */
export interface KeyFacts {
  /** The address, where it is one of the user's own. */
  readonly address: string | undefined
  /** That has the key or, where none was sent, would be read for one. */
  readonly variable: string
  readonly sent: boolean
}

const EXCERPT = 300

/** The same model; its errors for a key that is not accepted name the variable. */
export function namingItsKey(model: Model, facts: KeyFacts): Model {
  return {
    ...model,
    reply: (request, options) => named(facts, () => model.reply(request, options)),
    ...(model.names !== undefined && {
      names: (signal) => named(facts, async () => (await model.names?.(signal)) ?? []),
    }),
  }
}

/** An address for people, without anything in it that may be secret. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return terminalText(address)
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname === '/' ? '' : pathname}`
}

async function named<Value>(facts: KeyFacts, ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    throw toldWith(facts, error)
  }
}

function toldWith({ address, variable, sent }: KeyFacts, error: unknown): unknown {
  if (!(error instanceof ModelError) || error.code !== 'DP_MODEL_KEY') return error
  const { detail, provider, status, kind, retryable, said } = error
  if (detail?.kind !== 'model-refusal' || detail.meant !== 401) return error
  const who = address ?? provider
  const words = terminalText((said ?? '').slice(0, EXCERPT).trim()).replace(/[.!]+$/, '')
  const told = words === '' ? '' : `: ${words}`
  const advice = sent
    ? `Check the key in the variable ${variable}, which it does not accept.`
    : `No key was sent: put one into the variable ${variable}.`
  return new ModelError(
    'DP_MODEL_KEY',
    `${who} answered ${status ?? detail.meant}${told}. ${advice}`,
    {
      provider,
      status,
      said,
      kind,
      retryable,
      cause: error,
      detail: { ...detail, key: { address, variable, sent } },
    },
  )
}
