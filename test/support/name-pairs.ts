/**
 * Random pairs of server and tool names, most of them made to be taken for one another: separators at the seam, characters that
 * are replaced alike, names that differ past the cut, ends that look like a hash, halves of surrogate pairs, NULs.
 */

import { aliasOf, MAX_ALIAS, type Sha256 } from '../../src/tools/names.ts'
import { dice, type Dice } from './seeded.ts'

const PIECES: readonly string[] = [
  'a',
  'b',
  'ab',
  'A',
  '0',
  '1',
  '_',
  '__',
  '___',
  '-',
  '.',
  '/',
  ' ',
  ':',
  '\u0000',
  '%',
  '\ud800',
  '\udc00',
  '\ud83d\ude00',
  'é',
  'e\u0301',
  'а',
  '天',
  '\u200b',
  '\u202e',
  '\ufffd',
  'K',
  'mcp__',
  'server',
  'tool',
  'read_file',
  '__proto__',
  'constructor',
  '"',
  '\\',
  '\n',
  ',"',
  '","',
  '_0123456789ab',
  '0123456789ab',
  'x'.repeat(19),
  'y'.repeat(31),
  'z'.repeat(62),
  '_'.repeat(40),
]

function hostileName(luck: Dice): string {
  let name = ''
  for (let left = luck.between(1, 4); left > 0; left -= 1) name += luck.pick(PIECES)
  // A number at one of the ends makes names that share nearly everything.
  if (luck.chance(0.7)) name += luck.between(0, 9_999).toString(luck.pick([10, 16, 36]))
  return luck.chance(0.1) ? `${luck.between(0, 99)}${name}` : name
}

function plainName(luck: Dice): string {
  return `${luck.pick(['get', 'list', 'send', 'mail', 'wiki'])}${luck.pick(['_', '-', ''])}${luck.between(0, 99_999)}`
}

export interface InjectivityReport {
  readonly pairs: number
  /** Names that stand for two pairs, or break the rules for names. */
  readonly faults: readonly string[]
  readonly hashed: number
}

/** Names so many different pairs and looks for two with one name. */
export function findSharedNames(count: number, seed: number, sha256: Sha256): InjectivityReport {
  const luck = dice(seed)
  const pairs = new Set<string>()
  const aliases = new Set<string>()
  const faults: string[] = []
  let hashed = 0
  while (pairs.size < count && faults.length < 5) {
    const name = luck.chance(0.85) ? hostileName : plainName
    const [server, tool] = [name(luck), name(luck)]
    const before = pairs.size
    pairs.add(JSON.stringify([server, tool]))
    if (pairs.size === before) continue
    const alias = aliasOf(server, tool, sha256)
    const isTaken = aliases.has(alias)
    aliases.add(alias)
    if (isTaken || alias.length > MAX_ALIAS || !/^[A-Za-z0-9_-]+$/.test(alias))
      faults.push(
        `${JSON.stringify([server, tool])} is named ${alias}${isTaken ? ', as another pair is' : ''}`,
      )
    if (alias !== `${server}__${tool}`) hashed += 1
  }
  return { pairs: pairs.size, faults, hashed }
}
