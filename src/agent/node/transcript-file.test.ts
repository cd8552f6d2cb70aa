import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UsageError } from '../../base/errors.ts'
import { openTranscriptFile } from './transcript-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcript-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

it('keeps a conversation for the next time', async () => {
  const path = join(folder, 'one', 'transcript.jsonl')
  const first = await openTranscriptFile(path)
  first.transcript.say('你好')
  first.close()
  const second = await openTranscriptFile(path)
  expect(second.problems).toEqual([])
  expect(second.transcript.messages).toEqual(first.transcript.messages)
  second.transcript.append({ role: 'assistant', text: 'Hi.', calls: [] })
  second.close()
  expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(3)
})

it('has each line in the file when it was said', async () => {
  const path = join(folder, 'transcript.jsonl')
  const file = await openTranscriptFile(path)
  file.transcript.say('Hi.')
  expect(await readFile(path, 'utf8')).toContain('"Hi."')
  file.close()
})

it('is for its owner alone', async () => {
  const path = join(folder, 'one', 'transcript.jsonl')
  const file = await openTranscriptFile(path)
  file.close()
  if (process.platform === 'win32') return
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'one'))).mode & 0o777).toBe(0o700)
})

it('goes on in a line of its own behind one that was cut off', async () => {
  const path = join(folder, 'transcript.jsonl')
  await writeFile(path, '{"type":"transcript","version":1}\n{"type":"mess')
  const first = await openTranscriptFile(path)
  expect(first.problems).toHaveLength(1)
  first.transcript.say('Hi.')
  first.close()
  const second = await openTranscriptFile(path)
  expect(second.transcript.messages).toEqual(first.transcript.messages)
  second.close()
})

it('does not follow a link, and reads no folder and nothing endless', async () => {
  const path = join(folder, 'transcript.jsonl')
  await symlink('/dev/zero', join(folder, 'link'))
  await expect(openTranscriptFile(join(folder, 'link'))).rejects.toThrow(/E[A-Z]+/)
  await expect(openTranscriptFile('/dev/null')).rejects.toThrow(UsageError)
  await expect(openTranscriptFile(folder)).rejects.toThrow(/E[A-Z]+/)
  await writeFile(path, 'x'.repeat(100))
  await expect(openTranscriptFile(path, { maxBytes: 99 })).rejects.toThrow(UsageError)
})

it('that was closed twice says that nothing is written any more', async () => {
  const file = await openTranscriptFile(join(folder, 'transcript.jsonl'))
  file.close()
  file.close()
  file.transcript.say('Hi.')
  expect(file.transcript.failure).toBeInstanceOf(UsageError)
})
