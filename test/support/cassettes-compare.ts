/**
 * What of two requests must agree, brought to one form: members that differ in writing and not in meaning are written alike
 * here, and each of these allowances is named.
 */
import { at, listAt, membersOf, readJson, textAt } from './cassettes-json.ts'
import { textOf } from './cassettes-request.ts'

/** How a difference in writing is looked at. */
export interface Allowances {
  /**
   * Arguments of calls are compared as JSON values: the recording client read them and wrote them again, so that blanks are gone.
   */
  readonly argumentsAsValues: boolean
}

/** The places in which two bodies differ, in words; none where they agree. */
export function differences(
  ours: string,
  recorded: string,
  allowances: Allowances,
): readonly string[] {
  const mine = comparable(readJson(ours), allowances)
  const theirs = comparable(readJson(recorded), allowances)
  const found: string[] = []
  for (const name of Object.keys(theirs)) compare(mine[name], theirs[name], { path: name, found })
  return found
}

type Comparable = Readonly<Record<string, unknown>>

function comparable(body: unknown, allowances: Allowances): Comparable {
  return {
    model: at(body, 'model'),
    messages: listAt(body, 'messages').map((message) => comparableMessage(message, allowances)),
    tools: listAt(body, 'tools'),
    // Absent and null are the default.
    tool_choice: at(body, 'tool_choice') ?? undefined,
    parallel_tool_calls: at(body, 'parallel_tool_calls'),
    // Absent is false everywhere but with Ollama, which is always told.
    stream: at(body, 'stream') ?? false,
    stream_options: at(body, 'stream_options'),
    stop: at(body, 'stop'),
    response_format: at(body, 'response_format'),
    // One meaning under two names.
    max_tokens: at(body, 'max_tokens') ?? at(body, 'max_completion_tokens'),
    temperature: at(body, 'temperature'),
    thinking: thinkingOf(body),
    options: at(body, 'options'),
  }
}

/** The level counts; that it thinks at all is the default and goes without saying. */
function thinkingOf(body: unknown): unknown {
  if (at(body, 'think') !== undefined) return at(body, 'think')
  if (textAt(body, 'thinking', 'type') === 'disabled') return 'none'
  return at(body, 'reasoning_effort') ?? 'default'
}

function comparableMessage(message: unknown, allowances: Allowances): Comparable {
  const parts = listAt(message, 'content')
  const isText = parts.every((part) => textAt(part, 'type') === 'text')
  return {
    role: at(message, 'role'),
    // Text parts alone are text; no content beside calls is empty content.
    content: isText ? textOf(at(message, 'content')) : parts,
    reasoning: at(message, 'reasoning_content') ?? at(message, 'thinking'),
    tool_call_id: at(message, 'tool_call_id'),
    tool_name: at(message, 'tool_name'),
    calls: listAt(message, 'tool_calls').map((call) => ({
      id: at(call, 'id'),
      type: at(call, 'type'),
      name: at(call, 'function', 'name'),
      arguments: argumentsOf(at(call, 'function', 'arguments'), allowances),
    })),
  }
}

function argumentsOf(given: unknown, { argumentsAsValues }: Allowances): unknown {
  if (typeof given !== 'string' || !argumentsAsValues) return given
  try {
    return readJson(given)
  } catch {
    return given
  }
}

interface Comparison {
  readonly path: string
  readonly found: string[]
}

function compare(ours: unknown, recorded: unknown, { path, found }: Comparison): void {
  if (Object.is(ours, recorded)) return
  if (isObject(ours) && isObject(recorded) && Array.isArray(ours) === Array.isArray(recorded)) {
    const [mine, theirs] = [membersOf(ours), membersOf(recorded)]
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)]))
      compare(mine[name], theirs[name], { path: `${path}.${name}`, found })
    return
  }
  found.push(`${path}: ours ${shown(ours)}, recorded ${shown(recorded)}`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 100)}…${text.slice(-50)}` : text
}
