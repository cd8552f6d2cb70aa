/**
 * DeepSeek's rules for chat requests: what it refuses, and in which words. Those that were recorded are in the recorded words;
 * the others say in their comments where they come from.
 *
 * It is as strict as the provider and a little stricter: reasoning that comes back altered is taken there in silence, and noted here.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import { itemsOf, textOf, type SaidTurn } from './deepseek-turn.ts'

export interface Refusal {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export interface RuleOptions {
  /** The key that is taken. Default: any, and none as well. */
  readonly key?: string
  /** The models that there are. Default: any. */
  readonly models?: readonly string[]
  /** Those that are taken as well and are not named where another is refused. */
  readonly oldModels?: readonly string[]
}

const JSON_TYPE = 'application/json'
/** As some of its 400s come. */
const BYTES_TYPE = 'application/octet-stream'
const MAX_TOOLS = 128
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/

export class DeepSeekRules {
  readonly #options: RuleOptions
  /** The reasoning of each turn that was given out. */
  readonly #given = new Map<string, string>()
  readonly #altered: string[] = []

  constructor(options: RuleOptions = {}) {
    this.#options = options
  }

  /** Turns whose reasoning came back as another one, one line each: no refusal, but a loss. */
  get altered(): readonly string[] {
    return this.#altered
  }

  /** Remembers a turn that was given out, so that its reasoning can be asked back. */
  gave(turn: SaidTurn): void {
    this.#given.set(
      keyOf(
        turn.content,
        turn.calls.map(({ id }) => id),
      ),
      turn.reasoning,
    )
  }

  /** What the provider would say to a request; undefined when it would take it. */
  refusal(request: JsonObject, authorization?: string): Refusal | undefined {
    return (
      this.#key(authorization) ??
      content(request) ??
      this.#model(request) ??
      toolChoice(request) ??
      tools(request) ??
      pairing(request) ??
      this.#reasoning(request)
    )
  }

  #key(authorization = ''): Refusal | undefined {
    const { key } = this.#options
    const sent = authorization.replace(/^Bearer /, '')
    if (key === undefined || sent === key) return undefined
    const message = `Authentication Fails, Your api key: ****${sent.slice(-4)} is invalid`
    return refused(message, { status: 401, type: 'authentication_error' })
  }

  #model(request: JsonObject): Refusal | undefined {
    const { models, oldModels = [] } = this.#options
    const name = textOf(request['model'])
    if (models === undefined || models.includes(name) || oldModels.includes(name)) return undefined
    const message = `The supported API model names are ${models.join(' or ')}, but you passed ${name}.`
    return refused(message, { contentType: BYTES_TYPE })
  }

  /**
   * With tools, the reasoning of every earlier turn is to come back. It was never recorded how this is refused; the sentence is
   * that of the provider's documents. Recorded is that a turn without reasoning and without calls needs none.
   */
  #reasoning(request: JsonObject): Refusal | undefined {
    if (!isThinking(request) || itemsOf(request['tools']).length === 0) return undefined
    for (const message of itemsOf(request['messages'])) {
      if (message['role'] !== 'assistant') continue
      const ids = idsOf(message)
      const given = this.#given.get(keyOf(textOf(message['content']), ids))
      const sent = message['reasoning_content']
      if (typeof sent !== 'string') {
        if (ids.length === 0 && (given ?? '') === '') continue
        return refused(
          'The `reasoning_content` in the thinking mode must be passed back to the API.',
          {
            contentType: BYTES_TYPE,
          },
        )
      }
      if (given !== undefined && sent !== given)
        this.#altered.push(`${JSON.stringify(given)} came back as ${JSON.stringify(sent)}`)
    }
    return undefined
  }
}

/** It thinks unless it is told not to. */
export function isThinking(request: JsonObject): boolean {
  const thinking = request['thinking']
  return !isJsonObject(thinking) || thinking['type'] !== 'disabled'
}

function toolChoice(request: JsonObject): Refusal | undefined {
  const choice = request['tool_choice']
  const isForced = choice === 'required' || isJsonObject(choice)
  if (!isForced || !isThinking(request)) return undefined
  return refused('Thinking mode does not support this tool_choice', { contentType: BYTES_TYPE })
}

/** What stands in a message beside text. */
function content(request: JsonObject): Refusal | undefined {
  for (const [at, message] of itemsOf(request['messages']).entries()) {
    const odd = itemsOf(message['content']).find(({ type }) => type !== 'text')
    if (odd !== undefined)
      return refused(
        `Failed to deserialize the JSON body into the target type: messages[${at}]: unknown variant \`${textOf(odd['type'])}\`, expected \`text\``,
      )
    // A tool's result is one string, in the provider's documents.
    if (message['role'] === 'tool' && typeof message['content'] !== 'string')
      return refused(
        `Failed to deserialize the JSON body into the target type: messages[${at}]: invalid type, expected a string`,
      )
  }
  return undefined
}

/** The limits on tools are those of the provider's documents; the sentences are made up. */
function tools(request: JsonObject): Refusal | undefined {
  const list = itemsOf(request['tools'])
  if (list.length > MAX_TOOLS)
    return refused(`Too many tools: ${list.length}, at most ${MAX_TOOLS}`)
  const names = list.map((tool) => textOf(functionOf(tool)['name']))
  const odd = names.find((name) => !TOOL_NAME.test(name))
  if (odd !== undefined) return refused(`Invalid function name: ${odd}`)
  if (new Set(names).size !== names.length) return refused('Tool names must be unique.')
  return undefined
}

/** Every call has its result before anybody else speaks, as the provider's documents want it; the sentence is made up. */
function pairing(request: JsonObject): Refusal | undefined {
  const open = new Set<string>()
  for (const message of itemsOf(request['messages'])) {
    const id = textOf(message['tool_call_id'])
    if (message['role'] === 'tool' && !open.delete(id))
      return refused(`The tool message "${id}" answers no call before it.`)
    if (message['role'] !== 'tool' && open.size > 0) return unanswered(open)
    for (const call of idsOf(message)) open.add(call)
  }
  return open.size > 0 ? unanswered(open) : undefined
}

function unanswered(open: ReadonlySet<string>): Refusal {
  return refused(`There is no tool message for the calls ${[...open].join(', ')}.`)
}

function idsOf(message: JsonObject): readonly string[] {
  return itemsOf(message['tool_calls']).map((call) => textOf(call['id']))
}

export function functionOf(tool: JsonObject): JsonObject {
  const value: JsonValue | undefined = tool['function']
  return isJsonObject(value) ? value : {}
}

function keyOf(text: string, ids: readonly string[]): string {
  return JSON.stringify([text, ids])
}

interface RefusalParts {
  readonly status?: number
  readonly type?: string
  readonly contentType?: string
}

function refused(message: string, parts: RefusalParts = {}): Refusal {
  const { status = 400, type = 'invalid_request_error', contentType = JSON_TYPE } = parts
  const error = { code: 'invalid_request_error', message, param: null, type }
  return { status, contentType, body: JSON.stringify({ error }) }
}
