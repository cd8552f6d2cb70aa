/** A comparison as lines for a person: the bytes of each way, the table, and the call link by link. */

import { displayWidth, terminalText } from '../../base/terminal-text.ts'
import { COMPARE_ROWS, type CompareRow, type CompareWords } from '../messages/compare-words.ts'
import { aiSdkShape, langChainShape } from './in-process.ts'
import { WAYS, type ChainLink, type Compared, type Frame, type Way } from './measured.ts'
import type { Subject } from './subject.ts'
import { tableLines } from './table.ts'

/** Columns where there is no terminal. */
const DEFAULT_COLUMNS = 100
const MAX_COLUMNS = 140

export interface View {
  readonly words: CompareWords
  readonly columns: number | undefined
}

export function comparisonLines(
  compared: Compared,
  subject: Subject,
  { words, columns }: View,
): readonly string[] {
  const width = Math.min(columns ?? DEFAULT_COLUMNS, MAX_COLUMNS)
  const call = callText(compared)
  return [
    words.subject(call, compared.hostPid),
    words.scripted,
    ...WAYS.flatMap((way, at) => [
      '',
      heading(`${at + 1}/${WAYS.length} ${words.ways[way]}`, width),
      ...wayLines(way, { compared, subject, words }),
    ]),
    '',
    heading(words.measured, width),
    ...table(compared, words, width),
    '',
    heading(words.chain, width),
    ...compared.chain.map((link, at) => `${at + 1}. ${linkText(link, words)}`),
    '',
    words.outro,
  ]
}

interface Told {
  readonly compared: Compared
  readonly subject: Subject
  readonly words: CompareWords
}

function wayLines(way: Way, told: Told): readonly string[] {
  const { compared, words } = told
  const { rounds, frames } = compared
  const [asked, decided, answered, said] = rounds[way].bodies
  const model = (text: string, direction: 'in' | 'out'): readonly string[] =>
    frameLines({ direction, text, bytes: Buffer.byteLength(text) }, 'model', words)
  const server = (frame: Frame): readonly string[] => frameLines(frame, 'server', words)
  if (way === 'mcp')
    return [
      ...frames.before.flatMap(server),
      ...model(asked, 'out'),
      ...model(decided, 'in'),
      ...frames.call.flatMap(server),
      ...model(answered, 'out'),
      ...model(said, 'in'),
    ]
  const ran = words.ranHere(callText(compared), terminalText(rounds[way].told), compared.pid[way])
  if (way === 'framework' && sameBodies(compared))
    return [...shapeLines(told), ran, words.sameBytes]
  return [
    ...(way === 'framework' ? shapeLines(told) : []),
    ...model(asked, 'out'),
    ...model(decided, 'in'),
    ran,
    ...model(answered, 'out'),
    ...model(said, 'in'),
  ]
}

function sameBodies({ rounds }: Compared): boolean {
  return rounds.framework.bodies.every((body, at) => body === rounds.functionCalling.bodies[at])
}

function shapeLines({ subject, words }: Told): readonly string[] {
  const { signal } = new AbortController()
  const langChain = langChainShape(subject.definition, signal)
  const aiSdk = aiSdkShape(subject.definition, signal)
  return [
    words.langChain,
    terminalText(JSON.stringify({ ...langChain, func: 'ƒ' })),
    words.aiSdk,
    terminalText(JSON.stringify({ ...aiSdk, execute: 'ƒ' })),
  ]
}

function frameLines(
  { direction, bytes, text }: Frame,
  to: 'model' | 'server',
  words: CompareWords,
): readonly string[] {
  return [words.bytes(to, direction, size(bytes)), terminalText(text)]
}

function table(compared: Compared, words: CompareWords, width: number): readonly string[] {
  const head = ['', ...WAYS.map((way) => words.columns[way])]
  const rows = COMPARE_ROWS.map((row) => [
    words.rows(row, compared.calls),
    ...WAYS.map((way) => terminalText(cell(row, way, { compared, words }))),
  ])
  return tableLines(head, rows, width)
}

function cell(
  row: CompareRow,
  way: Way,
  { compared, words }: Pick<Told, 'compared' | 'words'>,
): string {
  const { cells } = words
  switch (row) {
    case 'definition':
      return cells.definition(way, size(compared.definition[way]))
    case 'change': {
      const seen = compared.change[way]
      return cells.change(seen, seen.seen ? duration(seen.ms) : '')
    }
    case 'process':
      return cells.process(compared.pid[way], compared.pid[way] === compared.hostPid)
    case 'language': {
      if (way !== 'mcp') return cells.noLanguage
      const { python } = compared
      return python === undefined
        ? cells.noPython
        : cells.python(python.text, python.version, python.pid)
    }
    case 'killed': {
      const killed = compared.killed[way]
      return cells.killed(killed, killed.host === 'alive' ? duration(killed.backMs) : '')
    }
    case 'migration':
      return cells.migration(compared.migration[way])
    case 'hosts':
      return cells.hosts(compared.hosts[way], way === 'mcp' ? compared.sharedPid : undefined)
    case 'latency':
      return duration(compared.latencyMs[way])
    case 'wire':
      return size(compared.wireBytes[way])
    case 'tokens':
      return cells.tokens(compared.tokens[way])
    default:
      return row satisfies never
  }
}

function linkText(link: ChainLink, words: CompareWords): string {
  const facts = {
    size: 'bytes' in link ? size(link.bytes) : '',
    time: 'ms' in link ? duration(link.ms) : '',
  }
  return terminalText(words.link(link, facts))
}

function callText({ tool, args }: Compared): string {
  return terminalText(`${tool}(${Object.values(args).join(', ')})`)
}

/** `345 B`, `1.2 kB`. */
function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`
}

/** `3 µs`, `0.62 ms`, `61 ms`, `1.2 s`. */
function duration(ms: number): string {
  if (ms < 0.1) return `${Math.max(1, Math.round(ms * 1000))} µs`
  if (ms < 10) return `${Number(ms.toFixed(2))} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

function heading(text: string, columns: number): string {
  const line = `── ${text} `
  return line + '─'.repeat(Math.max(3, Math.min(columns, 100) - displayWidth(line)))
}
