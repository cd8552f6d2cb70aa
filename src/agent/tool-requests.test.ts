import { expect, it } from 'vitest'
import { hostTool } from '../../test/support/host-tools.ts'
import type { JsonObject } from '../base/json.ts'
import { ToolDiscovery } from './find-tools.ts'
import { deepseekTraits } from './models/deepseek.ts'
import { PROVIDER_NAMES } from './provider-table.ts'
import { TOOL_FORMS, toolRequest, type ToolForm } from './tool-requests.ts'

const inputSchema: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const weather = hostTool('s__weather', { description: 'The weather.', inputSchema })
const [name, description] = ['s__weather', 'The weather.']
const chat = [{ type: 'function', function: { name, description, parameters: inputSchema } }]

/** As each API documents it. */
const WRITTEN: Readonly<Record<ToolForm, unknown>> = {
  deepseek: chat,
  'openai-chat': chat,
  openai: [{ type: 'function', name, description, parameters: inputSchema, strict: false }],
  anthropic: [
    { name, description, input_schema: inputSchema, cache_control: { type: 'ephemeral' } },
  ],
  gemini: [
    {
      functionDeclarations: [
        {
          name,
          description,
          parameters: {
            type: 'object',
            properties: { city: { type: 'string' } },
            required: ['city'],
          },
        },
      ],
    },
  ],
  openrouter: chat,
  ollama: chat,
  llamacpp: chat,
  vllm: chat,
  compatible: chat,
  plain: chat,
}

it.each(TOOL_FORMS)('writes a tool as %s takes it', (form) => {
  expect(toolRequest([weather], form).tools).toEqual(WRITTEN[form])
})

it('has a form for every provider', () => {
  expect(TOOL_FORMS).toEqual(expect.arrayContaining([...PROVIDER_NAMES]))
})

it('gives Gemini no parameters of a tool without any', () => {
  expect(toolRequest([hostTool('s__now')], 'gemini').tools).toEqual([
    { functionDeclarations: [{ name: 's__now' }] },
  ])
})

it('has no tools in a request where there are none', () => {
  for (const form of TOOL_FORMS) expect(toolRequest([], form).tools).toBeUndefined()
})

it('marks all functions as strict when that was asked for and loses nothing', () => {
  const { tools, strict, notStrict } = toolRequest([weather], 'openai-chat', { strict: true })
  expect(tools).toMatchObject([{ function: { strict: true } }])
  expect([strict, notStrict]).toEqual([true, []])
})

it('says because of which tools nothing is strict', () => {
  const map = { type: 'object', properties: { m: { type: 'object', additionalProperties: true } } }
  const { tools, strict, notStrict } = toolRequest(
    [weather, hostTool('s__map', { inputSchema: map })],
    'deepseek',
    { strict: true },
  )
  expect(tools).toHaveLength(2)
  expect(strict).toBe(false)
  expect(notStrict).toEqual([{ alias: 's__map', reason: expect.stringMatching(/./) }])
})

it('counts as a run does, which has a tool more of its own', () => {
  const tools = Array.from({ length: 40 }, (_, at) => hostTool(`s__t${at}`))
  const own = hostTool('read_artifact')
  expect(toolRequest(tools, 'deepseek').deferred).toBe(false)
  const { window, maxTools } = deepseekTraits('deepseek-flash')
  expect(new ToolDiscovery().offer([own, ...tools], { window, maxTools }).deferred).toBe(false)
})

it('says when a model would have to look for so many tools', () => {
  const tools = Array.from({ length: 41 }, (_, at) => hostTool(`s__t${at}`))
  expect(toolRequest(tools, 'openai').deferred).toBe(true)
  expect(toolRequest(tools.slice(1), 'openai').deferred).toBe(false)
})
