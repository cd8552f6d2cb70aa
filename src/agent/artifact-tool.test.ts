import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { runNative } from '../host/native.ts'
import { silentLogger } from '../base/log.ts'
import { projectSchema } from '../schema/project/project.ts'
import { readArtifactTool } from './artifact-tool.ts'
import { memoryArtifacts, type ArtifactStore } from './artifacts.ts'
import { shownResult } from './results.ts'

const LINES = Array.from(
  { length: 100_000 },
  (_, line) => `line ${String(line).padStart(5, '0')}\n`,
)
const TEXT_ONLY = { window: undefined, images: false, resultImages: false }

/** What the model is told when it calls the tool. */
async function read(
  store: ArtifactStore,
  args: JsonObject,
  limits: { readonly maxBytes?: number; readonly maxLines?: number } = {},
): Promise<string> {
  const tool = readArtifactTool(store, limits)
  const result = await runNative(tool, args, { logger: silentLogger })
  const shown = await shownResult(result, {
    alias: 'read_artifact',
    server: undefined,
    traits: TEXT_ONLY,
    limits,
  })
  expect(shown.truncated).toBe(false)
  return shown.text
}

async function storeOf(...contents: readonly (string | Uint8Array)[]): Promise<ArtifactStore> {
  const store = memoryArtifacts()
  for (const content of contents) await store.put(content)
  return store
}

describe('read_artifact', () => {
  it('reads a part and says where to read on', async () => {
    const store = await storeOf('abc\ndef\n')
    expect(await read(store, { id: 'a1', offset: 2, limit: 4 })).toBe(
      '[artifact a1, bytes 2 to 6 of 8; read on with {"id":"a1","offset":6}]\nc\nde',
    )
    expect(await read(store, { id: 'a1', offset: 6 })).toBe(
      '[artifact a1, bytes 6 to 8 of 8: its end]\nf\n',
    )
  })

  it('gives a large artifact whole, part after part, none of them cut again', async () => {
    const store = await storeOf(LINES.join(''))
    let text = ''
    let args: JsonObject | undefined = { id: 'a1' }
    while (args !== undefined) {
      const told: string = await read(store, args)
      const [lead = ''] = told.split('\n', 1)
      text += told.slice(lead.length + 1)
      const [, next] = /read on with (\{.*\})\]$/.exec(lead) ?? []
      args = next === undefined ? undefined : (JSON.parse(next) as JsonObject) // an object by the pattern
    }
    expect(text).toBe(LINES.join(''))
  })

  it('gives no more than a model is shown, whatever limit is asked for', async () => {
    const store = await storeOf('x'.repeat(1_000_000))
    const told = await read(store, { id: 'a1', limit: 1_000_000 }, { maxBytes: 1000 })
    expect(told.length).toBeGreaterThan(700)
    expect(told.length).toBeLessThanOrEqual(1000)
  })

  it('gives no more when what hides in it takes room', async () => {
    const store = await storeOf('\u200b'.repeat(10_000))
    const told = await read(store, { id: 'a1' }, { maxBytes: 2000 })
    expect(told).toContain('<U+200B>')
    expect(told.length).toBeLessThanOrEqual(2000)
  })

  it('gives no more lines than a model is shown', async () => {
    const store = await storeOf('\n'.repeat(10_000))
    const told = await read(store, { id: 'a1' }, { maxLines: 10 })
    expect(told).toBe(
      `[artifact a1, bytes 0 to 9 of 10000; read on with {"id":"a1","offset":9}]\n${'\n'.repeat(9)}`,
    )
  })

  it('finds the line that has a text', async () => {
    const store = await storeOf(LINES.join(''))
    expect(await read(store, { id: 'a1', find: '90210', limit: 11 })).toContain('\nline 90210\n')
    expect(await read(store, { id: 'a1', find: '00000', offset: 6 })).toBe(
      '[artifact a1 has no such text from byte 6 on]',
    )
  })

  it('finds a text that lies across two stretches of the search', async () => {
    const before = 256 * 1024 - 5
    const store = await storeOf(`${'x'.repeat(before)}中文 needle 中文 ${'y'.repeat(100)}`)
    const told = await read(store, { id: 'a1', find: '中文 needle 中文', limit: 30 })
    expect(told).toMatch(/^\[artifact a1, bytes 262139 to .*\n中文 needle 中文/)
  })

  it.each(['a2', '../a1', '__proto__', ''])(
    'says that there is no %j, and where ids stand',
    async (id) => {
      const store = await storeOf('text')
      expect(await read(store, { id })).toMatch(
        /^Error from tool read_artifact: There is no artifact/,
      )
    },
  )

  it('says what is no text', async () => {
    const store = await storeOf(new Uint8Array([1, 2]))
    expect(await read(store, { id: 'a1' })).toBe(
      'Error from tool read_artifact: Artifact a1 is no text but application/octet-stream of 2 B, which cannot be read with this tool.',
    )
    expect(await read(store, { id: 'a1', find: 'x' })).toContain('is no text')
  })

  it('stops looking when the call is given up', async () => {
    const store = await storeOf(LINES.join(''))
    const stop = new AbortController()
    const watched: ArtifactStore = {
      put: (content) => store.put(content),
      bytes: (id) => store.bytes(id),
      read: (id, offset, limit) => {
        stop.abort(new Error('given up'))
        return store.read(id, offset, limit)
      },
    }
    const call = runNative(
      readArtifactTool(watched),
      { id: 'a1', find: 'nowhere' },
      { logger: silentLogger, signal: stop.signal },
    )
    await expect(call).rejects.toThrow('given up')
  })

  it.each(['', 'x'.repeat(201)])(
    'looks for no text of a length that is of no use: %#',
    async (find) => {
      const store = await storeOf('text')
      expect(await read(store, { id: 'a1', find })).toContain('1 to 200 characters')
      expect(await read(store, { id: 'a1', find: 'x'.repeat(200) })).toContain('no such text')
    },
  )

  it.each(['deepseek', 'openai'] as const)('does not keep %s from strict tools', (dialect) => {
    const { input } = readArtifactTool(memoryArtifacts())
    const projected = projectSchema(input, dialect, { strict: true })
    expect(projected).toMatchObject({ projection: { strict: true } })
  })
})
