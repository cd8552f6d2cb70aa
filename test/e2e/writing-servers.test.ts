/** The two programs of the guide's page on writing servers, run as they stand, in the oldest and in the newest revision. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import { resultToText } from '../../src/tools/content.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { runNode } from '../support/npm.ts'

// Each starts a bundler and the program behind it, on machines that do other things as well.
const SLOW = 60_000

describe.each(['2024-11-05', '2026-07-28'] as const)('the notes, in %s', (revision) => {
  let client: Client
  beforeAll(async () => {
    const args = ['scripts/run.mjs', 'examples/notes-server.ts']
    const transport = stdio({ command: process.execPath, args })
    client = await connect(transport, { revisions: [revision] })
  }, SLOW)
  afterAll(() => client.close())

  it('give text, data and a link', async () => {
    expect(resultToText(await client.callTool('read_note', { name: 'shopping' }))).toBe(
      'Bread, tea.',
    )
    const counted = await client.callTool('count_notes')
    expect(JSON.parse(resultToText(counted))).toEqual({ notes: 1, characters: 11 })
    const written = await client.callTool('write_note', { name: 'a b', text: 'c' })
    expect(resultToText(written)).toContain('notes://note/a%20b')
    expect((await client.readResource('notes://note/a%20b')).contents).toMatchObject([
      { text: 'c' },
    ])
  })

  it('fail in words for a model', async () => {
    const failed = await client.callTool('read_note', { name: 'none' })
    expect(failed.isError).toBe(true)
    expect(resultToText(failed)).toMatch(/^No note is named none, but: shopping/)
  })

  it('refuse a resource that is not there', async () => {
    await expect(client.readResource('notes://note/none')).rejects.toThrow('not found')
  })

  it('have a prompt, and suggestions for its argument', async () => {
    const { messages } = await client.getPrompt('sum_up', { name: 'shopping' })
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }])
    const ref = { type: 'ref/prompt', name: 'sum_up' } as const
    expect((await client.complete(ref, { name: 'name', value: 'sho' })).values).toEqual([
      'shopping',
    ])
  })
})

describe('the long work', () => {
  it(
    'prints what the page says',
    () => {
      const page = readFileSync('docs/guide/en/writing-servers.md', 'utf8')
      const said = /^```text\n([^]*?)^```$/m.exec(page)?.[1]
      const printed = runNode('.', 'scripts/run.mjs', 'examples/long-work.ts')
      expect(printed).toBe(said)
    },
    SLOW,
  )
})
