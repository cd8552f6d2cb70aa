/**
 * What every transport owes a channel, as a list of checks that any test runner can run. A transport that passes can carry
 * the protocol; what it carries it over is its own business.
 *
 * Nothing here sleeps: a check waits for events, each wait with a bound.
 */

import { systemClock, type Clock } from '../base/clock.ts'
import { PilotError } from '../base/errors.ts'
import type { Transport } from '../jsonrpc/link.ts'
import { WatchedEnd } from './watched-end.ts'

/** Both ends of one connection that nobody has opened yet. */
export interface TransportPair {
  /** The end that reaches out. Opened at the same time as `far`. */
  readonly near: Transport
  readonly far: Transport
  /** Puts away what the links do not: a socket, a folder. Called once, after both links are closed. */
  dispose?(): Promise<void>
}

export interface ContractOptions {
  /** Longest wait for anything, in ms. Default 10,000. */
  readonly timeoutMs?: number
  /** Characters that may still come while the reader is full: what the carrier had read already. Default 1 MiB. */
  readonly heldCharacters?: number
  /**
   * Whether a message that is too long is skipped, or ends the link as some framings demand: then both ends must be told why.
   * Default `goes on`.
   */
  readonly afterTooLong?: 'goes on' | 'ends'
  readonly clock?: Clock
}

/** One promise of the contract. */
export interface ContractCheck {
  /** A sentence, to be the title of a test. */
  readonly name: string
  /** Makes a pair of its own and keeps nothing. Rejects with a `UsageError` that says what was broken. */
  readonly run: () => Promise<void>
}

interface Ends {
  readonly near: WatchedEnd
  readonly far: WatchedEnd
}

interface Way {
  readonly from: WatchedEnd
  readonly to: WatchedEnd
  readonly heldCharacters: number
}

/**
 * The checks for a transport. `makePair` is called once for each, and must give a fresh pair. Every check also demands that
 * each end is told of the end exactly once, and of nothing afterwards.
 */
export function linkContract(
  makePair: () => TransportPair | Promise<TransportPair>,
  options: ContractOptions = {},
): readonly ContractCheck[] {
  const { heldCharacters = 1024 * 1024, afterTooLong = 'goes on' } = options
  const check = (name: string, use: (ends: Ends) => Promise<void>): ContractCheck => ({
    name,
    run: () => withEnds(makePair, options, use),
  })
  const bothWays = (name: string, use: (way: Way) => Promise<void>): readonly ContractCheck[] => [
    check(`${name}, from near to far`, ({ near, far }) =>
      use({ from: near, to: far, heldCharacters }),
    ),
    check(`${name}, from far to near`, ({ near, far }) =>
      use({ from: far, to: near, heldCharacters }),
    ),
  ]
  return [
    ...bothWays('carries every text exactly', carriesExactly),
    ...bothWays('keeps the order', keepsOrder),
    check('carries both directions at once', carriesBothAtOnce),
    ...(afterTooLong === 'goes on'
      ? bothWays('tells of a message that is too long, and goes on', tellsTooLong)
      : bothWays('ends with a message that is too long, and tells both ends why', endsTooLong)),
    ...bothWays('stops reading while the reader is full', respectsFull),
    ...bothWays('tells by the receipt that a message has left', tellsByReceipt),
    ...bothWays(
      'settles drained() at once when nothing waits, else when all has left',
      settlesDrained,
    ),
    ...bothWays('settles drained() when it is closed before all has left', settlesDrainedByClosing),
    ...bothWays('hands over what was written before it was closed, then the end', endsAfterTheLast),
    ...bothWays('writes nothing after it was closed, and never throws', refusesAfterClose),
    check('may be closed late and often, from both ends at once', closesOften),
    check('says nothing after the end, whatever is under way', saysNothingLate),
  ]
}

