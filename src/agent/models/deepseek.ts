/**
 * DeepSeek's Chat Completions: what it wants of a conversation with tools, and what it refuses while it thinks.
 *
 * Names of models and their prices are no part of this: a model is whatever name the server takes.
 */

import type { ModelTraits } from '../model.ts'
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
  whileThinking: { forcedChoice: false, temperature: false },
  images: false,
}

/** Families of models that take images, by what stands in their names. All others refuse the whole request over one. */
const SEEING: readonly string[] = ['deepseek-flash', 'deepseek-v4.1-flash', 'vision']
/** Tokens of prompt and reply together. */
const WINDOW = 1_048_576
/** Most functions of one request. */
const MAX_TOOLS = 128

export function deepseekCodec(model: string): Codec {
  return chatCodec({ ...DEEPSEEK, images: takesImages(model) }, model)
}

export function deepseekTraits(model: string): ModelTraits {
  return {
    window: WINDOW,
    maxTools: MAX_TOOLS,
    maxDescription: undefined,
    images: takesImages(model),
    resultImages: false,
  }
}

function takesImages(model: string): boolean {
  const name = model.toLowerCase()
  return SEEING.some((part) => name.includes(part))
}
