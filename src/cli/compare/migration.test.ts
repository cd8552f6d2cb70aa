/** What is counted as lines does what it is counted for. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { migrations } from './migration.ts'
import { subjectOf } from './subject.ts'

const { tool } = subjectOf('calculator').definition
const made = migrations(tool)
// Below the project: what is written imports a package.
const folder = mkdtempSync(join('node_modules', '.cache', 'deep-pilot-migration-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(
  join(folder, 'calculator.mjs'),
  'export const calculator = ({ expr }) => `ran ${expr}`',
)

async function load(name: string, lines: readonly string[]): Promise<Record<string, unknown>> {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, lines.join('\n').replace('./calculator.ts', './calculator.mjs'))
  return import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<Record<string, unknown>>
}

describe('the lines for a second program', () => {
  it('are a definition and a dispatch for function calling', async () => {
    const { tools, dispatch } = await load('calling', made.functionCalling.lines)
    const call = { function: { name: 'calculator', arguments: '{"expr":"1+1"}' } }
    expect((dispatch as (one: unknown) => unknown)(call)).toBe('ran 1+1')
    expect(tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'calculator',
          description: tool.description,
          parameters: tool.inputSchema,
        },
      },
    ])
  })

  it('are a tool of the framework for a framework', async () => {
    const { calculator } = await load('framework', made.framework.lines)
    const { invoke } = calculator as { invoke: (input: unknown) => Promise<unknown> }
    expect(await invoke.call(calculator, { expr: '1+1' })).toBe('ran 1+1')
  })

  it('are an entry of a configuration over the protocol, and no code', () => {
    const text = `{"mcpServers":{${made.mcp.lines.join('\n')}}}`
    const { mcpServers } = JSON.parse(text) as { mcpServers: object }
    expect(mcpServers).toEqual({
      calculator: { command: 'deep-pilot', args: ['serve', 'calculator'] },
    })
    expect(made.mcp.code).toBe(false)
  })
})
