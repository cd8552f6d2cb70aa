import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_FRONT_MATTER, readFrontMatter, type FrontMatter } from './front-matter.ts'

const read = (yaml: string): Promise<FrontMatter> => readFrontMatter(`---\n${yaml}\n---\nBody.\n`)
const values = (yaml: string): Promise<unknown> =>
  read(yaml).then((found) => (found.kind === 'read' ? found.values : found))

describe('front matter', () => {
  it('is read as JSON, whatever the author wrote into it', async () => {
    const yaml = [
      'name: pdf-processing',
      'description: "Extract: fill"',
      'metadata:',
      '  version: "1.0"',
      '  count: 3',
      'tags: [a, b]',
      'empty:',
      'day: 2026-07-28',
      'on: yes',
    ].join('\n')
    expect(await values(yaml)).toEqual({
      name: 'pdf-processing',
      description: 'Extract: fill',
      metadata: { version: '1.0', count: 3 },
      tags: ['a', 'b'],
      empty: null,
      day: '2026-07-28',
      on: 'yes',
    })
  })

  it.each([
    ['line ends of Windows', '---\r\nname: a\r\n---\r\nBody'],
    ['a byte order mark', '\uFEFF---\nname: a\n---\n'],
    ['blanks behind the hyphens', '--- \nname: a\n---\t\n'],
    ['no body', '---\nname: a\n---'],
  ])('is read with %s', async (_, text) => {
    expect(await readFrontMatter(text)).toEqual({ kind: 'read', values: { name: 'a' } })
  })

  it.each([
    '',
    'Body',
    '# Title\n---\nname: a\n---\n',
    ' ---\nname: a\n---\n',
    '----\na: b\n----\n',
  ])('is not there in %j', async (text) => {
    expect(await readFrontMatter(text)).toEqual({ kind: 'none' })
  })

  it.each([
    ['does not end', '---\nname: a\n'],
    ['is a list', '---\n- a\n---\n'],
    ['is empty', '---\n---\n'],
    ['is text', '---\nhello\n---\n'],
    ['is no YAML', '---\nname: [a\n---\n'],
    ['has a key twice', '---\nname: a\nname: b\n---\n'],
    ['has a list as a key', '---\n? [a]\n: b\n---\n'],
    ['has a tag that nobody knows', '---\nname: !run a\n---\n'],
    ['has a number that JSON does not have', '---\nname: .inf\n---\n'],
  ])('cannot be used when it %s', async (_, text) => {
    expect(await readFrontMatter(text)).toMatchObject({ kind: 'unusable' })
  })

  it('keeps hostile names as members of their own', async () => {
    const found = await values('__proto__:\n  polluted: true\nconstructor: x')
    expect(Object.keys(found as object)).toEqual(['__proto__', 'constructor'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('takes front matter of the longest length, and none that is longer', async () => {
    const line = (length: number): string => `a: ${'x'.repeat(length - 4)}`
    expect(await read(line(MAX_FRONT_MATTER))).toMatchObject({ kind: 'read' })
    expect(await read(line(MAX_FRONT_MATTER + 1))).toMatchObject({
      kind: 'unusable',
      because: expect.stringContaining('longer than 65536'),
    })
  })

  it('does not look for the end of front matter beyond its longest length', async () => {
    const text = `---\n${'a: b\n'.repeat(1_000_000)}---\n`
    expect(await readFrontMatter(text)).toMatchObject({ kind: 'unusable' })
  })

  it('does not unfold aliases that multiply', async () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (let level = 1; level < 9; level += 1) {
      const [before, here] = ['abcdefghi'[level - 1], 'abcdefghi'[level]]
      bomb.push(`${here}: &${here} [${Array<string>(9).fill(`*${before}`).join(',')}]`)
    }
    expect(await read(bomb.join('\n'))).toMatchObject({ kind: 'unusable' })
  })

  it('refuses more values, and deeper ones, than a person writes', async () => {
    expect(await read(`a: [${'1,'.repeat(10_001)}]`)).toMatchObject({ kind: 'unusable' })
    expect(await read(`a: ${'['.repeat(65)}${']'.repeat(65)}`)).toMatchObject({ kind: 'unusable' })
    expect(await read(`a: ${'['.repeat(30_000)}`)).toMatchObject({ kind: 'unusable' })
  })

  it('gives back every object of strings, numbers and lists that was written as YAML', async () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    const object = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(leaf, fc.array(leaf)))
    await fc.assert(
      // JSON is YAML, and one line of it holds no line of hyphens.
      fc.asyncProperty(object, async (value) => {
        fc.pre(Object.keys(value).length > 0)
        expect(await values(JSON.stringify(value))).toEqual({ ...value })
      }),
      { seed: 2640, numRuns: 200 },
    )
  })

  it('never throws, whatever the file holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        expect((await read(text)).kind).toMatch(/^(read|unusable)$/)
      }),
      { seed: 2641, numRuns: 300 },
    )
  })
})
