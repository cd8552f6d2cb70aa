/** Flavours of Chat Completions beside DeepSeek's: OpenAI's own, and those of servers and routers that took it over. Data only. */

import type { ChatFlavour } from './chat-flavour.ts'

/** What is left when nothing special is known of a server: members that all of them take. */
export const COMPATIBLE: ChatFlavour = {
  provider: 'compatible',
  textBesideCalls: 'empty',
  brokenArguments: 'emptied',
  maxTokens: 'max_tokens',
  efforts: {
    none: { reasoning_effort: 'none' },
    low: { reasoning_effort: 'low' },
    medium: { reasoning_effort: 'medium' },
    high: { reasoning_effort: 'high' },
    max: { reasoning_effort: 'high' },
  },
  thinksByDefault: false,
  whileThinking: { forcedChoice: true, temperature: true },
  images: true,
}

/** Its reasoning stays with it: only the Responses API gives it out. */
export const OPENAI_CHAT: ChatFlavour = {
  ...COMPATIBLE,
  provider: 'openai',
  tellsEndings: true,
  textBesideCalls: 'omitted',
  brokenArguments: 'as-written',
  maxTokens: 'max_completion_tokens',
}

/** Signed reasoning goes back to the provider behind it. */
export const OPENROUTER: ChatFlavour = {
  ...COMPATIBLE,
  provider: 'openrouter',
  reasoningBack: 'reasoning',
  keepsDetails: true,
  brokenArguments: 'as-written',
  efforts: {
    none: { reasoning: { effort: 'none' } },
    low: { reasoning: { effort: 'low' } },
    medium: { reasoning: { effort: 'medium' } },
    high: { reasoning: { effort: 'high' } },
    max: { reasoning: { effort: 'xhigh' } },
  },
}

/** Thinking is a matter of the model's template; that template reads arguments of earlier calls as JSON. */
export const LLAMACPP: ChatFlavour = {
  ...COMPATIBLE,
  provider: 'llamacpp',
  reasoningBack: 'reasoning_content',
  textBesideCalls: 'omitted',
  efforts: {
    none: { chat_template_kwargs: { enable_thinking: false } },
    low: { chat_template_kwargs: { enable_thinking: true, reasoning_effort: 'low' } },
    medium: { chat_template_kwargs: { enable_thinking: true, reasoning_effort: 'medium' } },
    high: { chat_template_kwargs: { enable_thinking: true, reasoning_effort: 'high' } },
    max: { chat_template_kwargs: { enable_thinking: true, reasoning_effort: 'high' } },
  },
}

/** It reads arguments of earlier calls as JSON before the template sees them. */
export const VLLM: ChatFlavour = {
  ...LLAMACPP,
  provider: 'vllm',
  reasoningBack: 'reasoning',
}
