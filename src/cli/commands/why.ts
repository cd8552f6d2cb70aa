/** `deep-pilot why [CALL]`: what led to a call of a tool, and what came of it, out of a capture. */

import type { Command } from 'commander'
import { UsageError } from '../../base/errors.ts'
import { helpEnd, makeCommand, refuseServerWords } from '../command.ts'
import type { Invocation } from '../invocation.ts'
import { whyWords } from '../why/load-words.ts'
import { showWhy } from '../why/show.ts'

const KEY_VARIABLE_END = '_API_KEY'
/** A shorter one is a word that stands in other places too. */
const MIN_KEY = 8

interface WhyOptions {
  readonly capture?: string
  readonly session?: string
  readonly run?: string
  readonly full?: boolean
}

export async function whyCommand(invocation: Invocation): Promise<Command> {
  const words = await whyWords(invocation.messages.language)
  return makeCommand('why', invocation)
    .description(words.command)
    .usage('[CALL] [OPTION]...')
    .argument('[CALL]', words.argumentCall)
    .option('--capture <FILE>', words.capture)
    .option('--session <ID>', words.session)
    .option('--run <ID>', words.run)
    .option('--full', words.full)
    .option('--json', words.json)
    .addHelpText(
      'after',
      helpEnd(invocation.messages, words.more, [
        'deep-pilot why',
        'deep-pilot why t1c1',
        'deep-pilot why t2c1 --capture wire.jsonl --full',
      ]),
    )
    .action(async (call: string | undefined, { capture, session, run, full }: WhyOptions) => {
      refuseServerWords(invocation, 'why')
      if (capture !== undefined && session !== undefined) throw new UsageError(words.twoPlaces)
      invocation.mask.know(modelKeys(invocation))
      await showWhy(invocation, {
        path: capture ?? (await sessionCapture(invocation, session)),
        ...(call !== undefined && { call }),
        ...(run !== undefined && { run }),
        ...(full !== undefined && { full }),
      })
    })
}

/** A provider may have said the key of the account again. */
function modelKeys({ env }: Invocation): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    name.endsWith(KEY_VARIABLE_END) && value.length >= MIN_KEY ? [value] : [],
  )
}

/** The capture of a session, by default of that which was used last. */
async function sessionCapture(invocation: Invocation, wish: string | undefined): Promise<string> {
  const [{ Sessions, sessionsFolder }, { faults }] = await Promise.all([
    import('../agent-sessions.ts'),
    invocation.messages.agent(),
  ])
  const sessions = new Sessions(sessionsFolder(invocation.env), { faults })
  return sessions.captureOf(await sessions.find(wish))
}
