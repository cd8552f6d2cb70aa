/** Reads the words after `npm run conformance --`. */
import { parseArgs } from 'node:util'
import type { Selection, Side } from './plan.ts'
import { SUITES } from './suites.ts'

export interface Options {
  readonly selection: Selection
  /** Where the summary goes as JSON. */
  readonly json: string | undefined
  /** Whether the results of the suite stay; their folder is printed. */
  readonly keep: boolean
  /** A server that runs already, in place of ours. */
  readonly url: string | undefined
  /** A client in place of ours. */
  readonly command: string | undefined
}

const versions = SUITES.map(({ version }) => version).join(', ')

export const USAGE: string = `npm run conformance -- [options]

  --only SIDE          server or client
  --spec-version V     only the runs that speak this revision, such as 2025-11-25
  --scenario A,B       only these scenarios, in every run that has them
  --suite-version V    only this version of the suite: ${versions}
  --json FILE          write the summary to FILE
  --keep               keep what the suite and the subjects wrote, and print where
  --url URL            judge a server that runs already; what is expected of ours is not asked of it
  --command COMMAND    judge another client, started as COMMAND URL; words are split at blanks
`

/** Throws with a sentence for people when a word is wrong. */
export function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: 'string' },
      'spec-version': { type: 'string' },
      scenario: { type: 'string' },
      'suite-version': { type: 'string' },
      json: { type: 'string' },
      keep: { type: 'boolean', default: false },
      url: { type: 'string' },
      command: { type: 'string' },
    },
  })
  const suite = values['suite-version']
  if (suite !== undefined && !SUITES.some(({ version }) => version === suite))
    throw new Error(`There is no version ${suite} of the suite here; there are ${versions}.`)
  return {
    selection: {
      side: sideOf(values.only),
      spec: values['spec-version'],
      suite,
      scenarios: values.scenario?.split(','),
    },
    json: values.json,
    keep: values.keep,
    url: values.url,
    command: values.command,
  }
}

function sideOf(word: string | undefined): Side | undefined {
  if (word === undefined || word === 'server' || word === 'client') return word
  throw new Error(`--only takes "server" or "client", not "${word}".`)
}
