/** One call's chain as lines for a terminal, part by part. Everything in them is escaped. */

import { createHash } from 'node:crypto'
import { actOf, RESOURCES_READ } from '../../host/resource-reading.ts'
import { isJsonObject } from '../../base/json.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { utf8Length } from '../../capture/checksum.ts'
import type { CallChain, ChainLeg } from '../../capture/chain.ts'
import type { ChainFrame } from '../../capture/chain-frames.ts'
import { byteCount, milliseconds } from '../../capture/console-pieces.ts'
import type { HostWords } from '../messages/host-words.ts'
import type { WhyWords } from '../messages/why-words.ts'
import type { ModelWords } from './model-words.ts'
import { chainOutcome } from './outcomes.ts'

export interface ChainView {
  readonly words: WhyWords
  readonly reasons: HostWords['policy']['reasons']
  /** What the model said with the call, where that could be read. */
  readonly said: ModelWords | undefined
  /** Whether long texts are shown whole. */
  readonly full: boolean
  /** The file with all of what the model was shown in part; undefined where there is none. */
  readonly artifactPath?: string | undefined
}

/** Most characters and lines of one text, unless all of it is wanted. */
const MAX_TEXT = 800
const MAX_LINES = 12
const INDENT = '    '

export function chainLines(chain: CallChain, view: ChainView): readonly string[] {
  const { words } = view
  const parts: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [words.parts.model, modelLines(chain, view)],
    ...(chain.written === undefined
      ? []
      : [[words.parts.mapping, [mappingLine(chain.written, words)]] as const]),
    [words.parts.decision, decisionLines(chain, view)],
    ...attemptParts(chain, view),
    ...(chain.written === undefined && chain.told === undefined
      ? []
      : [[words.parts.told, toldLines(chain, view)] as const]),
  ]
  const { call, run, turn, written, decision } = chain
  const alias = written?.alias ?? textOf(decision?.['alias'])
  const time = timeText(chain)
  const head = [call, alias, words.where(run, turn, time)].filter((part) => part !== '')
  return [
    terminalText(head.join('  ')),
    ...parts.flatMap(([title, lines]) => ['', terminalText(title), ...lines.map(indented)]),
  ]
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`
}

function modelLines({ model, written }: CallChain, view: ChainView): readonly string[] {
  const { words, said, full } = view
  if (model.length === 0 && written === undefined) return [words.noModel]
  const reply = model.findLast(({ kind }) => kind === 'reply')
  const own = [
    ...model.flatMap((leg) => legLines(leg, model, view)),
    ...(reply === undefined ? [words.noReply] : []),
    ...(said === undefined || said.reasoning === ''
      ? []
      : [words.thought, ...block(said.reasoning, view)]),
    ...(said === undefined || said.text === '' ? [] : [words.said, ...block(said.text, view)]),
    // What could not be read is shown as it came; the whole reply is there with the frames.
    ...(reply === undefined || said !== undefined || full ? [] : block(reply.text, view)),
  ]
  if (written === undefined) return own
  const { name, modelCall, argumentsText } = written
  return [
    ...own,
    terminalText(words.wrote(name, modelCall)),
    ...block(argumentsText === '' ? '{}' : argumentsText, view),
  ]
}

function legLines(leg: ChainLeg, all: readonly ChainLeg[], view: ChainView): readonly string[] {
  const { words, full } = view
  const { data, text, attempt, kind } = leg
  const size = byteCount(utf8Length(text))
  const whole = full ? block(text, view) : []
  if (kind === 'retry') {
    const seconds = (numberOf(data['delayMs']) / 1000).toFixed(1)
    return [terminalText(`· ${words.again(seconds, textOf(data['why']))}`)]
  }
  if (kind === 'request') {
    const facts = [textOf(data['model']), textOf(data['url']), size]
    return [terminalText(`→ ${facts.filter((fact) => fact !== '').join('  ')}`), ...whole]
  }
  const asked = all.find((one) => one.kind === 'request' && one.attempt === attempt)
  const { status, finish, finishText, usage } = data
  const ended = textOf(finishText) === '' ? textOf(finish) : textOf(finishText)
  const facts = [
    `HTTP ${numberOf(status)}`,
    asked === undefined ? '' : milliseconds(leg.at - asked.at),
    size,
    ended,
    isJsonObject(usage) ? words.tokens(numberOf(usage['input']), numberOf(usage['output'])) : '',
  ]
  return [terminalText(`← ${facts.filter((fact) => fact !== '').join('  ')}`), ...whole]
}

function mappingLine(
  { name, alias, server, tool }: NonNullable<CallChain['written']>,
  words: WhyWords,
): string {
  if (tool === null) return terminalText(words.mappedNone(name))
  const mapped =
    server === null
      ? words.mappedNative(alias)
      : tool === RESOURCES_READ
        ? words.mappedRead(alias, server)
        : words.mapped(alias, server, tool)
  const through = name === alias ? '' : words.mappedThrough(name, alias)
  return terminalText(through + mapped)
}

function decisionLines(chain: CallChain, { words, reasons }: ChainView): readonly string[] {
  const { decision } = chain
  if (decision === undefined) return [words.noDecision]
  const { verdict, reason, rule, because, by, argumentsHash } = decision
  const known = { ...reasons, ...words.reasons }
  const facts = [
    words.verdicts[verdict === 'allow' ? 'allow' : 'deny'],
    wordIn(words.by, by),
    wordIn(known, reason),
  ]
  const hash = textOf(argumentsHash)
  const isSame = hash !== '' && chain.frames.some((frame) => argumentsHashOf(frame) === hash)
  const judged = `${words.hash(hash.slice(0, 16))}${isSame ? words.sameSent : ''}`
  return [
    terminalText(facts.filter((fact) => fact !== '').join(' · ')),
    ...(textOf(rule) === '' ? [] : [terminalText(words.rule(textOf(rule)))]),
    ...(textOf(because) === '' ? [] : [terminalText(words.because(textOf(because)))]),
    ...(hash === '' ? [] : [terminalText(judged)]),
  ]
}

/** Of what was sent; undefined for all other frames. */
function argumentsHashOf({ direction, method, text }: ChainFrame): string | undefined {
  if (direction !== 'out' || method === undefined) return undefined
  const value: unknown = JSON.parse(text) // it was read as a request before
  const act = isJsonObject(value) ? actOf(value) : undefined
  if (act === undefined) return undefined
  return createHash('sha256')
    .update(JSON.stringify(act.args ?? {}))
    .digest('hex')
}

function attemptParts(
  { frames, leftOut, decision, written }: CallChain,
  view: ChainView,
): readonly (readonly [string, readonly string[]])[] {
  const { words } = view
  const attempts = new Map<number, ChainFrame[]>()
  for (const frame of frames) {
    const own = attempts.get(frame.attempt) ?? []
    attempts.set(frame.attempt, own)
    own.push(frame)
  }
  const isNative = written?.server === null && written.tool !== null
  const server = written?.server ?? textOf(decision?.['server'])
  if (attempts.size === 0) {
    if (isNative || decision === undefined) return []
    return [[words.parts.attempt(1, server), [words.noFrames]]]
  }
  return [...attempts].map(([number, own], at) => {
    const more = at === attempts.size - 1 && leftOut > 0 ? [words.leftOut(leftOut)] : []
    const lines = own.flatMap((frame) => frameLines(frame, view))
    const where = server === '' ? (own[0]?.transport ?? '') : server
    return [words.parts.attempt(number, where), [...lines, ...more]]
  })
}

function frameLines(frame: ChainFrame, view: ChainView): readonly string[] {
  const { direction, method, kind, text, ms } = frame
  const facts = [
    method ?? (kind === 'error' ? view.words.error : kind),
    byteCount(utf8Length(text)),
    ms === undefined ? '' : milliseconds(ms),
  ]
  const arrow = direction === 'out' ? '→' : '←'
  const lead = `${arrow} ${facts.filter((fact) => fact !== '').join('  ')}`
  return [terminalText(lead), ...block(text, view)]
}

function toldLines(chain: CallChain, view: ChainView): readonly string[] {
  const { words, artifactPath } = view
  const { told } = chain
  if (told === undefined) return [words.notTold]
  const { text, bytes, shownBytes, artifact = '', failed } = told
  const isPart = shownBytes < bytes
  const amount = isPart
    ? words.shownPart(shownBytes, bytes, artifact)
    : words.shownAll(utf8Length(text))
  const outcome = failed ? (chainOutcome(chain) ?? 'failed') : 'ok'
  const head = outcome === 'ok' ? amount : words.toldOutcome(outcome, amount)
  return [
    terminalText(head),
    ...block(text, view),
    ...(artifactPath === undefined ? [] : [terminalText(words.wholeAt(artifactPath))]),
  ]
}

/** A text of any length as lines that stand apart from ours. */
function block(text: string, { words, full }: ChainView): readonly string[] {
  const near = full ? text : text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')
  const lines = near.split('\n')
  const shown = full ? lines : lines.slice(0, MAX_LINES)
  const left = text.length - shown.join('\n').length
  return [
    ...shown.map((line) => INDENT + terminalText(line)),
    ...(left > 0 && !full ? [INDENT + words.cut(left)] : []),
  ]
}

function timeText({ model, frames }: CallChain): string {
  const wall = model[0]?.wall ?? frames[0]?.wall
  if (wall === undefined) return ''
  const date = new Date(wall)
  if (Number.isNaN(date.getTime())) return ''
  return date.toISOString().replace('T', ' ').slice(0, 19).concat(' UTC')
}

/** The words for one of ours; a word that is not known stays as it is. */
function wordIn(words: Readonly<Record<string, string>>, value: unknown): string {
  const word = textOf(value)
  return Object.hasOwn(words, word) ? (words[word] ?? word) : word
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