/** Longest message that a port of a check accepts, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024

async function withEnds(
  makePair: () => TransportPair | Promise<TransportPair>,
  options: ContractOptions,
  use: (ends: Ends) => Promise<void>,
): Promise<void> {
  const { timeoutMs = 10_000, clock = systemClock } = options
  const pair = await makePair()
  const watching = { timeoutMs, clock, maxMessageBytes: MAX_BYTES }
  const opened = await Promise.allSettled([
    WatchedEnd.open(pair.near, watching),
    WatchedEnd.open(pair.far, watching),
  ])
  const open = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  try {
    const [near, far] = open
    for (const one of opened) if (one.status === 'rejected') throw one.reason
    if (near !== undefined && far !== undefined) await use({ near, far })
  } finally {
    for (const end of open) end.release()
    await Promise.all(open.map((end) => end.within(end.link.close(), 'close() has settled')))
    await pair.dispose?.()
  }
  for (const end of open) {
    end.expect(end.ends === 1, () => `port.closed was called ${end.ends} times in place of once`)
    end.expect(end.late.length === 0, () => `after port.closed came ${end.late.join(', ')}`)
  }
}

/** One line each, as JSON is written. */
const TEXTS: readonly string[] = [
  '{}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  '{ "spaces" :\t[ 1 , 2 ]  }',
  JSON.stringify('"\\\n\r\t\b\f/\u0000\u001f\u007f'),
  JSON.stringify('äß 中文 عربى 🙂 👩‍👩‍👧‍👦'.normalize('NFD')),
  '"line and paragraph: \u2028 \u2029, mark: \ufeff, noncharacter: \uffff"',
  '"a half of a pair, escaped: \\ud83d"',
  JSON.stringify('x'.repeat(65_535)),
  JSON.stringify('🙂'.repeat(200_000)),
]

async function carriesExactly({ from, to }: Way): Promise<void> {
  for (const [at, text] of TEXTS.entries()) {
    from.link.write({ text })
    await to.until(() => to.texts.length > at || to.pieces.length > 0, `text ${at} has come`)
  }
  to.expectTexts(TEXTS)
}

async function keepsOrder({ from, to }: Way): Promise<void> {
  const texts = numbered(2000, (at) => 'x'.repeat((at * 37) % 300))
  for (const text of texts) from.link.write({ text })
  await to.until(() => to.texts.length >= texts.length, `${texts.length} texts have come`)
  to.expectTexts(texts)
}

async function carriesBothAtOnce({ near, far }: Ends): Promise<void> {
  const texts = numbered(1000, () => 'x'.repeat(1000))
  for (const text of texts) {
    near.link.write({ text })
    far.link.write({ text })
  }
  for (const end of [near, far])
    await end.until(() => end.texts.length >= texts.length, `${texts.length} texts have come`)
  near.expectTexts(texts)
  far.expectTexts(texts)
}

async function tellsTooLong({ from, to }: Way): Promise<void> {
  const text = JSON.stringify('é'.repeat(MAX_BYTES / 2))
  const size = MAX_BYTES + 2
  from.link.write({ text: '1' })
  from.link.write({ text })
  from.link.write({ text: '2' })
  await to.until(() => to.texts.length >= 2, 'the message after the long one has come')
  to.expectTexts(['1', '2'])
  const [piece] = to.pieces
  to.expect(
    to.pieces.length === 1 && piece?.reason === 'too-large' && piece.size === size,
    () =>
      `a message of ${size} bytes was told as ${JSON.stringify(to.pieces.map((one) => [one.reason, one.size]))}`,
  )
}

async function endsTooLong({ from, to }: Way): Promise<void> {
  from.link.write({ text: '1' })
  from.link.write({ text: JSON.stringify('é'.repeat(MAX_BYTES / 2)) })
  from.link.write({ text: '2' })
  for (const end of [to, from]) {
    await end.until(() => end.ends > 0, 'it has been told')
    const code = end.reason instanceof PilotError ? end.reason.code : undefined
    end.expect(
      code === 'DP_TRANSPORT_TOO_LARGE',
      () => `a message that was too long ended it with the reason ${String(end.reason)}`,
    )
  }
  to.expectTexts(['1'])
}

/** More than pipes and sockets hold. */
const FLOOD = 8 * 1024 * 1024
const PIECE = 64 * 1024

