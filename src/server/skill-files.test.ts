import { describe, expect, it } from 'vitest'
import { UsageError } from '../base/errors.ts'
import { layOut, type SkillOptions } from './skill-files.ts'

const head = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\nBody of ${name}.\n`
const skill = (path: string, files: SkillOptions['files'] = {}): SkillOptions => ({
  path,
  files: { 'SKILL.md': head(path.slice(path.lastIndexOf('/') + 1)), ...files },
})

describe('the layout of skills', () => {
  it('has the address, the digest and the size of each file [SKILL-09]', async () => {
    const { skills } = await layOut([skill('acme/refunds', { 'a/b c.txt': 'abc' })])
    expect(skills[0]?.entry).toMatchObject({
      uri: 'skill://acme/refunds/SKILL.md',
      resources: [
        {
          uri: 'skill://acme/refunds/SKILL.md',
          size: new TextEncoder().encode(head('refunds')).length,
        },
        {
          uri: 'skill://acme/refunds/a/b%20c.txt',
          // SHA-256 of "abc", as FIPS 180-2 gives it.
          digest: 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
          size: 3,
        },
      ],
    })
  })

  it('counts bytes of text as UTF-8', async () => {
    const { files } = await layOut([skill('a', { 'x.txt': 'ä€😀' })])
    expect(files.get('skill://a/x.txt')?.size).toBe(9)
  })

  it('takes all of the front matter into the entry [SKILL-08]', async () => {
    const text = head('a', 'license: MIT\nmetadata:\n  version: "2"\n')
    const { skills } = await layOut([skill('a', { 'SKILL.md': text })])
    expect(skills[0]?.entry.frontmatter).toEqual({
      name: 'a',
      description: 'About a',
      license: 'MIT',
      metadata: { version: '2' },
    })
  })

  it('reads a SKILL.md that is given as bytes', async () => {
    const bytes = new TextEncoder().encode(head('a'))
    const { skills, files } = await layOut([skill('a', { 'SKILL.md': bytes })])
    expect(skills[0]?.entry.frontmatter.name).toBe('a')
    expect(files.get('skill://a/SKILL.md')?.content).toBe(head('a'))
  })

  it.each([
    ['x.md', 'a', 'text/markdown'],
    ['x.PNG', new Uint8Array([1]), 'image/png'],
    ['x', 'a', 'text/plain'],
    ['x.unknown', new Uint8Array([1]), 'application/octet-stream'],
    ['x.md', { content: 'a', mimeType: 'text/x-own' }, 'text/x-own'],
  ])('knows the type of %s', async (name, content, mimeType) => {
    const { files } = await layOut([skill('a', { [name]: content })])
    expect(files.get(`skill://a/${name}`)?.mimeType).toBe(mimeType)
  })

  it('counts the files of a skill inside of another one as files of both [SKILL-09]', async () => {
    const { skills } = await layOut([
      skill('pdf', { 'a.md': 'a' }),
      skill('pdf/forms', { 'b.md': 'b' }),
    ])
    const uris = skills.map(({ entry }) =>
      entry.resources === 'dynamic' ? [] : entry.resources.map(({ uri }) => uri),
    )
    expect(uris).toEqual([
      [
        'skill://pdf/SKILL.md',
        'skill://pdf/a.md',
        'skill://pdf/forms/SKILL.md',
        'skill://pdf/forms/b.md',
      ],
      ['skill://pdf/forms/SKILL.md', 'skill://pdf/forms/b.md'],
    ])
  })

  it('takes a SKILL.md of a folder that is no skill for plain text [SKILL-21]', async () => {
    const { skills, files } = await layOut([skill('pdf', { 'forms/SKILL.md': 'No front matter.' })])
    expect(skills).toHaveLength(1)
    expect(files.get('skill://pdf/forms/SKILL.md')?.frontmatter).toBeUndefined()
  })

  it.each<[string, SkillOptions[], string]>([
    ['without a SKILL.md', [{ path: 'a', files: { 'b.md': 'b' } }], 'has no SKILL.md'],
    ['without front matter', [skill('a', { 'SKILL.md': 'Body' })], 'does not begin with any'],
    ['with another name', [skill('a', { 'SKILL.md': head('b') })], 'that of its folder'],
    ['without a description', [skill('a', { 'SKILL.md': '---\nname: a\n---\n' })], 'a description'],
    ['with a name of large letters', [skill('Refunds')], 'cannot be at "Refunds"'],
    ['at a path that climbs', [skill('../a')], 'cannot be at'],
    ['at a path with an empty part', [skill('acme//a')], 'cannot be at'],
    ['at a path that needs encoding', [skill('ac me/a')], 'cannot be at'],
    ['with a file that climbs', [skill('a', { '../b': 'b' })], 'has a file at "../b"'],
    ['with an absolute file', [skill('a', { '/b': 'b' })], 'has a file at "/b"'],
    ['with a file for Windows', [skill('a', { 'b\\c': 'b' })], 'has a file at'],
    ['with a file and a folder of one name', [skill('a', { b: 'b', 'b/c': 'c' })], 'at once'],
    ['twice', [skill('a'), skill('a')], 'two skills at a'],
    ['with text that is no text', [skill('a', { b: '\uD800' })], 'UTF-8 cannot carry'],
    [
      'whose SKILL.md is not UTF-8',
      [skill('a', { 'SKILL.md': new Uint8Array([255]) })],
      'not UTF-8',
    ],
    [
      'that differs from what the skill around it says',
      [skill('pdf', { 'forms/a.md': 'one' }), skill('pdf/forms', { 'a.md': 'two' })],
      'they differ',
    ],
  ])('refuses a skill %s [SKILL-05, SKILL-06]', async (_, skills, says) => {
    await expect(layOut(skills)).rejects.toThrow(UsageError)
    await expect(layOut(skills)).rejects.toThrow(says)
  })

  it('takes 512 files and no more [SKILL-10]', async () => {
    const files = (count: number): SkillOptions['files'] =>
      Object.fromEntries(Array.from({ length: count - 1 }, (_, at) => [`${at}.txt`, 'x']))
    await expect(layOut([skill('a', files(512))])).resolves.toMatchObject({ skills: { length: 1 } })
    await expect(layOut([skill('a', files(513))])).rejects.toThrow('has 513 files')
  })

  it('takes 16 MiB and no more [SKILL-10]', async () => {
    const room = 16 * 1024 * 1024 - head('a').length
    const big = (size: number): SkillOptions => skill('a', { 'big.bin': new Uint8Array(size) })
    await expect(layOut([big(room)])).resolves.toMatchObject({ skills: { length: 1 } })
    await expect(layOut([big(room + 1)])).rejects.toThrow('16777217 bytes')
  })
})
