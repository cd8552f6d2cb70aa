/**
 * Finds tools by words: an index over names, titles, parameters and descriptions, ranked as in BM25 with a weight for each
 * part. It decides nothing and calls nothing.
 *
 * What servers wrote is read up to limits, split in a fixed way and kept in maps, so that no text of theirs becomes a pattern or
 * a property.
 */

import { isJsonObject } from '../base/json.ts'
import type { HostTool, ServerInstructions } from '../host/host-tool.ts'

export interface SearchOptions {
  /** Most tools. */
  readonly limit: number
  /** Only those of this server. */
  readonly server?: string | undefined
}

export interface FoundTools {
  /** Best first; of equal ones in the order of the list. */
  readonly tools: readonly HostTool[]
  /** How many fit in all. */
  readonly count: number
}

/** Most characters of a description, and of the instructions of a server, that are read. */
const MAX_TEXT = 4_096
/** Of very many tools less is read of each, so that an index takes a second at most. */
const MAX_TOTAL = 4_000_000
const LEAST_TEXT = 256
const MAX_INSTRUCTIONS = 1_024
/** Most parameters of one tool. */
const MAX_PARAMETERS = 64
/** Most characters of a query, and words of it. */
const MAX_QUERY = 1_000
const MAX_WORDS = 64
/** Most words of the index that one word of a query is taken for the beginning of. */
const MAX_BEGINNINGS = 32
const BEGINNING_WEIGHT = 0.5

const WEIGHTS = {
  name: 4,
  title: 3,
  parameter: 1.5,
  server: 1.5,
  description: 1,
  instructions: 0.25,
} as const

/** How fast more of a word counts less, and how much a long text is discounted. */
const K1 = 1.2
const B = 0.4

/** How often, weighted, a tool has each of its words. */
interface Entry {
  readonly words: ReadonlyMap<string, number>
  readonly length: number
}

export class ToolIndex {
  readonly #tools: readonly HostTool[]
  /** By word: which tools have it, by place, and how much. */
  readonly #postings = new Map<string, [place: number, weight: number][]>()
  readonly #lengths: number[] = []
  readonly #meanLength: number
  /** All words, sorted. */
  readonly #words: readonly string[]

  constructor(tools: readonly HostTool[], instructions: readonly ServerInstructions[] = []) {
    this.#tools = tools
    const said = new Map(
      instructions.map(({ server, text }) => [server, text.slice(0, MAX_INSTRUCTIONS)]),
    )
    const share = Math.max(LEAST_TEXT, Math.floor(MAX_TOTAL / Math.max(1, tools.length)))
    const most = Math.min(MAX_TEXT, share)
    let total = 0
    for (const [place, tool] of tools.entries()) {
      const { words, length } = entryOf(tool, said.get(tool.server ?? '') ?? '', most)
      this.#lengths.push(length)
      total += length
      for (const [word, weight] of words) {
        const posting = this.#postings.get(word)
        if (posting === undefined) this.#postings.set(word, [[place, weight]])
        else posting.push([place, weight])
      }
    }
    this.#meanLength = Math.max(1, total / Math.max(1, tools.length))
    this.#words = [...this.#postings.keys()].toSorted()
  }

  /** A query without words finds nothing. One that is the name of a tool has that tool first. */
  search(query: string, { limit, server }: SearchOptions): FoundTools {
    const text = query.slice(0, MAX_QUERY)
    const scores = new Map<number, number>()
    for (const word of new Set(wordsOf(text).slice(0, MAX_WORDS))) this.#score(word, scores)
    for (const [place, { alias, name }] of this.#tools.entries()) {
      if (alias === text.trim()) scores.set(place, Number.POSITIVE_INFINITY)
      else if (name === text.trim()) scores.set(place, Number.MAX_VALUE)
    }
    const ranked = [...scores]
      .filter(([place]) => server === undefined || this.#tools[place]?.server === server)
      .toSorted(([one, oneScore], [other, otherScore]) =>
        oneScore === otherScore ? one - other : otherScore > oneScore ? 1 : -1,
      )
    const tools = ranked.slice(0, limit).flatMap(([place]) => this.#tools[place] ?? [])
    return { tools, count: ranked.length }
  }

  #score(word: string, scores: Map<number, number>): void {
    this.#add(word, 1, scores)
    if (word.length < 3) return
    for (const longer of this.#beginningWith(word)) this.#add(longer, BEGINNING_WEIGHT, scores)
  }

  #add(word: string, factor: number, scores: Map<number, number>): void {
    const posting = this.#postings.get(word) ?? []
    const all = this.#tools.length
    const rarity = Math.log(1 + (all - posting.length + 0.5) / (posting.length + 0.5))
    for (const [place, weight] of posting) {
      const length = (this.#lengths[place] ?? 0) / this.#meanLength
      const much = (weight * (K1 + 1)) / (weight + K1 * (1 - B + B * length))
      scores.set(place, (scores.get(place) ?? 0) + factor * rarity * much)
    }
  }

  #beginningWith(word: string): readonly string[] {
    let low = 0
    let high = this.#words.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#words[middle] ?? '') < word) low = middle + 1
      else high = middle
    }
    const near = this.#words.slice(low, low + MAX_BEGINNINGS + 1)
    return near.filter((longer) => longer !== word && longer.startsWith(word))
  }
}

/** Of each part of the tool `most` characters are read. */
function entryOf(tool: HostTool, instructions: string, most: number): Entry {
  const { server = '', name, title = '', description = '', inputSchema } = tool
  const properties = inputSchema['properties']
  const parameters = isJsonObject(properties)
    ? Object.keys(properties).slice(0, MAX_PARAMETERS).join(' ')
    : ''
  const words = new Map<string, number>()
  let length = 0
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text.slice(0, most))) {
      words.set(word, (words.get(word) ?? 0) + weight)
      length += weight
    }
  }
  add(name, WEIGHTS.name)
  add(title, WEIGHTS.title)
  add(server, WEIGHTS.server)
  add(parameters, WEIGHTS.parameter)
  add(description, WEIGHTS.description)
  add(instructions, WEIGHTS.instructions)
  return { words, length }
}

/** Scripts that are written without blanks. */
const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Hangul}]'
const RUNS = new RegExp(`(${UNSPACED}+)|((?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+)`, 'gu')
const LOWER_UPPER = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu
const MAX_WORD = 40

/**
 * Words of a text in one form: `readTextFiles` gives `read`, `text`, `file`. Of scripts without blanks each character and each
 * pair of neighbours is a word.
 */
export function wordsOf(text: string): readonly string[] {
  const split = text.normalize('NFKC').replace(LOWER_UPPER, ' ').toLowerCase()
  const words: string[] = []
  for (const [, unspaced, word = ''] of split.matchAll(RUNS)) {
    if (unspaced === undefined) words.push(stemOf(word.slice(0, MAX_WORD)))
    else addPairs(Array.from(unspaced), words)
  }
  return words
}

function addPairs(characters: readonly string[], words: string[]): void {
  for (const [at, character] of characters.entries()) {
    words.push(character)
    const next = characters[at + 1]
    if (next !== undefined) words.push(character + next)
  }
}

/** The commonest endings of English taken off: the same is done to queries, so that it need not be right. */
function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (/[^sui]s$/.test(word)) return word.slice(0, -1)
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3)
  return word.length > 4 && word.endsWith('ed') ? word.slice(0, -2) : word
}