async function respectsFull({ from, to, heldCharacters }: Way): Promise<void> {
  const texts = flood()
  to.hold()
  for (const text of texts) from.link.write({ text })
  await to.until(() => to.texts.length > 0, 'the first text has come')
  // The other direction goes on meanwhile, and each of its messages is time to read on by mistake.
  for (let trip = 1; trip <= 200; trip += 1) {
    to.link.write({ text: String(trip) })
    await from.until(() => from.texts.length >= trip, 'the other direction has gone on')
  }
  const held = to.texts.reduce((sum, text) => sum + text.length, 0)
  to.expect(held <= heldCharacters, () => `${held} characters came while port.text said "full"`)
  to.release()
  await to.until(
    () => to.texts.length >= texts.length,
    'the rest has come after the reader had room',
  )
  to.expectTexts(texts)
}

async function tellsByReceipt({ from, to }: Way): Promise<void> {
  const receipts = numbered(10).map((text) => from.link.write({ text }))
  await to.until(() => to.texts.length >= receipts.length, 'the texts have come')
  await from.within(from.link.drained(), 'drained() has settled')
  const unsent = receipts.filter(({ sent }) => sent === 'no').length
  from.expect(unsent === 0, () => `${unsent} receipts say "no" of messages that have come`)
}

async function settlesDrained({ from, to }: Way): Promise<void> {
  await from.within(from.link.drained(), 'drained() has settled with nothing to wait for')
  const texts = flood()
  to.hold()
  for (const text of texts) from.link.write({ text })
  const drained = from.link.drained().then(() => from.link.backlogMessages + from.link.backlogBytes)
  await to.until(() => to.texts.length > 0, 'the first text has come')
  to.release()
  const left = await from.within(drained, 'drained() has settled')
  from.expect(left === 0, () => 'drained() settled while messages waited')
  await to.until(() => to.texts.length >= texts.length, 'all texts have come')
}

async function settlesDrainedByClosing({ from, to }: Way): Promise<void> {
  to.hold()
  for (const text of flood()) from.link.write({ text })
  const drained = from.link.drained()
  await to.until(() => to.texts.length > 0, 'the first text has come')
  const closing = [to.link.close(), from.link.close()]
  await from.within(drained, 'drained() has settled after close()')
  await from.within(Promise.all(closing), 'both ends are closed')
}

async function endsAfterTheLast({ from, to }: Way): Promise<void> {
  const texts = numbered(200, () => 'x'.repeat(500))
  for (const text of texts) from.link.write({ text })
  await from.within(from.link.close(), 'close() has settled')
  await to.until(() => to.ends > 0, 'the other end has been told')
  to.expectTexts(texts)
  from.expect(from.ends === 1, () => 'its own port was not told when close() had settled')
}

async function refusesAfterClose({ from, to }: Way): Promise<void> {
  from.link.write({ text: '1' })
  await from.within(from.link.close(), 'close() has settled')
  const { sent } = write(from)
  from.expect(sent === 'no', () => `a write after close() has the receipt "${sent}"`)
  await to.until(() => to.ends > 0, 'the other end has been told')
  write(to)
  for (const end of [from, to])
    await end.within(end.link.drained(), 'drained() has settled on a link that has ended')
  to.expectTexts(['1'])
}

async function closesOften({ near, far }: Ends): Promise<void> {
  const closing = [near, far, near, far].map((end) =>
    end.within(end.link.close(), 'close() has settled'),
  )
  await Promise.all(closing)
  for (const end of [near, far]) await end.within(end.link.close(), 'a late close() has settled')
}

async function saysNothingLate({ near, far }: Ends): Promise<void> {
  const texts = numbered(1000, () => 'x'.repeat(1000))
  for (const text of texts) {
    near.link.write({ text })
    far.link.write({ text })
  }
  await far.until(() => far.texts.length > 0, 'the first text has come')
  await near.within(near.link.close(), 'close() has settled')
  await far.until(() => far.ends > 0, 'the other end has been told')
}

function write(end: WatchedEnd): { readonly sent: string } {
  try {
    return end.link.write({ text: 'late' })
  } catch (error) {
    throw end.breach(`write() threw after the end: ${String(error)}`)
  }
}

function flood(): readonly string[] {
  return numbered(FLOOD / PIECE, () => 'x'.repeat(PIECE))
}

/** Texts that all differ. */
function numbered(count: number, more: (at: number) => string = () => ''): readonly string[] {
  return Array.from({ length: count }, (_, at) => JSON.stringify([at, more(at)]))
}
