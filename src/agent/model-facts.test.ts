import { describe, expect, it } from 'vitest'
import { MODEL_FACTS } from './model-data.ts'
import { knownOf, usualModelOf, withFacts, type ModelFactTable } from './model-facts.ts'
import { PROVIDER_NAMES } from './provider-table.ts'
import { readModelFacts } from './read-model-facts.ts'

const table = (...models: ModelFactTable['models']): ModelFactTable => ({
  asOf: '2026-11-30',
  models,
})

describe('what is known of a model', () => {
  it.each([
    ['deepseek', 'deepseek-flash', 1_048_576],
    ['deepseek', 'a-model-of-tomorrow', 1_048_576],
    ['openai', 'gpt-4.1-mini', 1_047_576],
    ['openai-chat', 'gpt-4o-2024-11-20', 128_000],
    ['openai', 'gpt-5.2', 400_000],
    ['openai', 'gpt-5.2-chat-latest', 128_000],
    ['anthropic', 'claude-haiku-4-5-20251001', 200_000],
    ['openrouter', 'openai/gpt-4o-mini', 128_000],
    ['openrouter', 'anthropic/claude-3.7-sonnet', 200_000],
    ['openrouter', 'somebody/else', undefined],
    ['ollama', 'qwen3:8b', undefined],
    ['compatible', 'deepseek-flash', undefined],
  ])('has of %s:%s the window %s', (provider, name, window) => {
    expect(knownOf({ provider, name }, MODEL_FACTS).window).toBe(window)
  })

  it('is taken member by member, from the first entry that says it', () => {
    const facts = table(
      { provider: 'p', model: 'm-1', images: true },
      { provider: 'q', model: '*', window: 7 },
      { provider: 'p', model: 'M-*', window: 4_000, images: false },
      { provider: 'p', model: '*', window: 1 },
    )
    expect(knownOf({ provider: 'p', name: 'm-1' }, facts)).toEqual({ window: 4_000, images: true })
    expect(knownOf({ provider: 'p', name: 'x' }, facts)).toEqual({ window: 1 })
    expect(knownOf({ provider: 'r', name: 'm-1' }, facts)).toEqual({})
  })

  it('may be a part in the midst of a name', () => {
    const facts = table({ provider: 'p', model: '*vision*', images: true })
    expect(knownOf({ provider: 'p', name: 'a-Vision-exp' }, facts).images).toBe(true)
    expect(knownOf({ provider: 'p', name: 'a-visio' }, facts).images).toBeUndefined()
  })

  it('is dated, and of providers that there are', () => {
    expect(MODEL_FACTS.asOf).toMatch(/^\d{4}-\d\d-\d\d$/)
    for (const { provider } of MODEL_FACTS.models) expect(PROVIDER_NAMES).toContain(provider)
  })

  it('is of the user first', () => {
    const both = withFacts(MODEL_FACTS, table({ provider: 'openai', model: 'gpt-4o', window: 9 }))
    expect(knownOf({ provider: 'openai', name: 'gpt-4o' }, both).window).toBe(9)
    expect(knownOf({ provider: 'openai', name: 'gpt-4.1' }, both).window).toBe(1_047_576)
    expect(both.asOf).toBe('2026-11-30')
  })

  it('names the model that is meant by a provider alone', () => {
    expect(usualModelOf('deepseek', MODEL_FACTS)).toBe('deepseek-flash')
    expect(usualModelOf('openai', MODEL_FACTS)).toBeUndefined()
    const own = table({ provider: 'ollama', model: 'qwen3:8b', usual: true })
    expect(usualModelOf('ollama', withFacts(MODEL_FACTS, own))).toBe('qwen3:8b')
  })
})

describe('facts that a user wrote', () => {
  const read = (models: unknown) => readModelFacts(JSON.stringify({ models }))

  it('count as they are', () => {
    const models = [
      { provider: 'ollama', model: 'qwen3:8b', window: 32_768, images: true, usual: true },
      { provider: 'ollama', model: '*', thinkingLevels: true },
    ]
    const text = JSON.stringify({ asOf: '2026-12-01', models, note: 'mine' })
    expect(readModelFacts(text)).toEqual({
      facts: { asOf: '2026-12-01', models },
      problems: [],
      faults: [],
    })
  })

  it('that cannot be used are told by their place, and the others count', () => {
    const good = { provider: 'p', model: 'm', window: 8192 }
    const bad = [
      null,
      'x',
      {},
      { ...good, model: '' },
      { ...good, window: '8192' },
      { ...good, window: 0 },
      { ...good, window: 1.5 },
      { ...good, images: 'yes' },
      { ...good, usual: 1 },
      { ...good, model: 'gpt-*', usual: true },
      { ...good, thinkingLevels: null },
    ]
    const { facts, problems, faults } = read([...bad, good])
    expect(facts.models).toEqual([good])
    expect(problems).toHaveLength(bad.length)
    expect(problems[0]).toMatch(/^models\[0\] does not count/)
    expect(faults[0]).toEqual({ kind: 'entry', at: 0 })
  })

  it.each(['', '[]', '{', 'null', '{"models":{}}', '['.repeat(10_000)])(
    'that are no table are told: %#',
    (text) => {
      const { facts, problems } = readModelFacts(text)
      expect(facts.models).toEqual([])
      expect(problems).toHaveLength(1)
    },
  )

  it('are no more than a thousand', () => {
    const models = Array.from({ length: 1001 }, (_, n) => ({ provider: 'p', model: `m${n}` }))
    const { facts, problems } = read(models)
    expect(facts.models).toHaveLength(1000)
    expect(problems).toHaveLength(1)
  })
})
