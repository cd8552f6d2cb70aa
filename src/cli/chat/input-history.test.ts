import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/log.ts'
import { InputHistory } from './input-history.ts'
import { MAX_HISTORY } from './line-editor.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'deep-pilot-history-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const opened = (): InputHistory =>
  new InputHistory(join(folder, 'home', 'history.jsonl'), silentLogger)

describe('what was written before', () => {
  it('is there again, several lines among it', async () => {
    const history = opened()
    expect(await history.read()).toEqual([])
    await history.add('one')
    await history.add('two\nlines 天气')
    expect(await opened().read()).toEqual(['one', 'two\nlines 天气'])
  })

  it.skipIf(process.platform === 'win32')('is for the user alone', async () => {
    await opened().add('one')
    expect(statSync(join(folder, 'home', 'history.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('is no more than so many', async () => {
    const path = join(folder, 'history.jsonl')
    const lines = Array.from({ length: MAX_HISTORY + 50 }, (_, at) => JSON.stringify(`n${at}`))
    writeFileSync(path, `${lines.join('\n')}\n`)
    const entries = await new InputHistory(path, silentLogger).read()
    expect([entries.length, entries[0]]).toEqual([MAX_HISTORY, 'n50'])
  })

  it('leaves out what is broken', async () => {
    const path = join(folder, 'history.jsonl')
    writeFileSync(path, '"one"\n{"no":1}\nnot json\n"two"\n"half')
    expect(await new InputHistory(path, silentLogger).read()).toEqual(['one', 'two'])
  })

  it('keeps its file below a limit', async () => {
    const path = join(folder, 'history.jsonl')
    const history = new InputHistory(path, silentLogger)
    await history.read()
    for (let count = 0; count < 100; count += 1) await history.add(`${count} ${'x'.repeat(15_000)}`)
    expect(statSync(path).size).toBeLessThan(1024 * 1024)
    expect(readFileSync(path, 'utf8')).toContain('"99 x')
  })

  it('is no failure where it cannot be kept', async () => {
    writeFileSync(join(folder, 'home'), 'a file where the folder should be')
    const history = opened()
    expect(await history.read()).toEqual([])
    await history.add('one')
    expect(readFileSync(join(folder, 'home'), 'utf8')).toContain('a file')
  })
})
