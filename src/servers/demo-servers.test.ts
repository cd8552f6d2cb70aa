/**
 * The demo servers as a client meets them, in both eras: over a wire in memory, through the project's own client.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { connect } from '../client/connect.ts'
import type { Client } from '../client/client.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import type { Server } from '../server/server.ts'
import { memoryPair } from '../transport/memory.ts'
import { calculatorServer, weatherServer } from './demo-servers.ts'

const VERSION = '1.2.3'

let leave: (() => Promise<unknown>) | undefined

afterEach(() => leave?.())

async function meet(server: Server, era: 'legacy' | 'modern'): Promise<Client> {
  const [near, far] = memoryPair()
  const served = server.accept(far)
  const client = await connect(near, { era })
  leave = async () => {
    await client.close()
    await served
  }
  return client
}

function textOf(result: CallToolResult): string {
  const [block] = result.content
  return block?.type === 'text' ? block.text : ''
}

describe.each(['legacy', 'modern'] as const)('in the %s era', (era) => {
  it('offers one calculator that answers 23*7 with 161', async () => {
    const client = await meet(calculatorServer({ version: VERSION }), era)
    expect(client.server.info).toMatchObject({ name: 'calculator', version: VERSION })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['calculator'])
    const result = await client.callTool('calculator', { expr: '23*7' })
    expect(textOf(result)).toBe('161')
    expect(result.structuredContent).toEqual({ value: 161 })
  })

  it('reports a failed calculation as a result, not as a protocol error [TOOL-14]', async () => {
    const client = await meet(calculatorServer({ version: VERSION }), era)
    const result = await client.callTool('calculator', { expr: '1/0' })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toBe('Division by zero at position 2.')
  })

  it('offers a weather sample without a network', async () => {
    const client = await meet(weatherServer({ version: VERSION, weather: { offline: true } }), era)
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['weather'])
    const result = await client.callTool('weather', { city: '北京' })
    expect(textOf(result)).toMatch(/^北京 今天晴，25℃（mock）/)
    expect(result.structuredContent).toMatchObject({ celsius: 25, sample: true })
  })

  it('leaves a missing city to the check of arguments', async () => {
    const client = await meet(weatherServer({ version: VERSION, weather: { offline: true } }), era)
    const { message } = await problem(client)
    expect(message).toMatch(/city/)
    expect(message).not.toContain('mock')
  })
})

/** What the server says of arguments without a city: client-side checks are passed by. */
async function problem(client: Client): Promise<{ message: string }> {
  try {
    const result = await client.request('tools/call', { name: 'weather', arguments: {} })
    const isError = result['isError'] === true
    return { message: isError ? JSON.stringify(result['content']) : 'no problem' }
  } catch (error) {
    return { message: error instanceof Error ? error.message : '' }
  }
}
