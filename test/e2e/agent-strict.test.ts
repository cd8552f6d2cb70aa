/** `run --strict`: the tools as a provider gets them, and what of its nulls reaches a server, by the built program. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { AgentFolder } from '../support/agent-cli.ts'
import type { CliRun } from '../support/cli.ts'
import { limitFaults } from '../support/dialect-limits.ts'
import type { PlayedProvider, PlayedReply } from '../support/played-provider.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const object = { type: 'object' }
/** Every member of it can be said strictly; two of them may be left out. */
const forecast = {
  name: 'forecast',
  inputSchema: {
    ...object,
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      unit: { const: 'C' },
      note: { type: ['string', 'null'] },
    },
    required: ['city', 'note'],
    additionalProperties: false,
  },
}
/** Members by any name, which no strict schema has. */
const map = {
  name: 'map',
  inputSchema: { ...object, properties: { of: { ...object, additionalProperties: object } } },
}

let folder: AgentFolder
beforeEach(() => void (folder = new AgentFolder()))
afterEach(() => folder.end())

/** Below `/beta`, which is where DeepSeek heeds it. */
function strictly(provider: PlayedProvider, ...words: readonly string[]): Promise<CliRun> {
  const url = provider.url.replace(/\/v1$/, '/beta')
  const own = ['--config', 'config.json', '--base-url', url, '--strict']
  return folder.agent(['run', 'How will it be?', ...own, ...words])
}

function configure(...tools: readonly object[]): void {
  folder.configure({ web: folder.saying('web', { tools }) }, { policy: { allow: ['web'] } })
}

interface SentTool {
  readonly name: string
  readonly parameters: JsonObject
  readonly strict?: boolean
}

const sentTo = ({ requests }: PlayedProvider): readonly SentTool[] =>
  // What the program wrote; its form is what is looked at.
  (requests[0]?.tools ?? []).map((tool) => tool.function as unknown as SentTool)

const call = (args: object): PlayedReply => ({ calls: [{ name: 'web__forecast', args }] })

describe('run --strict', () => {
  it('sends every tool as strict, in a schema that the provider takes', async () => {
    configure(forecast)
    const provider = await folder.play({ text: 'Fine.' })
    const { stderr, code } = await strictly(provider)
    const tools = sentTo(provider)
    expect(tools.map(({ name }) => name)).toContain('web__forecast')
    expect(tools.length).toBeGreaterThan(1)
    for (const { name, strict, parameters } of tools) {
      const faults = limitFaults(parameters, 'deepseek', { strict: true })
      expect({ name, strict, faults }).toEqual({ name, strict: true, faults: [] })
    }
    expect(stderr).not.toContain('warning')
    expect(code).toBe(0)
  })

  it('gives the server no null for what was left out, and the nulls that it knows itself', async () => {
    configure(forecast)
    const provider = await folder.play(
      call({ city: 'Ulm', days: null, unit: null, note: null }),
      call({ city: 'Ulm', days: 3, unit: 'C', note: 'x' }),
      { text: 'Fine.' },
    )
    const { stdout } = await strictly(provider)
    // The server gives its arguments back.
    const given = provider.requests[2]?.messages.filter(({ role }) => role === 'tool') ?? []
    expect(given.map(({ content }) => content)).toEqual([
      expect.stringContaining('{"city":"Ulm","note":null}'),
      expect.stringContaining('{"city":"Ulm","days":3,"unit":"C","note":"x"}'),
    ])
    expect(stdout).toBe('Fine.\n')
  })

  it('sends none as strict over one tool that cannot be, and names it once', async () => {
    configure(forecast, map)
    const provider = await folder.play(call({ city: 'Ulm', note: null }), { text: 'Fine.' })
    const { stderr } = await strictly(provider)
    expect(sentTo(provider).filter(({ strict }) => strict !== undefined)).toEqual([])
    expect(stderr.match(/not sent as strict because of web__map\. /g)).toHaveLength(1)
    expect(stderr).toContain('At "/properties/of": An object without named members')
  })

  it('says so in Chinese', async () => {
    configure(map)
    const { stderr } = await strictly(await folder.play({ text: '好。' }), '--lang', 'zh')
    expect(stderr).toContain('因为工具 web__map，没有要求提供方强制模型遵守 schema')
  })

  it('asks for nothing strict unless it is given', async () => {
    configure(forecast)
    const provider = await folder.play({ text: 'Fine.' })
    await folder.agent(['run', 'How will it be?', '--config', 'config.json'])
    expect(sentTo(provider).filter(({ strict }) => strict !== undefined)).toEqual([])
  })
})
