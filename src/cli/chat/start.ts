/** Sets up a chat: its room, its view, and who talks; greets, and says at the end how to go on. */

import { join } from 'node:path'
import type { ArtifactStore } from '../../agent/artifacts.ts'
import { systemClock } from '../../base/clock.ts'
import { UsageError } from '../../base/errors.ts'
import type { AgentCommandOptions, AgentRun } from '../agent-options.ts'
import { showBegin } from '../agent-records.ts'
import { modelLabel, withAgentRoom, type AgentRoom } from '../agent-room.ts'
import { sessionsFolder } from '../agent-sessions.ts'
import { canAsk } from '../ask-person.ts'
import { tellConfigProblems } from '../host-session.ts'
import { isLeftOut, leftOutText } from '../servers-away.ts'
import { shellWord } from '../shell-word.ts'
import { AgentView } from './agent-view.ts'
import { Chat } from './chat.ts'
import { InputHistory } from './input-history.ts'
import { Keyboard } from './keyboard.ts'
import { LineEditor } from './line-editor.ts'
import { LinePrompt } from './line-prompt.ts'
import { Person, questionTurn } from './person.ts'
import { PipedLines } from './piped-lines.ts'
import { showEarlier } from './earlier.ts'
import { CHAT_HINTS } from './event-lines.ts'
import { completeSlash } from './slash-commands.ts'
import { tellAway, tellServer } from './tell-away.ts'
import { offeredCount } from './tool-rows.ts'

export interface ChatWishes {
  readonly resume: string | true | undefined
  readonly reasoning: boolean
}

/** Runs a chat to its end. */
export async function startChat(
  run: AgentRun,
  options: AgentCommandOptions,
  { resume, reasoning }: ChatWishes,
): Promise<void> {
  const { invocation, own } = run
  const { output, mask } = invocation
  let artifacts: ArtifactStore | undefined
  const view = new AgentView({
    output,
    words: own.view,
    text: 'stream',
    reasoning,
    hints: {
      ...CHAT_HINTS,
      // Where nothing is kept, /why has nothing to show.
      ...(options.save === false && resume === undefined && { why: undefined }),
      artifactPath: (id) => artifacts?.path?.(id),
    },
    clock: systemClock,
    mask: (text) => mask.text(text),
  })
  if (canAsk() && invocation.json) throw new UsageError(own.faults.jsonAtTerminal)
  const keyboard = canAsk() ? personsKeyboard() : undefined
  let person: Person | undefined
  try {
    const wishes = {
      kind: 'chat' as const,
      resume,
      tellServer: tellServer(invocation, view),
      interrupt: () => (person === undefined ? invocation.interrupt() : person.interrupt()),
      ...(keyboard !== undefined && {
        turn: questionTurn({ keyboard, view, person: () => person }),
      }),
    }
    await withAgentRoom(run, options, wishes, async (room) => {
      artifacts = room.artifacts
      await (invocation.json ? tellBegin(room) : greet(room, view))
      if (keyboard !== undefined) person = await personAt(keyboard, room, view)
      const input = person ?? new PipedLines(process.stdin, invocation.signal)
      await new Chat({ room, view, input, clock: systemClock }).run()
      view.settle()
      if (input.isPerson) view.remark(own.chat.bye(room.session?.id))
    })
  } finally {
    keyboard?.close()
  }
}

function personsKeyboard(): Keyboard {
  const keyboard = new Keyboard({
    source: process.stdin,
    write: (sequence) => process.stderr.write(sequence),
  })
  // However the process ends, pastes are not left marked for who comes after it.
  process.once('exit', () => keyboard.close())
  return keyboard
}

async function personAt(
  keyboard: Keyboard,
  { run, options }: AgentRoom,
  view: AgentView,
): Promise<Person> {
  const { invocation, own } = run
  const { signal, output, env, logger } = invocation
  const kept = options.save !== false
  const history = new InputHistory(join(sessionsFolder(env), 'history.jsonl'), logger)
  const editor = new LineEditor({
    history: kept ? await history.read() : [],
    complete: completeSlash,
  })
  const prompt = new LinePrompt({
    keyboard,
    screen: process.stderr,
    editor,
    prompt: '› ',
    style: output.noteColor ? (text) => `\u001b[1;36m${text}\u001b[0m` : (text) => text,
    words: own.chat,
  })
  // A log or a server may say something while nobody types.
  output.beforeLine(() => prompt.stepAside())
  return new Person({
    keyboard,
    editor,
    prompt,
    clock: systemClock,
    signal,
    onInterrupt: () => view.interrupting(own.chat.interrupting),
    onLine: (text) => void (kept && history.add(text)),
  })
}

/** What scripts are told before the first message. */
async function tellBegin(room: AgentRoom): Promise<void> {
  const { output, mask } = room.run.invocation
  showBegin(room)
  const { asBefore = [], changed = [] } = room.resumed ?? {}
  if (asBefore.length + changed.length > 0)
    output.noteJson(mask.json({ resumed: { asBefore, changed } }))
  await tellAway(room)
}

/** With which options of the model a session goes on, where nobody gave them now or they are others. */
function tellModel({ run, resumed }: AgentRoom, view: AgentView): void {
  const { asBefore = [], changed = [] } = resumed ?? {}
  const { chat } = run.own
  const typed = asBefore.map(({ option, value }) =>
    value === undefined ? option : `${option} ${shellWord(value)}`,
  )
  if (typed.length > 0) view.remark(chat.asBefore(typed))
  if (changed.length > 0) view.remark(chat.notAsBefore(changed), 'odd')
}

const QUIET: ReadonlySet<string> = new Set(['switched-off', 'unapproved'])

async function greet(room: AgentRoom, view: AgentView): Promise<void> {
  const { run, host, config, session, before, unreadLines, transcript } = room
  const { own, words } = run
  for (const status of host.servers()) {
    // A file that nobody approved is told once, for all servers of it.
    if (!isLeftOut(status) || QUIET.has(status.whyKind)) continue
    view.remark(leftOutText(status, words), 'odd')
  }
  await tellConfigProblems(run, config)
  view.remark(own.chat.greeting(modelLabel(room.model.model), offeredCount(room)))
  if (config.entries.length === 0) view.remark(own.chat.noServers)
  if (session === undefined) view.remark(own.chat.notSaved)
  else if (before === undefined) view.remark(own.chat.session(session.id))
  else view.remark(own.chat.resumed(session.id, transcript.messages.length))
  tellModel(room, view)
  if (unreadLines > 0) view.remark(own.chat.leftOutLines(unreadLines), 'odd')
  if (before !== undefined) showEarlier(room, view)
  if (canAsk()) view.remark(own.chat.hint)
}
