/**
 * A page that a server wants visited: its host and its whole address are shown first, nothing of it is fetched, and after a yes it is
 * the browser of the system that opens it, out of sight of this program and of the model. // ELIC-20, ELIC-21, ELIC-22
 */

import { cutToWidth, terminalText } from '../../base/terminal-text.ts'
import type { VisitQuestion } from '../../host/questions.ts'
import type { ElicitResult } from '../../protocol/types/elicitation.ts'
import { MARGIN } from '../consent-terminal.ts'
import { barred, rowLines, type Row } from '../consent-view.ts'
import type { AskedOptions } from './form-terminal.ts'

export interface VisitOptions extends AskedOptions {
  /** Opens the address; gives why it could not, in a word or a few. */
  readonly open: (url: string) => Promise<string | undefined>
}

/** An `accept` says that the person agreed, and not that anything was done there. // ELIC-19 */
export async function askVisit(
  { server, params, url, host, concerns, signal }: VisitQuestion,
  options: VisitOptions,
): Promise<ElicitResult> {
  if (signal.aborted) return { action: 'cancel' }
  const { words, line, columns, prompts, onInterrupt, open } = options
  const rows: readonly Row[] = [
    { name: words.server, text: terminalText(server) },
    { name: words.message, text: terminalText(params.message) },
    { name: words.host, text: terminalText(host) },
    { name: words.address, text: terminalText(url) },
    ...concerns.map((concern) => ({
      name: words.warning,
      text: terminalText(words.concern(concern)),
    })),
  ]
  const width = columns()
  for (const one of barred((room) => rowLines(rows, room), width)) line(one)
  const { visit } = words
  const asking = await prompts()
  const chosen = await asking.choose({
    message: cutToWidth(words.mayVisit(terminalText(host), terminalText(server)), width - MARGIN),
    options: [
      { value: 'decline', label: visit.decline },
      { value: 'open', label: visit.open },
      { value: 'self', label: visit.self },
    ] as const,
    signal,
    onInterrupt,
  })
  if (chosen === undefined) return { action: 'cancel' }
  if (chosen === 'decline') return { action: 'decline' }
  const why = chosen === 'open' ? await open(url) : undefined
  if (why !== undefined) line(`· ${words.notOpened(terminalText(why))}`)
  return { action: 'accept' }
}
