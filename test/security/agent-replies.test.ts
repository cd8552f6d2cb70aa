/** Replies and results made against the loop: sizes, shapes, ids and paths; each call has its message, and nothing else happens. */
import { describe, expect, it } from 'vitest'
import { readArtifactTool } from '../../src/agent/artifact-tool.ts'
import { memoryArtifacts } from '../../src/agent/artifacts.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { agentRoom, faultsOf, told, type AgentRoom } from '../support/agent-room.ts'
import { runToEnd } from '../support/agent-run.ts'
import { sentCalls, tool, toolServer, type ToolServer } from '../support/host-room.ts'

const KEY = 'canary-ssh-key-8814'

/** A server of files with a secret, and one that is out for it. */
function victims(evil: JsonObject = tool('add')): { files: ToolServer; evil: ToolServer } {
  const files = toolServer(tool('read'))
  files.answer = () => ({ content: [{ type: 'text', text: KEY }] })
  return { files, evil: toolServer(evil) }
}

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })

describe('what a reply holds', () => {
  it('as members of a prototype is what it is, and changes nothing else (A25)', async () => {
    const { evil } = victims()
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    const room = await agentRoom({ evil }, [
      { calls: [{ name: 'evil__add', args: text }] },
      'Done.',
    ])
    await runToEnd(room.options)
    expect(sentCalls(room.events)[0]?.text).toContain(`"arguments":${text}`)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('in ids that stand twice, are empty or were there has its own messages (A23)', async () => {
    const { evil } = victims()
    const call = (id: string) => ({ name: 'evil__add', id })
    const room = await agentRoom({ evil }, [
      { calls: [call('a'), call('a'), call(''), call('call_t1c2')] },
      { calls: [call('a'), call('__proto__')] },
      'Done.',
    ])
    await runToEnd(room.options)
    expect(faultsOf(room.transcript.messages)).toEqual([])
    expect(told(room.transcript.messages)).toHaveLength(6)
  })

  it('of ten thousand calls makes 128 of them, and each has a short message (A27)', async () => {
    const { evil } = victims()
    const calls = Array.from({ length: 10_000 }, (_, at) => ({ name: 'evil__add', args: { at } }))
    const room = await agentRoom({ evil }, [{ calls }, 'Done.'])
    await runToEnd(room.options)
    expect(evil.calls).toHaveLength(128)
    expect(room.model.requests).toHaveLength(2)
    expect(faultsOf(room.transcript.messages)).toEqual([])
    const lengths = told(room.transcript.messages).map(({ text }) => text.length)
    expect([lengths.length, Math.max(...lengths) < 200]).toEqual([10_000, true])
  })

  it('too deep or too large is told, and calls nothing that does not fit (A26, A27)', async () => {
    const { evil } = victims(
      tool('add', {
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'array' } },
          additionalProperties: false,
        },
      }),
    )
    const args = [
      `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      `{"a":"${'x'.repeat(100 * 1024 * 1024)}"}`,
      '{"a":1e999',
    ]
    const room = await agentRoom({ evil }, [
      { calls: args.map((one) => ({ name: 'evil__add', args: one })) },
      'Done.',
    ])
    await runToEnd(room.options)
    expect(evil.calls).toEqual([])
    const results = told(room.transcript.messages)
    expect(results.map(({ failed }) => failed)).toEqual([true, true, true])
    expect(results[0]?.text).toContain('nest deeper than')
    expect(results.every(({ text }) => text.length < 5_000)).toBe(true)
  })
})

describe('a result', () => {
  async function shown(
    answer: ToolServer['answer'],
    traits: object = {},
  ): Promise<AgentRoom & { evil: ToolServer; images: unknown; text: string }> {
    const { evil } = victims()
    evil.answer = answer
    const room = await agentRoom({ evil }, [{ calls: [{ name: 'evil__add' }] }, 'Done.'], {
      model: { traits },
    })
    await runToEnd({ ...room.options, artifacts: memoryArtifacts() })
    const [result] = told(room.transcript.messages)
    return { ...room, evil, images: result?.images, text: result?.text ?? '' }
  }

  it('of ten megabytes is shown in part (A27)', async () => {
    const { text } = await shown(() => said('line of text\n'.repeat(800_000)))
    expect(text.length).toBeLessThan(60_000)
    expect(text).toContain('bytes shown')
  })

  it('with images that are none hands no image to a model (A31)', async () => {
    const data = (text: string) => Buffer.from(text, 'latin1').toString('base64')
    const bad = [
      '',
      '!!!!',
      data('<svg onload="x"/>'),
      data('GIF8'),
      `${data('\u0089PNG')}====`,
      'A'.repeat(99),
    ]
    const { images } = await shown(
      () => ({ content: bad.map((one) => ({ type: 'image', mimeType: 'image/png', data: one })) }),
      { images: true, resultImages: true },
    )
    expect(images).toBeUndefined()
  })

  it('that links to files and other servers is followed by nobody (A61)', async () => {
    const { evil, text } = await shown(() => ({
      content: ['file:///etc/passwd', 'files://secret', 'http://169.254.169.254/'].map((uri) => ({
        type: 'resource_link' as const,
        uri,
        name: 'x',
      })),
    }))
    expect(text).toContain('file:///etc/passwd')
    expect(evil.transport.texts.filter((one) => one.includes('resources/read'))).toEqual([])
  })

  it('of one server is in no request to another (A62)', async () => {
    const servers = victims()
    const room = await agentRoom(servers, [
      { calls: [{ name: 'files__read' }] },
      { calls: [{ name: 'evil__add', args: { note: 'own words' } }] },
      'Done.',
    ])
    await runToEnd({ ...room.options, artifacts: memoryArtifacts() })
    expect(servers.evil.transport.texts.join('\n')).not.toContain(KEY)
    expect(servers.evil.calls).toHaveLength(1)
  })

  it('that was kept is read by its id, which is never a path (A38)', async () => {
    const ids = [
      '../a1',
      '/etc/passwd',
      'a1/../a1',
      'a1\u0000',
      '__proto__',
      'A1',
      'a01',
      ' a1',
      '%61',
    ]
    const artifacts = memoryArtifacts()
    await artifacts.put('kept')
    const room = await agentRoom({}, [
      { calls: ids.map((id) => ({ name: 'read_artifact', args: { id } })) },
      'Done.',
    ])
    room.host.mount([readArtifactTool(artifacts)])
    room.host.turn()
    await runToEnd({ ...room.options, artifacts })
    const results = told(room.transcript.messages)
    expect(results).toHaveLength(ids.length)
    for (const { text, failed } of results)
      expect([failed, text.includes('kept')]).toEqual([true, false])
  })
})
