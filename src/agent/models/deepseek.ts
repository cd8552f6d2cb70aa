/**
 * DeepSeek's Chat Completions: what it wants of a conversation with tools, and what it refuses while it thinks.
 *
 * Names of models and their prices are no part of this: a model is whatever name the server takes.
 */

import type { ModelTraits } from '../model.ts'
import { MODEL_FACTS } from '../model-data.ts'
import { knownOf, type KnownModel } from '../model-facts.ts'
import { chatCodec } from './chat-codec.ts'
import type { ChatFlavour } from './chat-flavour.ts'
import type { Codec } from './codec.ts'

/**
 * It thinks unless told not to. With tools in a request, the reasoning of all turns before goes back with it; without, it is
 * ignored.
 */
export const DEEPSEEK: ChatFlavour = {
  provider: 'deepseek',
  reasoningBack: 'reasoning_content',
  reasoningNeeded: true,
  textBesideCalls: 'empty',
  brokenArguments: 'as-written',
  maxTokens: 'max_tokens',
  efforts: {
    none: { thinking: { type: 'disabled' } },
    low: { thinking: { type: 'enabled' }, reasoning_effort: 'low' },
    // It has three levels, and takes the middle of five for its second.
    medium: { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    high: { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    max: { thinking: { type: 'enabled' }, reasoning_effort: 'max' },
  },
  thinksByDefault: true,
  tellsEndings: true,
  whileThinking: { forcedChoice: false, temperature: false },
  images: false,
}

/** Its own address. */
export const DEEPSEEK_URL = 'https://api.deepseek.com'
/** Most functions of one request. */
const MAX_TOOLS = 128

/** Default of `known`: what stands in the table of the program. A model that is not known to take images refuses the whole request over one. */
export function deepseekCodec(
  model: string,
  known: KnownModel = inTable(model),
  /** Where it is asked; default: DeepSeek's own address. */
  baseUrl: string = DEEPSEEK_URL,
): Codec {
  return chatCodec({ ...DEEPSEEK, ...strictWay(baseUrl), images: known.images === true }, model)
}

/** Schemas are kept to below `/beta` alone, which only an address without a path of its own can be led to. */
function strictWay(baseUrl: string): Pick<ChatFlavour, 'strictPath' | 'strictDoubt'> {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const path = url?.pathname.replace(/\/+$/, '')
  if (path?.endsWith('/beta') === true) return {}
  if (path === '' && url?.origin === DEEPSEEK_URL) return { strictPath: '/beta/chat/completions' }
  return {
    strictDoubt:
      'The tools were sent as strict, which DeepSeek heeds below "/beta" alone: if the base URL leads to DeepSeek, end it with "/beta".',
  }
}

export function deepseekTraits(model: string, known: KnownModel = inTable(model)): ModelTraits {
  return {
    window: known.window,
    maxTools: MAX_TOOLS,
    maxDescription: undefined,
    images: known.images === true,
    resultImages: false,
  }
}

function inTable(name: string): KnownModel {
  return knownOf({ provider: DEEPSEEK.provider, name }, MODEL_FACTS)
}
