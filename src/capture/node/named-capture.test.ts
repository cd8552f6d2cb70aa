import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../base/errors.ts'
import { recorder } from '../recorder.ts'
import type { CaptureItem } from '../reader.ts'
import { readNamedCapture } from './named-capture.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deep-pilot-named-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

async function read(path: string): Promise<readonly CaptureItem[]> {
  const items: CaptureItem[] = []
  for await (const item of readNamedCapture(path)) items.push(item)
  return items
}

/** The header and one record. */
function captureText(): string {
  let text = ''
  const sink = recorder((line) => void (text += line))
  sink({ type: 'open', seq: 0, connection: 'c1', transport: 'x', at: 0, wall: 0 })
  return text
}

describe('a file that is no capture', () => {
  it.each([
    ['text', 'hello\nworld\n', 'no-capture'],
    ['other JSON', '{"a":1}\n', 'no-capture'],
    ['text without a line end', '{"a":1', 'no-capture'],
    ['bytes', Uint8Array.of(0, 1, 255, 254), 'no-capture'],
    ['a text of many lines', 'y\n'.repeat(100_000), 'no-capture'],
    ['nothing', '', 'empty'],
    ['blank lines', '\n\n', 'empty'],
  ])('is refused with one error: %s', async (name, content, why) => {
    const path = await put(name, content)
    const failure = await read(path).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UsageError)
    expect(failure).toMatchObject({ detail: { kind: 'capture-unreadable', path, why } })
  })

  it('and is not there, or a folder, is told as that', async () => {
    const path = join(folder, 'folder')
    await mkdir(path)
    await expect(read(path)).rejects.toMatchObject({ detail: { why: 'folder' } })
    await expect(read(join(folder, 'none'))).rejects.toMatchObject({
      message: expect.stringMatching(/^Cannot read the capture ".*": it is not there\./),
      detail: { why: 'missing' },
    })
  })
})

describe('a damaged capture', () => {
  it.each([
    ['without its header', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['of which every line was changed', (text: string) => text.replaceAll('"x"', '"y"')],
    ['with something before it', (text: string) => `hello\n${text}`],
  ])('is read as far as it goes: %s', async (name, damage) => {
    const items = await read(await put(name, damage(captureText())))
    expect(items.some(({ kind }) => kind === 'damage')).toBe(true)
  })
})
