/** The person at the terminal, as a host asks: about calls, and what servers want to know. Where nobody is there, nobody is asked. */

import type { Consent, ConsentAnswer } from '../host/consent.ts'
import type { HostAnswers } from '../host/questions.ts'
import type { ElicitResult } from '../protocol/types/elicitation.ts'
import { canAsk } from './ask-person.ts'
import type { AskedOptions } from './asked/form-terminal.ts'
import { interruptible } from './consent-interrupt.ts'
import { consentOf, type HostCommandOptions, type HostRun } from './host-session.ts'
import { oneAtATime, type TerminalTurn } from './terminal-turn.ts'

export interface PersonAskedOptions {
  /** Ends what is under way, as for a Ctrl-C at a question, which is a no as well. */
  readonly interrupt: () => void
  /** The run makes one call and ends. Default false. */
  readonly isOneCall?: boolean
  /** Stands between a question and the terminal. Default: it is free. */
  readonly turn?: TerminalTurn | undefined
}

export interface PersonAsked {
  readonly consent: Consent
  /** Declared to servers: without a terminal, and where all is answered beforehand, nothing. */
  readonly answers: HostAnswers
}

const NO: ConsentAnswer = { kind: 'deny', by: 'person' }
const NO_ANSWER: ElicitResult = { action: 'cancel' }

export async function personAsked(
  run: HostRun,
  options: HostCommandOptions,
  { interrupt, isOneCall = false, turn }: PersonAskedOptions,
): Promise<PersonAsked> {
  const { onInterrupt, ask } = interruptible(interrupt)
  const consent = await consentOf(run, options, { onInterrupt, isOneCall })
  const inTurn = oneAtATime(turn)
  const asked: Consent = {
    ask: (request, signal) =>
      inTurn(
        // Nobody is shown what was given up while another question was asked.
        () => (signal.aborted ? Promise.resolve(NO) : ask(NO, () => consent.ask(request, signal))),
        signal,
      ),
  }
  // A yes that was given beforehand fills in no form.
  if (options.yes === true || !canAsk()) return { consent: asked, answers: {} }
  const given = await askedOptions(run, onInterrupt)
  let waiting = 0
  const answered = async (
    signal: AbortSignal,
    question: () => Promise<ElicitResult>,
  ): Promise<ElicitResult> => {
    if (waiting >= MAX_WAITING) return NO_ANSWER
    waiting += 1
    try {
      return await inTurn(() => ask(NO_ANSWER, question), signal)
    } finally {
      waiting -= 1
    }
  }
  return {
    consent: asked,
    answers: {
      elicitation: (question) =>
        answered(question.signal, async () => {
          const { fillForm } = await import('./asked/form-terminal.ts')
          return fillForm(question, given)
        }),
      elicitationUrl: (question) =>
        answered(question.signal, async () => {
          const { askVisit } = await import('./asked/visit-terminal.ts')
          const { openPage } = await import('./asked/open-page.ts')
          return askVisit(question, { ...given, open: openPage })
        }),
    },
  }
}

/** Forms and pages that wait for the terminal, of all servers; one more is answered as nobody would. */
const MAX_WAITING = 16

async function askedOptions(
  { invocation }: HostRun,
  onInterrupt: () => void,
): Promise<AskedOptions> {
  const { stdin, stderr } = process
  return {
    words: await invocation.messages.questions(),
    columns: () => stderr.columns,
    line: (text) => invocation.output.note(text),
    prompts: async () => {
      const { terminalPrompts } = await import('./consent-terminal.ts')
      return terminalPrompts({ input: stdin, output: stderr })
    },
    onInterrupt,
  }
}
