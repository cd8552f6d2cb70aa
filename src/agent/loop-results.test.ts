import { describe, expect, it } from 'vitest'
import { agentRoom, faultsOf, told } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd } from '../../test/support/agent-run.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import { Server } from '../server/server.ts'
import { defineTool } from '../tools/define.ts'
import { memoryPair } from '../transport/memory.ts'
import { memoryArtifacts } from './artifacts.ts'
import { readArtifactTool } from './artifact-tool.ts'

describe('a result of ten megabytes', () => {
  it('is shown in part, the model is told, and reads on in what was kept', async () => {
    const fs = toolServer(tool('dump'))
    const all = Array.from({ length: 200_000 }, (_, at) => `line ${at} ${'x'.repeat(40)}`).join(
      '\n',
    )
    fs.answer = () => ({ content: [{ type: 'text', text: all }] })
    const artifacts = memoryArtifacts()
    const room = await agentRoom({ fs }, [
      { calls: [{ name: 'fs__dump' }] },
      { calls: [{ name: 'read_artifact', args: { id: 'a1', offset: 5_000_000, limit: 2_000 } }] },
      'Done.',
    ])
    room.host.mount([readArtifactTool(artifacts)])
    const run = await runToEnd({ ...room.options, artifacts })
    const [dumped, read] = eventsOf(run, 'result')
    expect(dumped).toMatchObject({ bytes: all.length, artifact: 'a1', failed: false })
    expect(dumped?.shown.length).toBeLessThan(60_000)
    expect(dumped?.shown).toMatch(/of \d+ bytes shown/)
    expect(dumped?.raw?.content).toEqual([{ type: 'text', text: all }])
    expect(read?.shown).toContain('xxxx')
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })

  it('has its rest told as lost where nothing keeps it', async () => {
    const fs = toolServer(tool('dump'))
    fs.answer = () => ({ content: [{ type: 'text', text: 'x'.repeat(100_000) }] })
    const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__dump' }] }, 'Done.'])
    await runToEnd({ ...room.options, results: { maxBytes: 2_000 } })
    const [message] = told(room.transcript.messages)
    expect(message?.text.length).toBeLessThan(2_500)
    expect(message?.text).toContain('was not kept')
  })
})

describe('an image', () => {
  const image = {
    type: 'image',
    mimeType: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB',
  } as const

  it('goes to a model that takes images in results, and is told of to any other', async () => {
    for (const resultImages of [true, false]) {
      const fs = toolServer(tool('draw'))
      fs.answer = () => ({ content: [image] })
      const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__draw' }] }, 'Nice.'], {
        model: { traits: { resultImages } },
      })
      await runToEnd(room.options)
      const [message] = told(room.transcript.messages)
      expect(message?.images).toEqual(resultImages ? [image] : undefined)
      expect(message?.text).toContain('image/png')
    }
  })
})

describe('tools of one name', () => {
  it('are both called in one turn, each where it belongs', async () => {
    const fs = toolServer(tool('read_file'))
    fs.answer = () => ({ content: [{ type: 'text', text: 'theirs' }] })
    const room = await agentRoom({ fs }, [
      { calls: [{ name: 'read_file' }, { name: 'fs__read_file' }] },
      'Done.',
    ])
    room.host.mount([defineTool({ name: 'read_file', run: () => 'ours' })])
    const run = await runToEnd(room.options)
    expect(told(room.transcript.messages).map(({ text }) => text)).toEqual(['ours', 'theirs'])
    expect(eventsOf(run, 'call').map(({ call }) => call.server)).toEqual([undefined, 'fs'])
  })
})

describe('progress of a call', () => {
  it('is told while it runs', async () => {
    const [near, far] = memoryPair()
    const slow = defineTool({
      name: 'slow',
      run: (_args, { progress }) => {
        progress({ progress: 1, total: 2, message: 'half' })
        return 'done'
      },
    })
    const served = new Server({ name: 's', version: '1', tools: [slow] }).accept(far)
    const room = await agentRoom({ s: near }, [{ calls: [{ name: 's__slow' }] }, 'Done.'])
    const run = await runToEnd(room.options)
    expect(eventsOf(run, 'progress')).toMatchObject([
      { call: { id: 't1c1' }, progress: { progress: 1, total: 2, message: 'half' } },
    ])
    const types = run.events.map(({ type }) => type)
    expect(types.indexOf('progress')).toBeLessThan(types.indexOf('result'))
    await room.host.close()
    await served
  })
})

describe('a model that is held to schemas', () => {
  it('writes null for what is left out, and the tool never sees it', async () => {
    const fs = toolServer(
      tool('read', {
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string' }, limit: { type: 'integer' } },
          required: ['path'],
          additionalProperties: false,
        },
      }),
    )
    const room = await agentRoom(
      { fs },
      [{ calls: [{ name: 'fs__read', args: { path: '/a', limit: null } }] }, 'Done.'],
      { model: { dialect: 'openai' } },
    )
    await runToEnd({ ...room.options, strict: 'auto' })
    expect(room.model.requests[0]?.tools[0]).toMatchObject({ strict: true })
    expect(fs.calls).toEqual([{ name: 'read', arguments: { path: '/a' } }])
  })

  it('is told that null does not fit where it is not held to them', async () => {
    const fs = toolServer(
      tool('read', { inputSchema: { type: 'object', properties: { limit: { type: 'integer' } } } }),
    )
    const room = await agentRoom(
      { fs },
      [{ calls: [{ name: 'fs__read', args: { limit: null } }] }, 'Done.'],
      { model: { dialect: 'openai' } },
    )
    await runToEnd(room.options)
    expect(fs.calls).toEqual([])
    expect(told(room.transcript.messages)[0]?.text).toContain('/limit')
  })
})

describe('a tool that cannot be offered', () => {
  it('is told of once, and the others are offered', async () => {
    const fs = toolServer(
      tool('good'),
      tool('bad', { inputSchema: { type: 'object', $ref: 'http://169.254.169.254/' } }),
    )
    const room = await agentRoom({ fs }, [{ calls: [{ name: 'fs__good' }] }, 'Done.'], {
      model: { dialect: 'openai', traits: { maxTools: 1 } },
    })
    const run = await runToEnd({ ...room.options, discovery: 'off' })
    expect(room.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['fs__good'])
    expect(eventsOf(run, 'warning').map(({ kind }) => kind)).toEqual(['left-out'])
  })
})
