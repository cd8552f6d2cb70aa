import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readArgumentsOption } from './arguments-option.ts'
import { MAX_INPUT_BYTES } from './json-input.ts'
import { en } from './messages/en.ts'

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-args-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content)
  return `@${join(folder, name)}`
}
async function* input(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk, 'latin1')
}

describe('--args', () => {
  it('takes JSON, a file, or standard input', async () => {
    expect(await readArgumentsOption('{"a":1}', en.faults)).toEqual({ a: 1 })
    expect(await readArgumentsOption(file('a.json', '\ufeff{"城":"京"}'), en.faults)).toEqual({
      城: '京',
    })
    const bytes = Buffer.from('{"城":"京"}').toString('latin1')
    const split = input(bytes.slice(0, 3), bytes.slice(3))
    expect(await readArgumentsOption('-', en.faults, split)).toEqual({ 城: '京' })
  })

  it.each([
    ['[1]', '--args must be a JSON object such as {"name": "value"}, and is array.'],
    ['null', 'and is null.'],
    ['', '--args is no valid JSON: it is empty.'],
    [
      "{'a':1}",
      '--args is no valid JSON: line 1, column 2: "\'" stands where a name in double quotes',
    ],
    ['@', '--args @ needs the name of a file'],
    [`${'['.repeat(300)}${']'.repeat(300)}`, '--args nests deeper than 128 levels'],
  ])('refuses %j and says why', async (option, message) => {
    await expect(readArgumentsOption(option, en.faults)).rejects.toThrow(message)
  })

  it('says which file is missing, unreadable or no text', async () => {
    const missing = join(folder, 'missing.json')
    await expect(readArgumentsOption(`@${missing}`, en.faults)).rejects.toThrow(
      `There is no file "${missing}".`,
    )
    await expect(readArgumentsOption(`@${folder}`, en.faults)).rejects.toThrow(
      'cannot be read: EISDIR',
    )
    const latin = file('latin.json', Buffer.from('{"a":"\xe9"}', 'latin1'))
    await expect(readArgumentsOption(latin, en.faults)).rejects.toThrow('is not UTF-8 text')
  })

  it('names the empty standard input', async () => {
    await expect(readArgumentsOption('-', en.faults, input())).rejects.toThrow(
      'Standard input is no valid JSON: it is empty.',
    )
  })

  it('stops reading beyond the limit', async () => {
    let read = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      for (;;) {
        read += chunk.length
        yield chunk
      }
    }
    await expect(readArgumentsOption('-', en.faults, endless())).rejects.toThrow(
      'Standard input is larger than 32 MiB',
    )
    expect(read).toBeLessThanOrEqual(MAX_INPUT_BYTES + 1024 * 1024)
  })
})
