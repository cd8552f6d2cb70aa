/**
 * The providers that are known by name, as data: where they are, which variable has the key, how they write. Facts of single models are
 * no part of it.
 */

import type { SchemaDialect } from '../schema/project/dialect.ts'
import type { ModelTraits } from './model.ts'
import type { KnownModel } from './model-facts.ts'
import { anthropicCodec, anthropicTraits } from './models/anthropic-codec.ts'
import { ANTHROPIC_VERSION } from './models/anthropic-request.ts'
import { chatCodec } from './models/chat-codec.ts'
import type { ChatFlavour } from './models/chat-flavour.ts'
import type { Codec } from './models/codec.ts'
import { DEEPSEEK_URL, deepseekCodec, deepseekTraits } from './models/deepseek.ts'
import { ollamaCodec } from './models/ollama-codec.ts'
import { COMPATIBLE, LLAMACPP, OPENAI_CHAT, OPENROUTER, VLLM } from './models/openai-chat.ts'
import type { KeyHeader } from './models/post-key.ts'
import { responsesCodec } from './models/responses-codec.ts'
import {
  LLAMACPP_WINDOW,
  OLLAMA_WINDOW,
  VLLM_WINDOW,
  type WindowWay,
} from './models/window-ways.ts'

export interface Provider {
  /** As it is written before a colon. */
  readonly name: string
  /** Undefined where there is no usual one. */
  readonly baseUrl: string | undefined
  /** The variable with the key. Undefined where none is needed. */
  readonly keyVariable: string | undefined
  readonly keyHeader: KeyHeader
  /** More headers for each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Below the base URL. */
  readonly namesPath: string
  readonly dialect: SchemaDialect
  /** How its server is asked for the window of a model. Undefined where it does not say. */
  readonly windowWays?: readonly WindowWay[]
  /** It keeps a part of a prompt that is longer than the window, without a word. */
  readonly cutsSilently?: boolean
  /** `known` is all that is known of this model beyond its provider. */
  traits(model: string, known: KnownModel): ModelTraits
  /** `baseUrl` is where it is asked; default: the provider's own. */
  codec(model: string, known: KnownModel, baseUrl?: string): Codec
}

/** Of a server of which nothing is known. */
function serverTraits(_model: string, { window, images = false }: KnownModel): ModelTraits {
  return { window, maxTools: undefined, maxDescription: undefined, images, resultImages: false }
}

function openaiTraits(_model: string, { window, images = true }: KnownModel): ModelTraits {
  return { window, maxTools: 128, maxDescription: 1024, images, resultImages: false }
}

function chat(flavour: ChatFlavour): Provider['codec'] {
  return (model, { images = flavour.images }) => chatCodec({ ...flavour, images }, model)
}

/** A server on this machine that speaks Chat Completions and wants no key. */
function local(
  flavour: ChatFlavour,
  dialect: SchemaDialect,
  baseUrl: string | undefined,
): Provider {
  return {
    name: flavour.provider,
    baseUrl,
    keyVariable: undefined,
    keyHeader: 'bearer',
    namesPath: '/models',
    dialect,
    traits: serverTraits,
    codec: chat(flavour),
  }
}

const ALL: readonly Provider[] = [
  {
    name: 'deepseek',
    baseUrl: DEEPSEEK_URL,
    keyVariable: 'DEEPSEEK_API_KEY',
    keyHeader: 'bearer',
    namesPath: '/models',
    dialect: 'deepseek',
    traits: deepseekTraits,
    codec: deepseekCodec,
  },
  {
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    keyHeader: 'bearer',
    namesPath: '/models',
    dialect: 'openai',
    traits(model, known) {
      const traits = openaiTraits(model, known)
      return { ...traits, resultImages: traits.images }
    },
    codec: (model) => responsesCodec(model),
  },
  {
    name: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    keyHeader: 'bearer',
    namesPath: '/models',
    dialect: 'openai',
    traits: openaiTraits,
    codec: chat(OPENAI_CHAT),
  },
  {
    name: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariable: 'ANTHROPIC_API_KEY',
    keyHeader: 'x-api-key',
    headers: { 'anthropic-version': ANTHROPIC_VERSION },
    namesPath: '/models',
    dialect: 'anthropic',
    traits: anthropicTraits,
    codec: anthropicCodec,
  },
  {
    name: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    keyHeader: 'bearer',
    namesPath: '/models',
    // It hands schemas on to whoever answers: what OpenAI takes, most of them take.
    dialect: 'openai',
    traits: (model, known) => ({ ...openaiTraits(model, known), maxDescription: undefined }),
    codec: chat(OPENROUTER),
  },
  {
    name: 'ollama',
    baseUrl: 'http://127.0.0.1:11434',
    keyVariable: undefined,
    keyHeader: 'bearer',
    namesPath: '/api/tags',
    dialect: 'plain',
    traits: serverTraits,
    // What is taken for its window is asked for too: its own default is small, and told nowhere.
    codec: (model, known) =>
      ollamaCodec(model, {
        contextTokens: () => known.window,
        thinkingLevels: known.thinkingLevels,
      }),
    windowWays: OLLAMA_WINDOW,
    cutsSilently: true,
  },
  { ...local(LLAMACPP, 'llamacpp', 'http://127.0.0.1:8080/v1'), windowWays: LLAMACPP_WINDOW },
  { ...local(VLLM, 'plain', 'http://127.0.0.1:8000/v1'), windowWays: VLLM_WINDOW },
  local(COMPATIBLE, 'plain', undefined),
]

const BY_NAME: ReadonlyMap<string, Provider> = new Map(ALL.map((one) => [one.name, one]))

/** The names of all, in the order in which people are told of them. */
export const PROVIDER_NAMES: readonly string[] = ALL.map(({ name }) => name)

export function providerOf(name: string): Provider | undefined {
  return BY_NAME.get(name)
}
