import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../base/errors.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { dialectFor } from '../dialects/index.ts'
import { extend, missingExtension } from '../extension.ts'
import { REVISIONS } from '../revision.ts'
import { isSkillName, readSkillEntry, SKILLS_EXTENSION, SKILLS_EXTENSION_ID } from './skills.ts'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const uri = 'skill://acme/refunds/SKILL.md'
const file = (name: string, more: JsonObject = {}): JsonObject => ({
  uri: `skill://acme/refunds/${name}`,
  digest,
  size: 3,
  ...more,
})
const entry = (more: JsonObject = {}): JsonObject => ({
  uri,
  frontmatter: { name: 'refunds', description: 'Pays back', license: 'MIT' },
  resources: [file('SKILL.md'), file('examples/email.md')],
  ...more,
})
const read = (raw: JsonValue | undefined): unknown => readSkillEntry('skills/get', raw)

describe('an entry of a skill', () => {
  it('is read with all of its front matter', () => {
    expect(read(entry())).toEqual(entry())
  })

  it('may say that its files are not known beforehand', () => {
    expect(read(entry({ resources: 'dynamic' }))).toEqual(entry({ resources: 'dynamic' }))
  })

  it.each<[string, JsonValue | undefined]>([
    ['no object', 'skill://acme/refunds/SKILL.md'],
    ['no URI', entry({ uri: 1 })],
    ['a URI of another file', entry({ uri: 'skill://acme/refunds/README.md' })],
    ['no front matter', entry({ frontmatter: null })],
    ['no description', entry({ frontmatter: { name: 'refunds' } })],
    ['no resources', entry({ resources: null })],
    ['another word for resources', entry({ resources: 'later' })],
  ])('is refused with %s [SKILL-08]', (_, raw) => {
    expect(() => read(raw)).toThrow(ProtocolError)
  })

  it.each(['Refunds', 'acme', '', '-refunds', 're--funds', 'x'.repeat(65)])(
    'is refused with the name %j, which is not the end of its path [SKILL-06]',
    (name) => {
      expect(() => read(entry({ frontmatter: { name, description: 'Pays back' } }))).toThrow(
        'not the last part of its path',
      )
    },
  )

  it.each<[string, JsonObject[]]>([
    ['its SKILL.md', [file('a.md')]],
    ['each file once', [file('SKILL.md'), file('SKILL.md')]],
    ['digests', [file('SKILL.md', { digest: 'sha256:abc' })]],
    ['digests in small letters', [file('SKILL.md', { digest: digest.toUpperCase() })]],
    ['sizes', [file('SKILL.md', { size: -1 })]],
    ['whole sizes', [file('SKILL.md', { size: 1.5 })]],
    ['its own files only', [file('SKILL.md'), file('', { uri: 'skill://acme/other/a.md' })]],
    ['no way out', [file('SKILL.md'), file('../secrets/a.md')]],
    ['no way out in disguise', [file('SKILL.md'), file('%2E%2e/secrets/a.md')]],
    ['no way out for Windows', [file('SKILL.md'), file('..\\secrets\\a.md')]],
    ['no queries', [file('SKILL.md'), file('a.md?b')]],
  ])('must list %s [SKILL-09]', (_, resources) => {
    expect(() => read(entry({ resources }))).toThrow(ProtocolError)
  })
})

it('knows names of skills', () => {
  expect(['a', 'pdf-processing', '9', 'x'.repeat(64)].every(isSkillName)).toBe(true)
  expect(['', 'A', 'a_b', 'a-', '-a', 'a--b', 'a/b', 'ä', 'x'.repeat(65)].some(isSkillName)).toBe(
    false,
  )
})

it('adds its methods to every revision [EXT-05]', () => {
  for (const revision of REVISIONS) {
    const { methods } = extend(dialectFor(revision), [SKILLS_EXTENSION])
    expect([...SKILLS_EXTENSION.methods.keys()].every((name) => methods.has(name))).toBe(true)
  }
})

it('is declared by the server alone [SKILL-04]', () => {
  const rule = extend(dialectFor('2026-07-28'), [SKILLS_EXTENSION]).methods.get('skills/list')
  const server = { extensions: { [SKILLS_EXTENSION_ID]: {} } }
  expect(rule && missingExtension(rule, { client: {}, server })).toBeUndefined()
  expect(rule && missingExtension(rule, { client: server, server: {} })).toBe('server')
})
