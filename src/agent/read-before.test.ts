import { describe, expect, it } from 'vitest'
import { Transcript } from './transcript.ts'

const KNOWN: ReadonlySet<string> = new Set(['mail__read', 'files__read', 'read_artifact'])

/** A conversation of these calls and whether they failed. */
function transcriptOf(...calls: readonly (readonly [string, boolean?, string?])[]): Transcript {
  const transcript = new Transcript()
  transcript.say('Read.')
  for (const [at, [name, failed = false, argumentsText = '{}']] of calls.entries()) {
    const id = `c${at}`
    transcript.append({ role: 'assistant', text: '', calls: [{ id, name, argumentsText }] })
    transcript.append({ role: 'tool', callId: id, name, text: 'x', failed })
  }
  transcript.say('And?')
  return transcript
}

describe('the tools that a conversation read', () => {
  it('are those that gave a result, each once, and what they failed with counts as well', () => {
    const transcript = transcriptOf(['mail__read'], ['mail__read'], ['files__read', true])
    expect(transcript.toolsRead(KNOWN)).toEqual(['mail__read', 'files__read'])
  })

  it('are those that are meant in a call through another tool, and no look into the list', () => {
    const transcript = transcriptOf(
      ['call_tool', false, '{"name":"mail__read"}'],
      ['search_tools'],
      ['get_tool'],
    )
    expect(transcript.toolsRead(KNOWN)).toEqual(['mail__read'])
  })

  it('are none that never were, but those of a server that is away', () => {
    const transcript = transcriptOf(['reed', true], ['mail__reed', true], ['web__get', true])
    expect(transcript.toolsRead(KNOWN)).toEqual(['web__get'])
  })

  it('are the servers whose resources were read, whatever came of it', () => {
    const read = (server: string) => JSON.stringify({ server, uri: 'note:///a' })
    const transcript = transcriptOf(
      ['read_resource', false, read('docs')],
      ['read_resource', true, read('mail')],
      ['call_tool', true, `{"name":"read_resource","arguments":${read('web')}}`],
      ['read_resource', true, '{"server":7}'],
      ['read_resource', true, '{"server":'],
    )
    expect(transcript.toolsRead(KNOWN)).toEqual([
      'docs__resources/read',
      'mail__resources/read',
      'web__resources/read',
      'read_resource',
    ])
  })

  it('are read when they are left out, and forgotten when all is cleared', () => {
    const transcript = transcriptOf(['mail__read'])
    transcript.compact(0, 3)
    expect(transcript.toolsRead(KNOWN)).toEqual(['mail__read'])
    transcript.clear()
    expect(transcript.toolsRead(KNOWN)).toEqual([])
  })

  it('are those that a call names, and without their calls what their results say', () => {
    const line = (message: object): string => `${JSON.stringify({ type: 'message', message })}\n`
    const call = { id: 'c1', name: 'mail__read', argumentsText: '{}' }
    const reply = line({ role: 'assistant', text: '', calls: [call] })
    const result = line({
      role: 'tool',
      callId: 'c1',
      name: 'search_tools',
      text: 'x',
      failed: false,
    })
    const read = (text: string) => Transcript.read(text).transcript.toolsRead(KNOWN)
    expect(read(reply + result)).toEqual(['mail__read'])
    expect(read(reply.slice(0, 40) + '\n' + result)).toEqual(['search_tools'])
    expect(read(reply)).toEqual(['mail__read'])
  })
})
