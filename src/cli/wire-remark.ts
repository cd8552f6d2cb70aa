/**
 * A warning of the wire as a person reads it: which server did what wrong and what follows, one sentence in the person's language.
 *
 * It is made where the log is written, so that a log for machines keeps the facts. Texts of servers are shortened and made safe here.
 */

import type { JsonObject, JsonValue } from '../base/json.ts'
import type { LogRecord } from '../base/log.ts'
import { cutToWidth, terminalText } from '../base/terminal-text.ts'
import type { EntryNoun, NoteWords, Remark, RemarkOf } from './messages/note-words.ts'

/** Columns of a text of a server, and of the longest that is about something of ours. */
const SHOWN = 80
/** Sentences of one kind about one server that differ in what it sent alone: more of them say nothing new. */
const MAX_LIKE = 3
/** Sentences and kinds that are remembered. */
const MAX_SAID = 1_000

/** What the server is not to blame for. */
const BLAMELESS: ReadonlySet<Remark['kind']> = new Set<Remark['kind']>([
  'stale',
  'subscription-gaps',
  'no-listening',
  'not-accepted',
  'error-without-id',
])

/** Each of them is another thing to mend. */
const EACH_ITS_OWN: ReadonlySet<Remark['kind']> = new Set<Remark['kind']>(['entry', 'bad-contents'])

/**
 * Gives the sentence of a record: empty where a person was told already, and undefined where it is no warning of the wire, or none
 * that is known.
 */
export function remarkTeller(words: NoteWords): (record: LogRecord) => string | undefined {
  const told = new Told()
  return ({ level, module, message, data = {} }) => {
    if (module !== 'wire' || level !== 'warn') return undefined
    const remark = remarkOf(message, data)
    if (remark === undefined) return undefined
    const server = shown(data['server'])
    const line = `${words.head(server)}${sentence(remark, words)}`
    if (BLAMELESS.has(remark.kind)) return line
    const [noted = ''] = message.split(':')
    const about = `${server} ${noted}`
    if (remark.kind === 'more') return told.isNew(`more ${about}`) ? line : ''
    if (!told.isNew(line)) return ''
    const count = told.count(about)
    if (count === 1) return `${line}${words.toAuthor}`
    if (count <= MAX_LIKE || EACH_ITS_OWN.has(remark.kind)) return line
    const isFull = told.isNew(`more ${about}`)
    return isFull ? `${words.head(server)}${words.told.more({ kind: 'more' })}` : ''
  }
}

/** What a person was told: faults come again with every list that is read, and with every start. */
class Told {
  readonly #texts = new Set<string>()
  readonly #counts = new Map<string, number>()

  isNew(text: string): boolean {
    if (this.#texts.has(text)) return false
    if (this.#texts.size < MAX_SAID) this.#texts.add(text)
    return true
  }

  /** How many with this one. */
  count(about: string): number {
    const count = (this.#counts.get(about) ?? 0) + 1
    if (this.#counts.size < MAX_SAID || count > 1) this.#counts.set(about, count)
    return count
  }
}

function sentence<Kind extends Remark['kind']>(remark: RemarkOf<Kind>, words: NoteWords): string {
  return words.told[remark.kind](remark)
}

function remarkOf(kind: string, data: JsonObject): Remark | undefined {
  if (typeof data['told'] === 'number') return { kind: 'more' }
  switch (kind) {
    case 'bad-tool':
      return entryRemark('tool', data)
    case 'bad-resource':
      return entryRemark('resource', data)
    case 'bad-template':
      return entryRemark('template', data)
    case 'bad-prompt':
      return entryRemark('prompt', data)
    case 'bad-contents':
      return { kind, part: placeIn(data), uri: shown(data['uri']) }
    case 'cursor-loop':
    case 'stale':
    case 'unexpected-request':
      return { kind, method: shown(data['method']) }
    case 'subscription-gaps':
      return { kind, names: listed(data['notGranted']) }
    case 'duplicate':
    case 'unknown-id':
      return { kind, id: shown(data['id']) }
    case 'error-without-id':
      return { kind, message: clause(data['message']) }
    case 'malformed':
    case 'stray':
      return { kind, text: shown(data['text']), ...reasonIn(data) }
    case 'too-large':
      return { kind, bytes: numberIn(data, 'size') }
    case 'no-listening':
      return { kind, reason: clause(data['message']) }
    case 'session-ignored':
      return { kind, reason: clause(data['reason']) }
    case 'not-accepted':
      return { kind, isAnswer: data['kind'] === 'answer', reason: clause(data['message']) }
    default:
      return undefined
  }
}

/** What is wrong with an entry is said in English; its few sentences are known by their words. */
function entryRemark(noun: EntryNoun, data: JsonObject): Remark {
  const problem = typeof data['problem'] === 'string' ? data['problem'] : ''
  const place = placeIn(data)
  const name = typeof data['name'] === 'string' ? { name: shown(data['name']) } : {}
  const entry = { kind: 'entry', noun, place, problem: clause(problem), ...name } as const
  const schema = /^its (inputSchema|outputSchema) is no object$/.exec(problem)?.[1]
  if (schema === 'inputSchema' || schema === 'outputSchema') return { ...entry, fault: schema }
  if (/^it has no \w+$/.test(problem)) return { ...entry, fault: 'nameless' }
  const [, second] = /^a second \w+ has the \w+ (".*")$/s.exec(problem) ?? []
  if (second !== undefined) return { ...entry, fault: 'twice', name: unquoted(second) }
  const [, left, why] = /^("(?:[^"\\]|\\.)*") was left out: (.*)$/s.exec(problem) ?? []
  if (left === undefined) return { ...entry, fault: 'other' }
  return { ...entry, fault: 'left-out', name: unquoted(left), problem: clause(why) }
}

function unquoted(text: string): string {
  try {
    return shown(String(JSON.parse(text)))
  } catch {
    return shown(text)
  }
}

/** Where the text does not show it: what is no JSON, or no text, says so itself. */
function reasonIn(data: JsonObject): { readonly reason?: string } {
  const { reason } = data
  return typeof reason !== 'string' || reason === 'not JSON' ? {} : { reason: clause(reason) }
}

/** A text of a server, or about one. */
function shown(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  return cutToWidth(terminalText(text.slice(0, SHOWN * 4).trim()), SHOWN)
}

/** What a full stop follows: an error is a sentence or two, and is not cut where it says what to do. */
function clause(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : ''
  return terminalText(text.slice(0, SHOWN * 4).trim()).replace(/\.$/, '')
}

function listed(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.slice(0, 20).map(shown) : []
}

function numberIn(data: JsonObject, member: string): number {
  const value = data[member]
  return typeof value === 'number' ? value : 0
}

/** From 1. */
function placeIn(data: JsonObject): number {
  return numberIn(data, 'index') + 1
}
