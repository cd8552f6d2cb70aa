/** Reads the words after `npm run bench --`. Knows no bar but by its name. */

import { parseArgs } from 'node:util'

export type Section =
  | 'P1'
  | 'P2'
  | 'P3'
  | 'P4'
  | 'P5'
  | 'P6'
  | 'P7'
  | 'P8'
  | 'P8http'
  | 'P9'
  | 'P9host'
  | 'P10'
  | 'P11'
  | 'P12'
  | 'P13'
  | 'P14'
  | 'P15'
  | 'channel'
  | 'exit'
  | 'hostfaults'
  | 'agentcalls'
  | 'agentcatalogue'

const SECTIONS: readonly Section[] = [
  'P1',
  'P2',
  'P3',
  'P4',
  'P5',
  'P6',
  'P7',
  'P8',
  'P8http',
  'P9',
  'P9host',
  'P10',
  'P11',
  'P12',
  'P13',
  'P14',
  'P15',
  'channel',
  'exit',
  'hostfaults',
  'agentcalls',
  'agentcatalogue',
]

export interface Options {
  /** How often each cell is measured, in a fresh process each time. Default 7, with `--quick` 3. */
  readonly rounds: number
  readonly only: ReadonlySet<Section>
  /** Where all samples go as JSON. */
  readonly json: string | undefined
  /** Folder for the CPU profiles of our client and server. */
  readonly profile: string | undefined
  /** Shorter windows and fewer rounds: shows that it runs, proves no bar. */
  readonly quick: boolean
  /** Whether peers that are missing may be installed first. Default true. */
  readonly install: boolean
}

export const USAGE: string = `npm run bench -- [options]

  --rounds N      measure each cell N times, interleaved (7; with --quick 3)
  --only P1,P4    only these: ${SECTIONS.join(', ')}
  --json FILE     write every sample to FILE
  --profile[=DIR] also write CPU profiles of our client and server (coverage/profiles)
  --quick         short windows; shows that it runs, proves nothing
  --no-install    leave out the peers that are not installed yet
`

/** Throws with a sentence for people when a word is wrong. */
export function readOptions(words: readonly string[]): Options {
  // `--profile` alone means its default folder; parseArgs knows no optional values.
  const args = words.map((word) => (word === '--profile' ? '--profile=coverage/profiles' : word))
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      quick: { type: 'boolean', default: false },
      'no-install': { type: 'boolean', default: false },
    },
  })
  const rounds = Number(values.rounds ?? (values.quick ? 3 : 7))
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error('--rounds takes a whole number from 1.')
  return {
    rounds,
    only: new Set(values.only === undefined ? SECTIONS : values.only.split(',').map(section)),
    json: values.json,
    profile: values.profile,
    quick: values.quick,
    install: !values['no-install'],
  }
}

function section(word: string): Section {
  const found = SECTIONS.find((name) => name.toLowerCase() === word.trim().toLowerCase())
  if (found === undefined)
    throw new Error(`There is no "${word}"; there are ${SECTIONS.join(', ')}.`)
  return found
}
