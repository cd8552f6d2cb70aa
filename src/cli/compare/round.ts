/**
 * One round with a model whose words are a script: what is asked and offered goes out, a call comes back, its outcome goes out, the
 * answer comes back. The bytes are those of the chat completions of DeepSeek, written and read as for the real one; only who
 * decides is no model.
 */

import { BugError } from '../../base/errors.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Message, ModelCall } from '../../agent/conversation.ts'
import type { ModelReply, ModelRequest, ModelTool } from '../../agent/model.ts'
import type { Codec } from '../../agent/models/codec.ts'

export interface RoundParts {
  readonly codec: Codec
  readonly model: string
  readonly tools: readonly ModelTool[]
  readonly task: string
  /** The arguments that the script decides on; the tool is the first one offered. */
  readonly args: Readonly<Record<string, string>>
  /** Makes the call and gives what the model is told. */
  readonly call: (call: ModelCall) => Promise<string>
}

export interface Round {
  /** The exact texts, in order: request, reply, request, reply. */
  readonly bodies: readonly [string, string, string, string]
  readonly call: ModelCall
  /** What the model was told of the call. */
  readonly told: string
  readonly answer: string
}

export const CALL_ID = 'call_1'

export async function oneRound(parts: RoundParts): Promise<Round> {
  const { codec, tools, task, args } = parts
  const start: readonly Message[] = [{ role: 'user', parts: [{ type: 'text', text: task }] }]
  const first = { messages: start, tools, stream: false } satisfies ModelRequest
  const asked = codec.encode(first).text
  const decision = scripted(parts.model, {
    content: '',
    tool_calls: [
      {
        index: 0,
        id: CALL_ID,
        type: 'function',
        function: { name: tools[0]?.name ?? '', arguments: JSON.stringify(args) },
      },
    ],
  })
  const { message } = read(codec, first, decision)
  const [call] = message.calls
  if (call === undefined) throw new BugError('The scripted reply holds no call.')
  const told = await parts.call(call)
  const outcome: Message = {
    role: 'tool',
    callId: call.id,
    name: call.name,
    text: told,
    failed: false,
  }
  const second = { ...first, messages: [...start, message, outcome] }
  const answered = scripted(parts.model, { content: told })
  return {
    bodies: [asked, decision, codec.encode(second).text, answered],
    call,
    told,
    answer: read(codec, second, answered).message.text,
  }
}

/** A reply as the provider writes it. */
function scripted(model: string, message: JsonObject): string {
  const calls: JsonValue | undefined = message['tool_calls']
  const finish = calls === undefined ? 'stop' : 'tool_calls'
  return JSON.stringify({
    id: 'scripted',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  })
}

/** Longest reply that is read, in bytes: those here are short. */
const MAX_REPLY = 1024 * 1024

function read(codec: Codec, request: ModelRequest, body: string): ModelReply {
  const reader = codec.reader({ contentType: 'application/json', request, maxBytes: MAX_REPLY })
  reader.push(new TextEncoder().encode(body))
  return reader.end()
}
