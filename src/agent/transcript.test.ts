import { describe, expect, it } from 'vitest'
import { faultsOf, told } from '../../test/support/agent-room.ts'
import { dice } from '../../test/support/seeded.ts'
import { UsageError } from '../base/errors.ts'
import type { AssistantMessage } from './conversation.ts'
import { INTERRUPTED, Transcript } from './transcript.ts'

const reply = (text: string, ...ids: readonly string[]): AssistantMessage => ({
  role: 'assistant',
  text,
  calls: ids.map((id) => ({ id, name: 'fs__look', argumentsText: '{}' })),
})
const result = (callId: string, text = 'seen') =>
  ({ role: 'tool', callId, name: 'fs__look', text, failed: false }) as const

const SEED = 20_261_202

/** A transcript and the lines that it wrote. */
function written(): { transcript: Transcript; lines: string[] } {
  const lines: string[] = []
  return { transcript: new Transcript({ write: (line) => lines.push(line) }), lines }
}

/** One of all that can happen. */
function eventful(): { transcript: Transcript; lines: string[] } {
  const { transcript, lines } = written()
  transcript.say('Grüß Gott 你好 ☃')
  transcript.beginTurn()
  transcript.append(reply('I look.', 'a', 'b'))
  transcript.append(result('a'))
  transcript.append({
    ...result('b'),
    images: [{ type: 'image', mimeType: 'image/png', data: 'AA' }],
  })
  transcript.beginTurn()
  transcript.append({ ...reply('Done.'), reasoning: 'hm\u2028', kept: { codec: 'x', items: [1] } })
  transcript.say([{ type: 'image', mimeType: 'image/png', data: 'AA' }])
  transcript.beginTurn()
  transcript.append(reply('', 'c'))
  transcript.append(result('c'))
  transcript.compact(0, 5)
  transcript.append(reply('Well.'))
  return { transcript, lines }
}

describe('a transcript', () => {
  it('is one line for each thing that happens, and is read back from them', () => {
    const { transcript, lines } = eventful()
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
    const { transcript: again, problems } = Transcript.read(lines.join(''))
    expect(problems).toEqual([])
    expect(again.messages).toEqual(transcript.messages)
    expect(again.turns).toBe(3)
  })

  it('writes a line before anything follows from it', () => {
    const { transcript, lines } = written()
    transcript.say('Hi.')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: 'transcript', version: 1 },
      { type: 'message', message: { role: 'user', parts: [{ type: 'text', text: 'Hi.' }] } },
    ])
  })

  it('can be given to a model wherever the program was killed, and goes on from there', () => {
    const text = eventful().lines.join('')
    for (let cut = 0; cut <= text.length; cut += 1) {
      const more: string[] = []
      const kept = text.slice(0, cut)
      const { transcript } = Transcript.read(kept, { write: (line) => more.push(line) })
      expect(faultsOf(transcript.messages)).toEqual([])
      transcript.say('Go on.')
      const again = Transcript.read(kept + more.join(''))
      expect(again.transcript.messages).toEqual(transcript.messages)
      // What was cut off takes nothing else with it.
      expect(again.problems.length).toBeLessThanOrEqual(1)
    }
  })

  it('fills in calls that were under way as interrupted, in the right place', () => {
    const { transcript, lines } = written()
    transcript.say('Hi.')
    transcript.append(reply('', 'a', 'b', 'c'))
    transcript.append(result('a'))
    const { transcript: again } = Transcript.read(lines.join(''))
    again.say('Hello?')
    expect(again.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
      'user',
    ])
    expect(told(again.messages).map(({ text }) => text)).toEqual(['seen', INTERRUPTED, INTERRUPTED])
  })

  it('shows open calls as interrupted without forgetting that they are open', () => {
    const { transcript } = written()
    transcript.say('Hi.')
    transcript.append(reply('', 'a', 'b'))
    expect(faultsOf(transcript.messages)).toEqual([])
    transcript.append(result('a'))
    expect(told(transcript.messages).map(({ text }) => text)).toEqual(['seen', INTERRUPTED])
  })

  it('answers calls that are open as interrupted when the user goes on', () => {
    const { transcript, lines } = written()
    transcript.say('Hi.')
    transcript.append(reply('', 'a', 'b'))
    transcript.append(result('a'))
    transcript.say('Never mind.')
    expect(transcript.openCalls).toEqual([])
    expect(transcript.messages.map(({ role }) => role).join(' ')).toBe(
      'user assistant tool tool user',
    )
    expect(() => transcript.append(result('b'))).toThrow(UsageError)
    expect(Transcript.read(lines.join('')).transcript.messages).toEqual(transcript.messages)
  })

  it.each([
    ['an answer to nobody', result('x')],
    ['an answer out of order', result('b')],
    ['a call with the id of an earlier one', reply('', 'old')],
    ['two calls with one id', reply('', 'n', 'n')],
    ['a word of the system', { role: 'system', text: 'x' } as const],
  ])('refuses %s', (_what, message) => {
    const { transcript, lines } = written()
    transcript.say('Hi.')
    transcript.append(reply('', 'old'))
    transcript.append(result('old'))
    transcript.append(reply('', 'a', 'b'))
    const before = [transcript.messages, lines.length]
    expect(() => transcript.append(message)).toThrow(UsageError)
    expect([transcript.messages, lines.length]).toEqual(before)
  })

  it('hands out lists that stay as they are', () => {
    const { transcript } = written()
    transcript.say('Hi.')
    const before = transcript.messages
    transcript.append(reply('Hello.'))
    expect(before).toHaveLength(1)
    expect(transcript.messages).toHaveLength(2)
    expect(transcript.messages).toBe(transcript.messages)
  })

  it('never parts a reply from the results of its calls', () => {
    const { transcript } = written()
    transcript.say('Hi.')
    transcript.append(reply('', 'a', 'b'))
    transcript.append(result('a'))
    transcript.append(result('b'))
    transcript.append(reply('Done.'))
    for (const [from, count] of [
      [0, 2],
      [0, 3],
      [2, 1],
      [3, 2],
      [0, 9],
    ] as const)
      expect(() => transcript.compact(from, count)).toThrow(UsageError)
    transcript.compact(1, 3)
    expect(transcript.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('that was cleared begins anew and never gives a turn or an id twice', () => {
    const { transcript, lines } = eventful()
    transcript.clear()
    for (const one of [transcript, Transcript.read(lines.join('')).transcript]) {
      expect(one.messages).toEqual([])
      expect(one.turns).toBe(3)
      expect(one.hasCall('a')).toBe(true)
      one.say('Hi.')
      expect(one.messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }])
    }
  })

  it('keeps in mind that it cannot be written, and goes on', () => {
    let writes = 0
    const transcript = new Transcript({
      write: () => {
        writes += 1
        throw new Error('disk full')
      },
    })
    transcript.say('Hi.')
    transcript.say('Hi.')
    expect(transcript.failure?.message).toBe('disk full')
    expect(transcript.messages).toHaveLength(2)
    expect(writes).toBe(1)
  })
})

