/**
 * The tools of a host as a request to each kind of provider carries them, without a request: for people who want to see what is sent,
 * and for programs that send it themselves.
 */

import { BugError } from '../base/errors.ts'
import { isJsonObject, type JsonValue } from '../base/json.ts'
import type { HostTool } from '../host/host-tool.ts'
import type { SchemaDialect } from '../schema/project/dialect.ts'
import { ToolDiscovery } from './find-tools.ts'
import type { ModelTool, ModelTraits } from './model.ts'
import { MODEL_FACTS } from './model-data.ts'
import { knownOf, usualModelOf, type ModelFactTable } from './model-facts.ts'
import { ToolOffer, type LeftOutTool, type OfferedTools } from './offered-tools.ts'
import { providerOf } from './provider-table.ts'

/**
 * Every provider by its name, `gemini`, for which there is a way of writing alone, and `plain`, any server of Chat Completions that
 * takes every schema. `openai` is its Responses API.
 */
export const TOOL_FORMS = [
  'deepseek',
  'openai',
  'openai-chat',
  'anthropic',
  'openrouter',
  'ollama',
  'llamacpp',
  'vllm',
  'compatible',
  'gemini',
  'plain',
] as const

export type ToolForm = (typeof TOOL_FORMS)[number]

export interface ToolRequest {
  readonly offered: OfferedTools
  /** The member `tools` of a request; undefined where there is none, as there are no tools. */
  readonly tools: JsonValue | undefined
  /** Whether the provider holds the model to the schemas. */
  readonly strict: boolean
  /** Why not, by tool, where that was asked for. */
  readonly notStrict: readonly LeftOutTool[]
  /** They are so many that `runAgent` would have the model look for them instead. */
  readonly deferred: boolean
}

export interface ToolRequestOptions {
  /** Has the provider hold the model to the schemas, if all of them can be said without a loss. Default false. */
  readonly strict?: boolean
  /** As the provider calls the model. Default: the one that is meant by the provider alone. */
  readonly model?: string | undefined
  /** The window of the model in tokens. Default: what is known of it. */
  readonly window?: number | undefined
  /** What is known of models. Default: the table of the program. */
  readonly facts?: ModelFactTable
}

/** A model of which nothing is known. */
const NO_LIMITS: ModelTraits = {
  window: undefined,
  maxTools: undefined,
  maxDescription: undefined,
  images: false,
  resultImages: false,
}

/** What a request with these tools has of them. Pure. */
export function toolRequest(
  tools: readonly HostTool[],
  form: ToolForm,
  { strict = false, ...of }: ToolRequestOptions = {},
): ToolRequest {
  const { dialect, traits, write } = wayOf(form, of)
  const offer = new ToolOffer({ dialect, traits, strict: strict ? 'auto' : 'off' })
  const offered = offer.of(tools)
  const isStrict = offered.tools.length > 0 && offered.tools.every((tool) => tool.strict === true)
  return {
    offered,
    tools: offered.tools.length === 0 ? undefined : write(offered.tools),
    strict: isStrict,
    notStrict: offered.notStrict,
    deferred: new ToolDiscovery().offer(tools, traits).deferred,
  }
}

interface Way {
  readonly dialect: SchemaDialect
  readonly traits: ModelTraits
  readonly write: (tools: readonly ModelTool[]) => JsonValue | undefined
}

function wayOf(
  form: ToolForm,
  { model: named, window, facts = MODEL_FACTS }: Omit<ToolRequestOptions, 'strict'>,
): Way {
  if (form === 'gemini')
    return { dialect: form, traits: { ...NO_LIMITS, window }, write: declarations }
  const provider = providerOf(form === 'plain' ? 'compatible' : form)
  if (provider === undefined) throw new BugError(`No provider writes tools as ${form}.`)
  const { dialect } = provider
  const model = named ?? usualModelOf(provider.name, facts) ?? 'model'
  const inTable = knownOf({ provider: provider.name, name: model }, facts)
  const known = window === undefined ? inTable : { ...inTable, window }
  return {
    dialect,
    traits: provider.traits(model, known),
    // By what writes real requests, so that nothing is told that is not sent.
    write: (tools) => provider.codec(model, known).encode({ messages: [], tools }).body['tools'],
  }
}

/** As Gemini wants them: all in one tool, and no parameters where there are none. */
function declarations(tools: readonly ModelTool[]): JsonValue {
  const functionDeclarations = tools.map(({ name, description, parameters }) => {
    const { properties } = parameters
    const hasSome = isJsonObject(properties) && Object.keys(properties).length > 0
    return {
      name,
      ...(description !== undefined && { description }),
      ...(hasSome && { parameters }),
    }
  })
  return [{ functionDeclarations }]
}
