/**
 * A recorded request as a conversation and options in neutral words. Not for requests in general: it knows what the recordings
 * hold, and says of the rest why it cannot be told.
 */
import { isJsonObject, type JsonObject } from '../../src/base/json.ts'
import type { Message, ModelCall, Part, ToolMessage } from '../../src/agent/conversation.ts'
import type { Effort, ModelRequest, ModelTool, ToolChoice } from '../../src/agent/model.ts'
import { at, listAt, membersOf, numberAt, readJson, textAt } from './cassettes-json.ts'

export interface NeutralRequest {
  readonly kind: 'request'
  readonly model: string
  readonly request: ModelRequest
  /** Members that the neutral words have no place for. They are not sent. */
  readonly unsaid: readonly string[]
}

export interface Untold {
  readonly kind: 'untold'
  readonly why: string
}

const KNOWN: ReadonlySet<string> = new Set([
  'messages',
  'model',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tokens',
  'temperature',
  'stop',
  'thinking',
  'think',
  'reasoning_effort',
  'response_format',
  'stream',
  'stream_options',
  'options',
])

export function neutralRequest(body: string | undefined): NeutralRequest | Untold {
  let written: unknown
  try {
    written = readJson(body ?? '')
  } catch {
    return { kind: 'untold', why: 'its body is no JSON' }
  }
  const messages = listAt(written, 'messages')
  const foreign = messages.flatMap((one) => listAt(one, 'content')).find((part) => !isOurs(part))
  if (foreign !== undefined)
    return { kind: 'untold', why: `a message holds ${textAt(foreign, 'type')} that is not in it` }
  if (at(written, 'temperature') !== undefined && numberAt(written, 'temperature') === undefined)
    return { kind: 'untold', why: 'its temperature is no number' }
  return {
    kind: 'request',
    model: textAt(written, 'model'),
    request: {
      messages: neutralMessages(messages),
      tools: listAt(written, 'tools').map((tool) => neutralTool(tool)),
      stream: at(written, 'stream') === true,
      ...optionsOf(written),
    },
    unsaid: Object.keys(membersOf(written)).filter((name) => !KNOWN.has(name)),
  }
}

/** Text, or an image with its bytes. */
function isOurs(part: unknown): boolean {
  const type = textAt(part, 'type')
  return type === 'text' || (type === 'image_url' && urlOf(part).startsWith('data:'))
}

function urlOf(part: unknown): string {
  return textAt(part, 'image_url', 'url')
}

function optionsOf(written: unknown): Partial<ModelRequest> {
  const choice = choiceOf(at(written, 'tool_choice'))
  const effort = effortOf(written)
  const maxOutputTokens = numberAt(written, 'max_tokens')
  const temperature = numberAt(written, 'temperature')
  const stop = listAt(written, 'stop').map((one) => textAt({ one }, 'one'))
  const parallel = at(written, 'parallel_tool_calls')
  return {
    ...(choice !== undefined && { choice }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stop.length > 0 && { stop }),
    ...(effort !== undefined && { effort }),
    ...(typeof parallel === 'boolean' && { parallel }),
    ...(at(written, 'response_format') !== undefined && { json: true }),
  }
}

/** That it thinks, without a level, is what it does when nothing is said. */
function effortOf(written: unknown): Effort | undefined {
  const think = at(written, 'think')
  if (think !== undefined) return think === true ? 'high' : 'none'
  if (textAt(written, 'thinking', 'type') === 'disabled') return 'none'
  return textAt(written, 'reasoning_effort') === 'low' ? 'low' : undefined
}

function choiceOf(choice: unknown): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  const name = textAt(choice, 'function', 'name')
  return name === '' ? undefined : { name }
}

function neutralTool(tool: unknown): ModelTool {
  return {
    name: textAt(tool, 'function', 'name'),
    description: textAt(tool, 'function', 'description'),
    parameters: objectOf(at(tool, 'function', 'parameters')),
  }
}

function objectOf(value: unknown): JsonObject {
  if (isJsonObject(value)) return value
  throw new Error('A recorded tool has no parameters.')
}

function neutralMessages(messages: readonly unknown[]): readonly Message[] {
  const neutral: Message[] = []
  const open: ModelCall[] = []
  for (const message of messages) {
    const content = at(message, 'content')
    const role = textAt(message, 'role')
    if (role === 'system') neutral.push({ role, text: textOf(content) })
    else if (role === 'user') neutral.push({ role, parts: partsOf(content) })
    else if (role === 'tool') neutral.push(neutralResult(message, open))
    else {
      const calls = listAt(message, 'tool_calls').map((call, place) =>
        neutralCall(call, `unnamed${neutral.length}.${place}`),
      )
      open.push(...calls)
      const reasoning = textAt(message, 'reasoning_content') || textAt(message, 'thinking')
      neutral.push({
        role: 'assistant',
        text: textOf(content),
        ...(reasoning !== '' && { reasoning }),
        calls,
      })
    }
  }
  return neutral
}

/** Where results go by names, they stand in the order of the calls. */
function neutralResult(message: unknown, open: ModelCall[]): ToolMessage {
  const given = textAt(message, 'tool_call_id')
  const place = open.findIndex(({ id, name }) =>
    given === '' ? name === textAt(message, 'tool_name') : id === given,
  )
  const [call] = place < 0 ? [] : open.splice(place, 1)
  return {
    role: 'tool',
    callId: call?.id ?? given,
    name: call?.name ?? textAt(message, 'tool_name'),
    text: textOf(at(message, 'content')),
    failed: false,
  }
}

function neutralCall(call: unknown, unnamed: string): ModelCall {
  const given = at(call, 'function', 'arguments')
  return {
    id: textAt(call, 'id') || unnamed,
    name: textAt(call, 'function', 'name'),
    argumentsText: typeof given === 'string' ? given : JSON.stringify(given),
  }
}

function partsOf(content: unknown): readonly Part[] {
  if (!Array.isArray(content)) return [{ type: 'text', text: textOf(content) }]
  return content.map((part: unknown) => {
    if (textAt(part, 'type') === 'text') return { type: 'text', text: textAt(part, 'text') }
    const [head = '', data = ''] = urlOf(part).split(';base64,')
    return { type: 'image', mimeType: head.slice('data:'.length), data }
  })
}

/** Text as it is, or the text parts that some clients send instead. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part) => textAt(part, 'text')).join('\n') : ''
}
