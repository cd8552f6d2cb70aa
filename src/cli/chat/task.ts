/** One task from its words to the exit code: what happens is told on stderr or as JSON lines, the answer on standard output. */

import type { ArtifactStore } from '../../agent/artifacts.ts'
import { runAgent } from '../../agent/loop.ts'
import type { AgentEnd, AgentEvent } from '../../agent/events.ts'
import { systemClock } from '../../base/clock.ts'
import { budgetOf, requestOf, type AgentCommandOptions, type AgentRun } from '../agent-options.ts'
import { LastCalls, outcomeCode, spentWith } from '../agent-outcome.ts'
import { showBegin, showEvent } from '../agent-records.ts'
import { askedModel, withAgentRoom, type AgentRoom } from '../agent-room.ts'
import { titleOf, type SpentSoFar } from '../agent-sessions.ts'
import { refusalAdvice } from '../refusal-advice.ts'
import { toldModelError } from '../model-away.ts'
import { showText } from '../shown-text.ts'
import { AgentView } from './agent-view.ts'
import { endWords, hasSpent, RUN_HINTS, spentFacts } from './event-lines.ts'
import { tellAway, tellServer } from './tell-away.ts'
import { UnfinishedReply } from './unfinished-reply.ts'

export interface RunOptions extends AgentCommandOptions {
  /** Whether what the model thinks is shown. Default false. */
  readonly reasoning?: boolean
}

/** Runs the task and sets the exit code. A terminal is shown the answer as it comes, all else gets it whole. */
export async function runTask(run: AgentRun, options: RunOptions, text: string): Promise<void> {
  const { invocation, own } = run
  const { output, mask, json } = invocation
  let artifacts: ArtifactStore | undefined
  const view = new AgentView({
    output,
    words: own.view,
    text: isShown(invocation) ? 'stream' : 'none',
    reasoning: options.reasoning ?? false,
    hints: {
      ...RUN_HINTS,
      ...(options.save === false && { why: undefined }),
      artifactPath: (id) => artifacts?.path?.(id),
    },
    clock: systemClock,
    mask: (line) => mask.text(line),
  })
  const wishes = {
    kind: 'run',
    interrupt: () => invocation.interrupt(),
    tellServer: tellServer(invocation, view),
  } as const
  await withAgentRoom(run, options, wishes, async (room) => {
    artifacts = room.artifacts
    if (json) showBegin(room)
    await tellAway(room)
    const created = systemClock.wall()
    room.transcript.say(text)
    await keep(room, NOTHING_YET, { created, text })
    const began = systemClock.now()
    const calls = new LastCalls()
    const unfinished = new UnfinishedReply()
    const end = await follow(room, (event) => {
      if (event.type === 'result') calls.add(event)
      unfinished.hear(event)
      if (json) showEvent(invocation, event, options)
      else view.show(event)
    })
    await keep(room, end, { created, text })
    view.settle()
    tellEnd(room, end, { calls, unfinished, ms: systemClock.now() - began, view })
  })
}

/** Whether the view shows the text of the model. */
function isShown({ output, json }: AgentRun['invocation']): boolean {
  return output.columns !== undefined && !json
}

async function follow(room: AgentRoom, onEvent: (event: AgentEvent) => void): Promise<AgentEnd> {
  const { options, host, transcript, system, artifacts, wire, runId, model, run } = room
  const events = runAgent({
    model: model.model,
    host,
    transcript,
    system,
    budget: budgetOf(options),
    costOf: room.costs.costOf,
    signal: run.invocation.signal,
    artifacts,
    ...(options.strict === true && { strict: 'auto' as const }),
    ...(options.markResults === true && { provenance: true }),
    ...(options.discovery !== undefined && { discovery: options.discovery }),
    request: requestOf(options),
    wire,
    run: runId,
  })
  for (;;) {
    const { done, value } = await events.next()
    if (done === true) return value
    onEvent(value)
  }
}

/** What a run has come to that has only begun: it is written down so that one that is killed is known as a run. */
const NOTHING_YET = { turns: 0, usage: { input: 0, output: 0 }, usd: 0 } as const

async function keep(
  room: AgentRoom,
  end: Pick<AgentEnd, keyof SpentSoFar>,
  { created, text }: { readonly created: number; readonly text: string },
): Promise<void> {
  await room.session?.tell({
    kind: 'run',
    created,
    updated: systemClock.wall(),
    ...askedModel(room),
    folder: process.cwd(),
    title: titleOf(text, room.run.invocation.mask),
    messages: 1,
    spent: spentWith(room.spent, end),
  })
}

/** The answer, and everything that a person should know beside it. */
function tellEnd(
  { run, session }: AgentRoom,
  end: AgentEnd,
  parts: {
    readonly calls: LastCalls
    readonly unfinished: UnfinishedReply
    readonly ms: number
    readonly view: AgentView
  },
): void {
  const { invocation, own, words } = run
  const { calls, unfinished, ms, view } = parts
  const code = outcomeCode(end, calls)
  if (end.reason === 'model-error') {
    const { error, title } = toldModelError(end.error, own, invocation.messages)
    invocation.fail(error, code, title)
  } else invocation.finish(code)
  if (invocation.json) return
  const text = unfinished.text === '' ? end.text : unfinished.text
  if (text !== '' && !isShown(invocation)) showText(invocation, text)
  const ending = endWords(end, own.view)
  // Ctrl-C is told by who hears it.
  if (end.reason === 'cancelled') {
    if (text !== '') view.remark(own.view.unfinished, 'odd')
  } else if (ending !== undefined) view.remark(ending, 'odd')
  if (end.reason === 'done' && end.text.trim() === '') view.remark(own.view.empty, 'odd')
  const { refused } = calls
  if (end.reason === 'done' && refused !== undefined) {
    view.remark(own.faults.deniedAtEnd(refused.call.alias), 'bad')
    const advice = refusalAdvice(refused.error)
    if (advice !== undefined) view.remark(words.notes.advice[advice])
  }
  if (hasSpent(end)) view.remark(own.view.spent(spentFacts(end, ms)))
  if (session !== undefined) view.remark(own.chat.session(session.id))
}
