/** An agent on servers that are scripts: a host that allows their tools, a scripted model, and what a model is told. */
import { DEFAULT_POLICY, type Policy } from '../../src/policy/policy.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../src/agent/conversation.ts'
import type { AgentOptions } from '../../src/agent/loop-options.ts'
import {
  scriptedModel,
  type ReplyScript,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
} from '../../src/agent/models/scripted.ts'
import { Transcript } from '../../src/agent/transcript.ts'
import type { Transport } from '../../src/jsonrpc/link.ts'
import { hostRoom, type HostRoom, type RoomOptions, type ToolServer } from './host-room.ts'

export const allowAllOf = (...servers: readonly string[]): Policy => ({
  ...DEFAULT_POLICY,
  flow: 'off',
  rules: servers.map((server) => ({ effect: 'allow', tools: server })),
})

export interface AgentRoom extends HostRoom {
  readonly model: ScriptedModel
  readonly transcript: Transcript
  /** What `runAgent` takes; the clock is that of the room. */
  readonly options: AgentOptions
}

export interface AgentRoomOptions extends RoomOptions {
  readonly model?: ScriptedModelOptions
  /** What the user says. Default `Go.` */
  readonly says?: string
}

/** All tools of the servers are allowed unless `policy` says otherwise. */
export async function agentRoom(
  servers: Readonly<Record<string, ToolServer | Transport>>,
  script: readonly ScriptedReply[] | ReplyScript,
  options: AgentRoomOptions = {},
): Promise<AgentRoom> {
  const { model: traits, says = 'Go.', ...rest } = options
  const room = await hostRoom(servers, { policy: allowAllOf(...Object.keys(servers)), ...rest })
  const model = scriptedModel(script, traits)
  const transcript = new Transcript()
  transcript.say(says)
  const { host, clock } = room
  return { ...room, model, transcript, options: { model, host, transcript, clock } }
}

/** The tool messages, in order. */
export function told(messages: readonly Message[]): readonly ToolMessage[] {
  return messages.filter((message): message is ToolMessage => message.role === 'tool')
}

/** What is wrong with a conversation that goes to a model; empty when each call has its one message, in order. */
export function faultsOf(messages: readonly Message[]): readonly string[] {
  const faults: string[] = []
  const ids = new Set<string>()
  let open: string[] = []
  let answered = 0
  const missing = (): string[] => open.slice(answered).map((id) => `${id} has no message`)
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open[answered++] !== message.callId) faults.push(`${message.callId} is out of place`)
      if (message.text === '') faults.push(`${message.callId} is empty`)
      continue
    }
    faults.push(...missing())
    open = message.role === 'assistant' ? idsOf(message) : []
    answered = 0
    for (const id of open) if (ids.has(id)) faults.push(`${id} is there twice`)
    for (const id of open) ids.add(id)
  }
  return [...faults, ...missing()]
}

function idsOf({ calls }: AssistantMessage): string[] {
  return calls.map(({ id }) => id)
}
