import { describe, expect, it } from 'vitest'
import type { FileFault } from '../base/error-detail.ts'
import { MAX_CONFIG_DEPTH } from './document.ts'
import { faultValues, fileFaultInWords } from './file-faults.ts'
import { parseConfig } from './parse.ts'

const read = (text: string, file: string): Promise<unknown> =>
  parseConfig(text, { file, scope: 'given', env: {} })

describe('a file that cannot be read as a whole', () => {
  it.each<[FileFault, string, string]>([
    ['needs-comma', 'f.json', '{"a": 1 "b": 2}'],
    ['bad-word', 'f.json', '{"a": nope}'],
    ['needs-brace', 'f.json', '{"a": 1'],
    ['bad-escape', 'f.json', '{"a": "C:\\dir"}'],
    ['no-object', 'f.json', '[1]'],
    ['too-deep', 'f.json', '['.repeat(MAX_CONFIG_DEPTH + 2)],
    ['bad-indent', 'f.yaml', 'a: [1, 2\n'],
    ['not-closed', 'f.yaml', 'a: "x'],
    ['tab-indent', 'f.yaml', 'a:\n\tb: 1\n'],
    ['no-toml', 'f.toml', 'a = = 1\n'],
  ])('says by a word what is wrong: %s', async (why, file, text) => {
    const words = { code: 'DP_CONFIG', detail: { kind: 'file-unusable', why } }
    await expect(read(text, file)).rejects.toMatchObject(words)
  })

  it('has the words of that fault in its message', async () => {
    const sentence = fileFaultInWords({ why: 'needs-comma' })
    await expect(read('{"a": 1 "b": 2}', 'f.json')).rejects.toThrow(
      `"f.json":1:9 cannot be used, because ${sentence}.`,
    )
  })

  it('says what was found in place of an object, and what an object looks like', async () => {
    await expect(read('[1]', 'f.json')).rejects.toThrow(
      'it must be an object such as {"mcpServers": {…}}, and is a list.',
    )
    expect(faultValues({ why: 'no-object', reason: 'a list' })).toMatchObject({ found: 'a list' })
  })

  it('becomes the values of a problem, for every language', () => {
    expect(faultValues({ why: 'too-large', limit: 7 })).toEqual({
      reason: 'it is larger than 7 bytes. Split it',
      fault: 'too-large',
      limit: 7,
    })
  })
})
