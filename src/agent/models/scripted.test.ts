import { expect, it } from 'vitest'
import type { ModelDelta, ModelLeg } from '../model.ts'
import { scriptedModel } from './scripted.ts'

const request = { messages: [], tools: [] } as const

it('says what it was told to say, in order, and remembers what it was asked', async () => {
  const model = scriptedModel(['One.', { text: 'Two.', calls: [{ name: 'x', args: { a: 1 } }] }])
  expect(await model.reply(request)).toMatchObject({ message: { text: 'One.' }, finish: 'stop' })
  expect(await model.reply(request)).toMatchObject({
    message: { text: 'Two.', calls: [{ id: 'call_1', name: 'x', argumentsText: '{"a":1}' }] },
    finish: 'tool-calls',
  })
  expect(model.requests).toEqual([request, request])
  await expect(model.reply(request)).rejects.toThrow('no reply to request 3')
})

it('streams in pieces that come to the reply, in the order of providers', async () => {
  const deltas: ModelDelta[] = []
  const model = scriptedModel([
    { reasoning: 'hmm', text: 'Yes.', calls: [{ name: 'x', args: '{"a' }] },
  ])
  await model.reply(request, { onDelta: (delta) => void deltas.push(delta) })
  const joined = (kind: ModelDelta['kind']): string =>
    deltas.map((delta) => (delta.kind === kind && 'text' in delta ? delta.text : '')).join('')
  expect([joined('reasoning'), joined('text'), joined('arguments')]).toEqual(['hmm', 'Yes.', '{"a'])
  expect(new Set(deltas.map(({ kind }) => kind))).toEqual(
    new Set(['reasoning', 'text', 'call', 'arguments']),
  )
})

it('does not stream where that was not asked for', async () => {
  const deltas: ModelDelta[] = []
  const model = scriptedModel(['Yes.'])
  await model.reply({ ...request, stream: false }, { onDelta: (delta) => void deltas.push(delta) })
  expect(deltas).toEqual([])
})

it('shows the way there and back as a provider has it', async () => {
  const legs: ModelLeg[] = []
  await scriptedModel(['Yes.']).reply(request, { onLeg: (leg) => void legs.push(leg) })
  expect(legs).toMatchObject([
    { kind: 'request', attempt: 1, body: JSON.stringify(request) },
    { kind: 'reply', attempt: 1, status: 200, body: expect.stringContaining('Yes.') },
  ])
})

it('fails as it is told, and when it is told to stop', async () => {
  const model = scriptedModel([{ error: new Error('busy') }, 'Yes.'])
  await expect(model.reply(request)).rejects.toThrow('busy')
  await expect(
    model.reply(request, { signal: AbortSignal.abort(new Error('enough')) }),
  ).rejects.toThrow('enough')
  expect(model.requests).toHaveLength(1)
})

it('may answer by what it is asked', async () => {
  const model = scriptedModel(({ messages }, n) => `${n}: ${messages.length}`)
  expect((await model.reply(request)).message.text).toBe('0: 0')
  expect(
    (await model.reply({ ...request, messages: [{ role: 'system', text: 'x' }] })).message.text,
  ).toBe('1: 1')
})
