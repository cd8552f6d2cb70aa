/**
 * Windows of models and what else is known of them, as dated data. Where a family differs, the smaller number stands: a window that is
 * taken for smaller than it is costs a little room, one that is taken for larger costs the request.
 */

import type { ModelFact, ModelFactTable } from './model-facts.ts'

const DEEPSEEK: readonly ModelFact[] = [
  { provider: 'deepseek', model: 'deepseek-flash', usual: true, images: true },
  { provider: 'deepseek', model: 'deepseek-flash*', images: true },
  { provider: 'deepseek', model: 'deepseek-v4.1-flash*', images: true },
  { provider: 'deepseek', model: '*vision*', images: true },
  { provider: 'deepseek', model: '*', window: 1_048_576 },
]

type Window = readonly [model: string, window: number]

const OPENAI: readonly Window[] = [
  ['gpt-5-chat*', 128_000],
  ['gpt-5.1-chat*', 128_000],
  ['gpt-5.2-chat*', 128_000],
  ['gpt-5.3-chat*', 128_000],
  ['gpt-5*', 400_000],
  ['gpt-4.1*', 1_047_576],
  ['gpt-4o*', 128_000],
  ['o1*', 200_000],
  ['o3*', 200_000],
  ['o4-mini*', 200_000],
]

const ANTHROPIC: readonly Window[] = [['claude-*', 200_000]]

/** Those that are given tokens to think with: up to 4.5. All others of the maker weigh their thinking for themselves. */
const GIVEN_TOKENS: readonly string[] = [
  '*claude-3*',
  '*claude-4-sonnet*',
  '*claude-4-opus*',
  '*claude-sonnet-4',
  '*claude-opus-4',
  '*claude-sonnet-4-0*',
  '*claude-opus-4-0*',
  '*claude-sonnet-4-2025*',
  '*claude-opus-4-2025*',
  '*claude-opus-4-1*',
  '*-4-5*',
]

const THINKING: readonly ModelFact[] = [
  ...GIVEN_TOKENS.map((model) => ({ provider: 'anthropic', model, thinkingLevels: false })),
  { provider: 'anthropic', model: '*claude-*', thinkingLevels: true },
]

function windows(provider: string, of: readonly Window[], before = ''): readonly ModelFact[] {
  return of.map(([model, window]) => ({ provider, model: `${before}${model}`, window }))
}

export const MODEL_FACTS: ModelFactTable = {
  asOf: '2026-10-31',
  models: [
    ...DEEPSEEK,
    ...windows('openai', OPENAI),
    ...windows('openai-chat', OPENAI),
    ...windows('anthropic', ANTHROPIC),
    ...windows('openrouter', OPENAI, 'openai/'),
    ...windows('openrouter', ANTHROPIC, 'anthropic/'),
    ...THINKING,
    { provider: 'ollama', model: '*gpt-oss*', thinkingLevels: true },
  ],
}
