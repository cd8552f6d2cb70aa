/**
 * Asks a person at a terminal. All of a request is shown before a yes can be given: what is longer than the screen comes page
 * by page, and until the last page there is only "more" and "no". The answer that a stray Enter gives is no.
 *
 * The prompts are loaded when the first question is asked, and never without a terminal at both ends.
 */

import { cutToWidth, displayWidth } from '../base/terminal-text.ts'
import type { Consent, ConsentAnswer, ConsentKind, ConsentRequest } from '../host/consent.ts'
import {
  choose,
  isInterrupt,
  whileAsked,
  type Choice,
  type PressedKey,
  type Terminal,
} from './choose.ts'
import { isRead, requestLines, requestTitle } from './consent-view.ts'
import type { ConsentWords } from './messages/host-words.ts'
import { wrapText } from './wrap-text.ts'

/** The questions that are put to a person; a port, so that tests need no keyboard. `undefined` is Ctrl-C or an abort. */
export interface Prompts {
  choose<Value extends string>(question: Choice<Value>): Promise<Value | undefined>
  /** One line of text. */
  write(question: Written): Promise<string | undefined>
}

/** A question for a line of text. */
export interface Written extends Pick<Choice<string>, 'message' | 'signal' | 'onInterrupt'> {
  /** What stands there already, to be changed or kept. */
  readonly initial?: string
}

export interface TerminalConsentOptions {
  readonly words: ConsentWords
  /** Lines and columns at the time of a question. */
  readonly size: () => { readonly rows: number; readonly columns: number }
  /** Writes a line that is safe and broken already. */
  readonly line: (text: string) => void
  readonly prompts: () => Promise<Prompts>
  /** Hears of Ctrl-C at a question, before its no. */
  readonly onInterrupt?: () => void
  /** The run makes one call and ends: then a yes until the session ends is none of the answers. Default false. */
  readonly isOneCall?: boolean
  /**
   * Tells once that the terminal has become narrower than so many columns, until what it gives is called. Default: never. A
   * request is shown anew then: where the terminal breaks its lines, what peers wrote would stand at the left edge.
   */
  readonly whenNarrower?: (columns: number, hear: () => void) => () => void
}

/** Longest reason of a no, in characters: it is told to a model. */
const MAX_REASON = 1_000

/** Columns that a prompt takes beside its message. */
export const MARGIN = 16

/** Stands before a remark of ours. */
const MARK = '· '

/** Lines of a screen that a prompt takes for itself. */
const PROMPT_ROWS = 10

/** A consent that asks at a terminal. Escape is a no, and so is Ctrl-C, which is told apart. */
export function terminalConsent(options: TerminalConsentOptions): Consent {
  return {
    async ask(request, signal) {
      const prompts = await options.prompts()
      for (;;) {
        const chosen = await showAndAsk(request, signal, { options, prompts })
        if (chosen === undefined) return no()
        if (chosen === 'again') continue
        return chosen === 'deny-because'
          ? no(await reasonOf(signal, { options, prompts }))
          : { kind: chosen, by: 'person' }
      }
    },
  }
}

interface Asking {
  readonly options: TerminalConsentOptions
  readonly prompts: Prompts
}

type Chosen = ConsentKind | 'deny-because'

/** Shows all of it, then asks; undefined for a no without a word, `again` when the terminal became narrower meanwhile. */
async function showAndAsk(
  request: ConsentRequest,
  signal: AbortSignal,
  asking: Asking,
): Promise<Chosen | 'again' | undefined> {
  const { words, size, line, whenNarrower } = asking.options
  const lines = requestLines(request, words, size().columns)
  const narrower = new AbortController()
  const release = whenNarrower?.(Math.max(...lines.map(displayWidth)), () => narrower.abort())
  try {
    const either = AbortSignal.any([signal, narrower.signal])
    const isShown = await showAll(lines, either, asking)
    const chosen = isShown ? await answer(request, either, asking) : undefined
    if (!narrower.signal.aborted || signal.aborted) return chosen
    const rows = wrapText(words.again, size().columns - MARK.length).split('\n')
    rows.forEach((row, at) => line(`${at === 0 ? MARK : ' '.repeat(MARK.length)}${row}`))
    return 'again'
  } finally {
    release?.()
  }
}

/** Shows every line, page by page; false when the person said no before the end. */
async function showAll(
  lines: readonly string[],
  signal: AbortSignal,
  { options, prompts }: Asking,
): Promise<boolean> {
  const { words, size, line, onInterrupt } = options
  const { rows, columns } = size()
  const page = Math.max(5, rows - PROMPT_ROWS)
  const pages = Math.ceil(lines.length / page)
  for (let at = 0; at < pages; at += 1) {
    for (const one of lines.slice(at * page, (at + 1) * page)) line(one)
    if (at === pages - 1) break
    const message = cutToWidth(words.morePages(at + 1, pages), columns - MARGIN)
    const options_ = [
      { value: 'more', label: words.more },
      { value: 'no', label: words.answers.deny },
    ] as const
    const chosen = await prompts.choose({ message, options: options_, signal, onInterrupt })
    if (chosen !== 'more') return false
  }
  return true
}

async function answer(
  request: ConsentRequest,
  signal: AbortSignal,
  { options, prompts }: Asking,
): Promise<Chosen | undefined> {
  const { words, size, onInterrupt, isOneCall = false } = options
  const columns = size().columns
  const message = cutToWidth(requestTitle(request, words), columns - MARGIN)
  const labels =
    request.kind === 'call' && isRead(request)
      ? { ...words.answers, ...words.readAnswers }
      : words.answers
  return prompts.choose<Chosen>({
    message,
    options: answersTo(request, isOneCall).map((value) => ({ value, label: labels[value] })),
    signal,
    onInterrupt,
  })
}

async function reasonOf(
  signal: AbortSignal,
  { options: { words, onInterrupt }, prompts }: Asking,
): Promise<string | undefined> {
  const reason = await prompts.write({ message: words.askReason, signal, onInterrupt })
  return reason?.trim().slice(0, MAX_REASON)
}

/** No stands first, so that an Enter that was meant for something else is a no. */
function answersTo(request: ConsentRequest, isOneCall: boolean): readonly Chosen[] {
  const always = ['always-these-arguments', 'always'] as const
  const lasting: readonly Chosen[] =
    request.kind === 'call' && request.lasting
      ? [...(isOneCall ? [] : (['session'] as const)), ...always]
      : []
  return ['deny', 'deny-because', 'once', ...lasting]
}

function no(reason?: string): ConsentAnswer {
  return { kind: 'deny', by: 'person', ...(reason !== undefined && reason !== '' && { reason }) }
}

/** Prompts at a real terminal. */
export async function terminalPrompts(terminal: Terminal): Promise<Prompts> {
  const { isCancel, text } = await import('@clack/prompts')
  return {
    choose: (question) => choose(terminal, question),
    async write({ message, initial, signal, onInterrupt }) {
      const overhear = (_text: string | undefined, key: PressedKey): void => {
        if (isInterrupt(key)) onInterrupt?.()
      }
      terminal.input.on('keypress', overhear)
      try {
        const written = await whileAsked(signal, (asked) =>
          text({
            message,
            ...(initial !== undefined && { initialValue: initial }),
            ...terminal,
            signal: asked,
          }),
        )
        return isCancel(written) ? undefined : written
      } finally {
        terminal.input.off('keypress', overhear)
      }
    },
  }
}
