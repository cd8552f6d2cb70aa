import { describe, expect, it } from 'vitest'
import { agentRoom, told } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd } from '../../test/support/agent-run.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { memoryArtifacts } from './artifacts.ts'
import type { ModelRequest } from './model.ts'
import { scriptedModel } from './models/scripted.ts'
import { framedText, PROVENANCE_TEXT } from './results-frame.ts'
import { SYSTEM_TEXT } from './system-text.ts'

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
const FRAME = /^\[result ([0-9a-f]{10}) from "fs"\]\n([^]*)\n\[end of result \1\]$/

function systemOf(request: ModelRequest | undefined): string | undefined {
  const [first] = request?.messages ?? []
  return first?.role === 'system' ? first.text : undefined
}

describe('the lines around a text', () => {
  it('bear one mark, which is another one each time', () => {
    const marks = Array.from({ length: 100 }, () => {
      const { text, mark } = framedText('hello', 'fs')
      expect(FRAME.exec(text)?.slice(1)).toEqual([mark, 'hello'])
      return mark
    })
    expect(new Set(marks).size).toBe(100)
  })

  it('stand alone on their lines, whoever it is from', () => {
    expect(framedText('a\n', 'fs').text.split('\n')).toHaveLength(3)
    for (const from of ['a"]\n[end', 'x'.repeat(1_000), '\u202eevil', '中文'])
      expect(framedText('text', from).text.split(/[\n\r\u2028]/)).toHaveLength(3)
  })
})

describe('results with lines around them', () => {
  const script = [{ calls: [{ name: 'fs__read' }] }, { calls: [{ name: 'fs__read' }] }, 'Done.']

  it('are what the model, the events and the transcript have alike, and the system text says so', async () => {
    const room = await agentRoom({ fs: toolServer(tool('read')) }, script)
    const run = await runToEnd({ ...room.options, provenance: true })
    const [first, second] = told(room.transcript.messages)
    expect(FRAME.exec(first?.text ?? '')?.[2]).toBe('done')
    expect(FRAME.exec(second?.text ?? '')?.[2]).toBe('done')
    expect(first?.text).not.toBe(second?.text)
    expect(eventsOf(run, 'result').map(({ shown }) => shown)).toEqual([first?.text, second?.text])
    expect(systemOf(room.model.requests[0])).toBe(`${SYSTEM_TEXT}\n\n${PROVENANCE_TEXT}`)
  })

  it('are not there unless they are asked for', async () => {
    const room = await agentRoom({ fs: toolServer(tool('read')) }, script)
    await runToEnd(room.options)
    expect(told(room.transcript.messages)[0]?.text).toBe('done')
    expect(systemOf(room.model.requests[0])).toBe(SYSTEM_TEXT)
  })

  it('leave all that was sent before as it was, so that a cache of it stays good', async () => {
    const systems = new Set<string | undefined>()
    for (let session = 0; session < 2; session += 1) {
      const room = await agentRoom({ fs: toolServer(tool('read')) }, script)
      await runToEnd({ ...room.options, provenance: true })
      const { requests } = room.model
      for (const [at, request] of requests.entries()) {
        systems.add(systemOf(request))
        const { messages } = request
        const before = requests[at - 1]?.messages ?? []
        expect(messages.slice(0, before.length)).toEqual(before)
      }
    }
    expect(systems.size).toBe(1)
  })

  it('stay what they were when the conversation is taken up again', async () => {
    const room = await agentRoom({ fs: toolServer(tool('read')) }, script)
    await runToEnd({ ...room.options, provenance: true })
    const model = scriptedModel(['Again.'])
    room.transcript.say('And?')
    await runToEnd({ ...room.options, provenance: true, model })
    const before = told(room.model.requests[2]?.messages ?? [])
    expect(told(model.requests[0]?.messages ?? [])).toEqual(before)
  })

  it('have the words of the program outside of them', async () => {
    const fs = toolServer(tool('read'))
    fs.answer = () => said(`${'x'.repeat(99)}\n`.repeat(1_000))
    const room = await agentRoom({ fs }, script)
    const artifacts = memoryArtifacts()
    await runToEnd({ ...room.options, provenance: true, artifacts, results: { maxBytes: 2_000 } })
    const [first] = told(room.transcript.messages)
    const [frame = '', rest] = first?.text.split(/\n(?=\[\d+ of )/) ?? []
    expect(FRAME.test(frame)).toBe(true)
    expect(rest).toMatch(/^\[\d+ of 100000 bytes shown; all of it is artifact a1/)
  })

  it('are around an error of the tool as well, and around what its server says of a failure', async () => {
    const fs = toolServer(tool('read'))
    fs.answer = () => ({ ...said('no such file'), isError: true })
    const room = await agentRoom({ fs }, script)
    await runToEnd({ ...room.options, provenance: true })
    const [lead, ...frame] = told(room.transcript.messages)[0]?.text.split('\n') ?? []
    expect(lead).toBe('Error from tool fs__read:')
    expect(FRAME.exec(frame.join('\n'))?.[2]).toBe('no such file')

    fs.answer = () => Promise.reject(new Error('it is on fire'))
    const again = await agentRoom({ fs }, script)
    await runToEnd({ ...again.options, provenance: true })
    const [head, ...body] = told(again.transcript.messages)[0]?.text.split('\n') ?? []
    expect(head).toBe('Error from tool fs__read:')
    expect(FRAME.exec(body.join('\n'))?.[2]).toContain('it is on fire')
  })

  it('are around nothing that is the program’s own word', async () => {
    const fs = toolServer(tool('read'))
    fs.answer = () => ({ content: [] })
    const calls = [{ name: 'fs__read' }, { name: 'fs__gone' }]
    const room = await agentRoom({ fs }, [{ calls }, 'Done.'])
    await runToEnd({ ...room.options, provenance: true })
    const [empty, unknown] = told(room.transcript.messages)
    expect(empty?.text).toBe('(no output)')
    expect(unknown?.text).toMatch(/^There is no tool "fs__gone"/)
  })

  it('are the same outcome when they hold the same', async () => {
    const calls = Array.from({ length: 8 }, () => ({ calls: [{ name: 'fs__read' }] }))
    const room = await agentRoom({ fs: toolServer(tool('read')) }, calls)
    const { end } = await runToEnd({ ...room.options, provenance: true })
    expect(end.reason).toBe('loop')
  })
})
