/** What an author's code is told of the request that it answers. */

import { describe, expect, it } from 'vitest'
import type { RequestContext } from '../../src/tools/context.ts'
import { defineTool } from '../../src/tools/define.ts'
import { definePrompt } from '../../src/tools/prompt.ts'
import { defineTemplate } from '../../src/tools/template.ts'
import { LEGACY, MODERN, pairUp } from '../support/pair.ts'

const TRACE = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=1',
  baggage: 'user=7',
}

/** A tool, a prompt and a template whose code remembers its context. */
function remembering() {
  const seen: RequestContext[] = []
  const remember = (context: RequestContext): string => {
    seen.push(context)
    return 'x'
  }
  return {
    seen,
    tools: [defineTool({ name: 'a', run: (_args, context) => remember(context) })],
    prompts: [definePrompt({ name: 'a', get: (_args, context) => remember(context) })],
    templates: [
      defineTemplate({
        uriTemplate: 'x://{a}',
        name: 'a',
        read: (_uri, _variables, context) => remember(context),
      }),
    ],
  }
}

describe.each([...LEGACY, ...MODERN])('the context at %s', (revision) => {
  it('is the same for tools, prompts and resources: who asks, the trace, own metadata [META-13, META-09]', async () => {
    const { seen, ...offered } = remembering()
    const { client } = await pairUp(revision, offered, { name: 'asker', version: '7' })
    const _meta = { ...TRACE, 'example.org/own': { a: 1 }, 'io.modelcontextprotocol/odd': 1 }
    await client.request('tools/call', { name: 'a', arguments: {}, _meta })
    await client.request('prompts/get', { name: 'a', _meta })
    await client.request('resources/read', { uri: 'x://1', _meta })
    expect(seen).toHaveLength(3)
    for (const context of seen) {
      expect(context.client).toMatchObject({ revision, info: { name: 'asker', version: '7' } })
      expect(context.trace).toEqual(TRACE)
      expect({ ...context.meta }).toEqual({ 'example.org/own': { a: 1 } })
      expect(context.auth).toBeUndefined()
      expect(context.signal.aborted).toBe(false)
      expect(context.closeStream(10)).toBe(false)
    }
  })

  it('has no trace that has not the form of one [META-13]', async () => {
    const { seen, ...offered } = remembering()
    const { client } = await pairUp(revision, offered)
    const metas = [
      undefined,
      { traceparent: 'x', tracestate: 'a=1' },
      { traceparent: 7, baggage: ['a=1'] },
      { tracestate: 'a=1' },
      { traceparent: TRACE.traceparent.replace('0af', '0AF') },
      { baggage: 'a=1\r\nX: y' },
    ]
    for (const _meta of metas)
      await client.request('tools/call', {
        name: 'a',
        arguments: {},
        ...(_meta === undefined ? {} : { _meta }),
      })
    expect(seen.map(({ trace }) => trace)).toEqual(metas.map(() => undefined))
  })

  it('may be taken apart where it is handed over', async () => {
    const taking = defineTool({
      name: 'a',
      run(_args, { progress, log, ask, closeStream, becomeTask, signal }) {
        progress({ progress: 1 })
        log('info', 'x')
        return [typeof ask, closeStream(10), becomeTask(), signal.aborted].join()
      },
    })
    const { client } = await pairUp(revision, { tools: [taking] })
    const steps: number[] = []
    const result = await client.callTool('a', undefined, {
      onProgress: ({ progress }) => steps.push(progress),
    })
    expect(result.content).toEqual([{ type: 'text', text: 'function,false,false,false' }])
    expect(steps).toEqual([1])
  })
})
