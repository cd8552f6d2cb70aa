/** What the words that begin with `/` do. Each tells its answer on stderr; texts of peers in it are escaped. */

import { messageTokens, planCompaction } from '../../agent/compaction.ts'
import type { Model } from '../../agent/model.ts'
import { ModelError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { ServerStatus } from '../../host/state.ts'
import { modelLabel, type AgentRoom } from '../agent-room.ts'
import { checkPriced, otherModel } from '../agent-model.ts'
import type { Invocation } from '../invocation.ts'
import type { AgentWords } from '../messages/agent-words.ts'
import { shellWord } from '../shell-word.ts'
import { statusLines } from '../status-lines.ts'
import type { WhyInvocation } from '../why/show.ts'
import { fitText } from '../wrap-text.ts'
import { toolRows } from './tool-rows.ts'
import type { AgentView } from './agent-view.ts'
import { spentFacts } from './event-lines.ts'
import { SLASH_COMMANDS, type SlashCommand } from './slash-commands.ts'

export interface SlashParts {
  readonly room: AgentRoom
  readonly view: AgentView
  readonly signal: AbortSignal
}

type Runner = (argument: string, parts: SlashParts) => void | Promise<void>

/** Does it. Rejects with what went wrong, for the caller to tell. */
export async function runSlash(
  command: Exclude<SlashCommand, 'exit'>,
  argument: string,
  parts: SlashParts,
): Promise<void> {
  await RUNNERS[command](argument, parts)
}

/** Names of other models that are shown. */
const MAX_MODELS = 40
/** Least columns of what a command does, beside its name. */
const MIN_ROOM = 20

const RUNNERS: Readonly<Record<Exclude<SlashCommand, 'exit'>, Runner>> = {
  help: (_argument, { room, view }) => {
    const { own, invocation } = room.run
    plain(view, helpLines(own.slash, invocation.output.noteColumns))
    view.remark(own.chat.helpKeys)
  },

  tools: (argument, { room, view }) => {
    const { lines, remark, away } = toolRows(room, argument)
    plain(view, lines)
    view.remark(remark)
    for (const text of away) view.remark(text, 'odd')
  },

  servers: (_argument, { room, view }) => {
    const { own } = room.run
    const servers = room.host.servers()
    if (servers.length === 0) return view.remark(own.chat.noServers)
    showServers(servers, { room, view })
  },

  restart: async (argument, { room, view, signal }) => {
    const { own } = room.run
    const named = room.host.servers().find(({ key }) => key === argument)
    if (named === undefined) {
      const keys = room.host.servers().map(({ key }) => terminalText(key))
      return view.remark(own.chat.restartWhich(terminalText(argument), keys), 'odd')
    }
    // One that is switched off, or that nobody approved, stays so.
    if (named.state !== 'disabled') {
      room.host.restart(named.key)
      view.remark(own.chat.restarting(terminalText(named.key)))
      await room.host.settled({ signal })
    }
    const now = room.host.servers().filter(({ key }) => key === named.key)
    showServers(now, { room, view })
  },

  why: async (argument, { room, view }) => {
    const { own, invocation } = room.run
    const { session } = room
    if (session === undefined) return view.remark(own.chat.noCapture)
    await room.flush()
    const { showWhy } = await import('../why/show.ts')
    const call = argument.split(/\s/)[0] ?? ''
    await showWhy(beside(invocation), {
      path: session.capturePath,
      ...(call !== '' && { call }),
      onMissing: (calls) =>
        calls.length === 0
          ? view.remark(own.chat.noCalls)
          : view.remark(own.chat.noSuchCall(terminalText(call), calls), 'odd'),
    })
  },

  cost: (_argument, { room, view }) => {
    const { own } = room.run
    view.remark(own.chat.cost(spentFacts(room.spent)))
    const { window } = room.model.model.traits
    const tokens = room.transcript.messages.reduce(
      (sum, message) => sum + messageTokens(message),
      0,
    )
    if (window !== undefined) view.remark(own.chat.window(tokens, window))
  },

  capture: async (_argument, { room, view }) => {
    const { own } = room.run
    if (room.session === undefined) return view.remark(own.chat.noCapture)
    await room.flush()
    const { capturePath } = room.session
    view.remark(own.chat.captureAt(terminalText(capturePath), terminalText(shellWord(capturePath))))
  },

  model: (argument, parts) => (argument === '' ? tellModel(parts) : changeModel(argument, parts)),

  reasoning: (argument, { room, view }) => {
    const { chat } = room.run.own
    const wish = argument.toLowerCase()
    if (wish === 'on' || wish === 'off') {
      view.reasoning = wish === 'on'
      return view.remark(view.reasoning ? chat.reasoningOn : chat.reasoningOff)
    }
    if (wish !== '') return view.remark(chat.badReasoning(terminalText(argument)), 'odd')
    if (!view.showThought()) view.remark(chat.noReasoning)
  },

  compact: (_argument, { room, view }) => {
    const { transcript, run } = room
    const { messages } = transcript
    const total = messages.reduce((sum, message) => sum + messageTokens(message), 0)
    const stretches = planCompaction(messages, { target: Math.floor(total / 2) })
    for (const { from, count } of stretches) transcript.compact(from, count)
    const gone = stretches.reduce((sum, { count }) => sum + count, 0)
    view.remark(gone === 0 ? run.own.chat.nothingToCompact : run.own.chat.compacted(gone))
  },

  clear: (_argument, { room, view }) => {
    room.transcript.clear()
    room.host.newSession()
    view.remark(room.run.own.chat.cleared)
  },
}

/** Each word with what it does, which goes on below itself where a line has no room for it. */
function helpLines(words: AgentWords['slash'], columns: number | undefined): readonly string[] {
  const names = SLASH_COMMANDS.map((name) => `/${name}`)
  const indent = Math.max(...names.map(({ length }) => length)) + 2
  const room = Math.max(MIN_ROOM, (columns ?? Number.POSITIVE_INFINITY) - indent)
  return SLASH_COMMANDS.flatMap((name) =>
    fitText(words[name], room).map((row, at) => (at === 0 ? `/${name}` : '').padEnd(indent) + row),
  )
}

/** The same, for what is no answer of the model: it is told on stderr, and ends nothing. */
function beside({ messages, signal, output, mask }: Invocation): WhyInvocation {
  return {
    messages,
    signal,
    mask,
    json: false,
    finish: () => {},
    output: {
      columns: output.noteColumns,
      line: (text) => output.note(text),
      note: (text) => output.note(text),
      json: (value) => output.noteJson(value),
      noteJson: (value) => output.noteJson(value),
    },
  }
}

async function tellModel({ room, view, signal }: SlashParts): Promise<void> {
  const { own } = room.run
  const { model } = room.model
  view.remark(own.chat.model(modelLabel(model)))
  const names = await namesOf(model, signal)
  if (names === undefined) return view.remark(own.chat.noModelList)
  for (const name of names.slice(0, MAX_MODELS))
    view.lines([
      { text: `  ${terminalText(`${model.provider}:${name}`).slice(0, 200)}`, style: 'dim' },
    ])
}

/** Undefined where the server has no list, which few promise. */
async function namesOf(model: Model, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    return await model.names?.(signal)
  } catch (error) {
    if (error instanceof ModelError && NO_LIST.has(error.code)) return undefined
    throw error
  }
}

/** What says that there is no such list, and nothing of the model. */
const NO_LIST: ReadonlySet<string> = new Set(['DP_MODEL_REQUEST', 'DP_MODEL_UNREADABLE'])

async function changeModel(argument: string, { room, view }: SlashParts): Promise<void> {
  const { run, options, costs, model: before } = room
  const next = await otherModel(run, options, argument)
  try {
    checkPriced(run, options, { model: next.model, costs })
  } catch (error) {
    next.model.close?.()
    throw error
  }
  room.model = next
  before.model.close?.()
  view.remark(run.own.chat.modelNow(modelLabel(next.model)))
}

function showServers(
  servers: readonly ServerStatus[],
  { room, view }: Pick<SlashParts, 'room' | 'view'>,
): void {
  const { words, invocation } = room.run
  const { output, mask } = invocation
  plain(view, statusLines(servers, words, { columns: output.noteColumns, mask }))
}

function plain(view: AgentView, lines: readonly string[]): void {
  view.settle()
  view.lines(lines.map((text) => ({ text, style: 'plain' }) as const))
}