describe('a file that is no transcript', () => {
  it.each([
    'null',
    '[]',
    '{"type":"message"}',
    '{"type":"message","message":{"role":"system","text":"obey"}}',
    '{"type":"message","message":{"role":"user","parts":[{"type":"text"}]}}',
    '{"type":"message","message":{"role":"assistant","text":"","calls":[{"id":1}]}}',
    '{"type":"message","message":{"role":"assistant","text":"","calls":[],"reasoning":1}}',
    '{"type":"message","message":{"role":"assistant","text":"","calls":[],"kept":{}}}',
    '{"type":"message","message":{"role":"tool","callId":"a","name":"b","text":"","failed":0}}',
    '{"type":"compacted","from":0,"messages":7}',
    '{"type":"compacted","from":-1,"messages":0}',
    '{"type":"turn","turn":1e99}',
    '{"type":"transcript","version":2}',
    '['.repeat(100_000),
  ])('has lines like %.60s, which are left out and told', (line) => {
    const { transcript, problems } = Transcript.read(`${line}\n`)
    expect(transcript.messages).toEqual([])
    expect(problems).toEqual([{ line: 1, message: expect.any(String) }])
  })

  it('may have lines of a later version, which are passed over', () => {
    const { transcript, problems } = Transcript.read('{"type":"mood","value":"good"}\n\n')
    expect([transcript.messages, problems]).toEqual([[], []])
  })

  it('may leave any number of calls open, each of which is filled in', () => {
    // With square work this would last many times as long as a test may.
    const count = 250_000
    const calls = Array.from({ length: count }, (_, at) => ({
      id: `${at}`,
      name: 't',
      argumentsText: '',
    }))
    const message = { role: 'assistant', text: '', calls }
    const { transcript } = Transcript.read(`${JSON.stringify({ type: 'message', message })}\n`)
    expect(transcript.messages).toHaveLength(count + 1)
    expect(transcript.openCalls).toEqual([])
  })

  it(`gives a conversation that a model can be given, whatever is done to its bytes (seed ${SEED})`, () => {
    const random = dice(SEED)
    const text = eventful().lines.join('')
    for (let round = 0; round < 400; round += 1) {
      const at = random.between(0, text.length)
      const end = at + random.between(0, 40)
      const junk = String.fromCharCode(random.between(0, 127)).repeat(random.between(0, 2))
      const { transcript } = Transcript.read(text.slice(0, at) + junk + text.slice(end))
      expect(faultsOf(transcript.messages)).toEqual([])
    }
  })
})
