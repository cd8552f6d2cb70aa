import { describe, expect, it } from 'vitest'
import { CapabilityError } from '../base/errors.ts'
import { JsonText, type JsonObject } from '../base/json.ts'
import { dialectFor, DIALECTS } from './dialects/index.ts'
import type { Revision } from './revision.ts'

function asked(revision: Revision, method: string, params: JsonObject): JsonObject | undefined {
  const sent = dialectFor(revision).encodeRequest({ method, params }).params
  return sent instanceof JsonText ? JSON.parse(sent.text) : sent
}

const form = (properties: JsonObject): JsonObject => ({
  message: 'm',
  requestedSchema: { type: 'object', properties },
})

describe('a form', () => {
  const titled = { type: 'string', title: 'T', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }

  it('spells titled choices as two lists for 2025-06-18 [ELIC-07]', () => {
    expect(asked('2025-06-18', 'elicitation/create', form({ x: titled }))).toEqual(
      form({ x: { type: 'string', title: 'T', enum: ['a', 'b'], enumNames: ['A', 'b'] } }),
    )
  })

  it('is passed on untouched where every spelling is known [ELIC-08]', () => {
    const params = form({ x: titled, y: { type: 'array', items: { enum: ['a'], type: 'string' } } })
    expect(asked('2025-11-25', 'elicitation/create', params)).toBe(params)
  })

  it('is refused here when it asks for several choices at once of a peer without a word for it [ELIC-08]', () => {
    const params = form({ y: { type: 'array', items: { type: 'string', enum: ['a'] } } })
    expect(() => asked('2025-06-18', 'elicitation/create', params)).toThrow(CapabilityError)
    expect(() => asked('2025-06-18', 'elicitation/create', params)).toThrow(
      /several choices at once \(field "y"\)/,
    )
  })

  it('keeps a field called __proto__ a field', () => {
    const params = form(
      JSON.parse('{"__proto__":{"type":"string","oneOf":[{"const":"a","title":"A"}]}}'),
    )
    expect(JSON.stringify(asked('2025-06-18', 'elicitation/create', params))).toContain(
      '"__proto__":{"type":"string","enum":["a"]',
    )
  })
})

describe('a question by URL', () => {
  const visit = { mode: 'url', message: 'm', url: 'https://example.com' }

  it('has an elicitationId in the one revision that wants it [ELIC-14, ELIC-15]', () => {
    const wanted = DIALECTS.filter(({ traits }) => traits.elicitationIds).map(
      ({ revision }) => revision,
    )
    expect(wanted).toEqual(['2025-11-25'])
    expect(
      asked('2025-11-25', 'elicitation/create', { ...visit, elicitationId: 'e' }),
    ).toMatchObject({ elicitationId: 'e' })
    expect(() => asked('2025-11-25', 'elicitation/create', visit)).toThrow(CapabilityError)
  })

  it('is refused here for a peer that knows only forms [ELIC-02]', () => {
    expect(() => asked('2025-06-18', 'elicitation/create', visit)).toThrow(/question by URL/)
  })
})

describe('sampling', () => {
  const text = { type: 'text', text: 'a' }
  const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }

  it('sends one message a block where a message has one block [SAMP-10]', () => {
    const params = { maxTokens: 1, messages: [{ role: 'user', content: [text, audio] }] }
    expect(asked('2025-06-18', 'sampling/createMessage', params)).toEqual({
      maxTokens: 1,
      messages: [
        { role: 'user', content: text },
        { role: 'user', content: audio },
      ],
    })
    expect(asked('2025-11-25', 'sampling/createMessage', params)).toBe(params)
  })

  it.each(['tools', 'toolChoice'])(
    'is refused here with %s for a peer that has no tools in it [SAMP-06]',
    (member) => {
      const message = { role: 'user', content: text }
      const params = { maxTokens: 1, messages: [message], [member]: member === 'tools' ? [] : {} }
      const refused = DIALECTS.filter(({ era }) => era === 'legacy').flatMap(({ revision }) => {
        try {
          asked(revision, 'sampling/createMessage', params)
          return []
        } catch (error) {
          return [[revision, error instanceof CapabilityError]]
        }
      })
      expect(refused).toEqual([
        ['2024-11-05', true],
        ['2025-03-26', true],
        ['2025-06-18', true],
      ])
    },
  )

  it('says kinds of content in text that the revision does not know [TOOL-13]', () => {
    const params = { maxTokens: 1, messages: [{ role: 'user', content: audio }] }
    expect(asked('2024-11-05', 'sampling/createMessage', params)).toMatchObject({
      messages: [{ content: { type: 'text' } }],
    })
  })
})
