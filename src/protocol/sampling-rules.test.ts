import { describe, expect, it } from 'vitest'
import { samplingFault } from './sampling-rules.ts'

const text = { type: 'text', text: 'a' }
const uses = (...ids: string[]) => ids.map((id) => ({ type: 'tool_use', id, name: 't', input: {} }))
const gives = (...ids: string[]) =>
  ids.map((toolUseId) => ({ type: 'tool_result', toolUseId, content: [] }))
const user = (content: unknown) => ({ role: 'user', content })
const model = (content: unknown) => ({ role: 'assistant', content })

describe('messages for a model', () => {
  it.each<[string, readonly unknown[]]>([
    ['are none', []],
    ['are plain talk', [user(text), model(text), user([text, text])]],
    ['use a tool', [user(text), model(uses('1')[0]), user(gives('1')[0]), model(text)]],
    ['use several at once', [model([text, ...uses('1', '2')]), user(gives('2', '1'))]],
    [
      'use an id again later',
      [model(uses('1')), user(gives('1')), model(uses('1')), user(gives('1'))],
    ],
    ['hold kinds that nobody knows', [user({ type: 'smell' }), model([])]],
  ])('follow the rules when they %s [SAMP-07, SAMP-08]', (_what, messages) => {
    expect(samplingFault(messages)).toBeUndefined()
  })

  it.each<[string, unknown, RegExp]>([
    ['are no list', {}, /no list/],
    ['hold what is no message', [null], /message 1 is no object/],
    ['have a third role', [{ role: 'system', content: text }], /neither user nor assistant/],
    ['mix results with words', [model(uses('1')), user([...gives('1'), text])], /message 2 mixes/],
    ['leave a call open', [model(uses('1', '2')), user(gives('1'))], /does not answer every/],
    ['leave a call open by talking', [model(uses('1')), model(text)], /does not answer every/],
    ['end with a call', [model(uses('1'))], /no results follow/],
    ['answer what was not called', [user(gives('1'))], /not made just before/],
    [
      'answer too late',
      [model(uses('1')), user(gives('1')), user(gives('1'))],
      /not made just before/,
    ],
    ['answer twice', [model(uses('1')), user(gives('1', '1'))], /twice/],
    ['call with one id twice', [model(uses('1', '1')), user(gives('1'))], /twice/],
    ['let the user call', [user(uses('1')), user(gives('1'))], /no assistant's/],
    ['let the model answer', [model(uses('1')), model(gives('1'))], /no user's/],
  ])('break the rules when they %s [SAMP-07, SAMP-08]', (_what, messages, words) => {
    expect(samplingFault(messages)).toMatch(words)
  })
})
