/**
 * Skills from a server to a host, over one link, in both eras: what is declared, listed, fetched and read, and what a host
 * does with a server whose words do not agree.
 */
import { describe, expect, it } from 'vitest'
import { ProtocolError, RpcError, UsageError } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { connect } from '../../src/client/connect.ts'
import type { Client } from '../../src/client/client.ts'
import {
  getSkill,
  listSkills,
  readDirectory,
  readSkill,
  readSkillFile,
  resolveInSkill,
} from '../../src/client/skills.ts'
import {
  skillDigest,
  SKILLS_EXTENSION,
  SKILLS_EXTENSION_ID,
  type SkillEntry,
} from '../../src/protocol/extensions/skills.ts'
import type { SkillOptions } from '../../src/server/skill-files.ts'
import { Server } from '../../src/server/server.ts'
import { skillsExtension, type SkillsOptions } from '../../src/server/skills.ts'
import { memoryPair } from '../../src/transport/memory.ts'

const head = (name: string): string =>
  `---\nname: ${name}\ndescription: About ${name}\n---\nBody.\n`
const PDF: SkillOptions = {
  path: 'pdf',
  files: {
    'SKILL.md': head('pdf'),
    'templates/a.txt': 'A',
    'templates/eu/b.bin': new Uint8Array([0, 255, 7]),
  },
}
const REFUNDS: SkillOptions = { path: 'acme/refunds', files: { 'SKILL.md': head('refunds') } }
const HIDDEN: SkillOptions = {
  path: 'hidden',
  files: { 'SKILL.md': head('hidden') },
  listed: false,
}
const PDF_URI = 'skill://pdf/SKILL.md'

interface Scene {
  readonly client: Client
  readonly server: Server
  /** Methods that the server was asked, in their order. */
  readonly asked: readonly string[]
}

async function stage(
  options: Partial<SkillsOptions> = {},
  era: 'legacy' | 'modern' = 'modern',
): Promise<Scene> {
  const extension = await skillsExtension({ skills: [PDF, REFUNDS, HIDDEN], ...options })
  return talk(new Server({ name: 's', version: '1', extensions: [extension] }), era)
}

async function talk(server: Server, era: 'legacy' | 'modern' = 'modern'): Promise<Scene> {
  const [here, there] = memoryPair()
  void server.accept(there)
  const asked: string[] = []
  const client = await connect(here, {
    era,
    extensions: [SKILLS_EXTENSION],
    wire: (event) => {
      const { method } = (
        event.type === 'message' && event.direction === 'out' ? JSON.parse(event.text) : {}
      ) as { readonly method?: string } // our own request
      if (method !== undefined) asked.push(method)
    },
  })
  return { client, server, asked }
}

/** A server that says of its skill what it likes. */
function liar(entry: JsonObject, text: string): Server {
  const server = new Server({
    name: 's',
    version: '1',
    resources: [],
    capabilities: { extensions: { [SKILLS_EXTENSION_ID]: {} } },
  })
  server.handle('skills/list', () => ({ skills: [entry] }))
  server.handle('skills/get', () => ({ skill: entry }))
  server.handle('resources/read', ({ uri }) => ({ contents: [{ uri: uri ?? null, text }] }))
  return server
}

async function truth(text: string): Promise<JsonObject & SkillEntry> {
  const bytes = new TextEncoder().encode(text)
  return {
    uri: PDF_URI,
    frontmatter: { name: 'pdf', description: 'About pdf' },
    resources: [{ uri: PDF_URI, digest: await skillDigest(bytes), size: bytes.length }],
  }
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => new Error('it went well'),
    (error: unknown) => error,
  )

describe.each(['modern', 'legacy'] as const)('skills in the %s era', (era) => {
  it('are declared with their settings, and resources with them [SKILL-01, SKILL-03, EXT-01]', async () => {
    const { client } = await stage({}, era)
    expect(client.server.capabilities).toMatchObject({
      extensions: { [SKILLS_EXTENSION_ID]: { directoryRead: true } },
      resources: {},
    })
  })

  it('are listed with their files, apart from those that are not [SKILL-09, SKILL-12]', async () => {
    const { client } = await stage({}, era)
    const { skills, refused } = await listSkills(client)
    expect(refused).toEqual([])
    expect(skills.map(({ uri }) => uri)).toEqual([PDF_URI, 'skill://acme/refunds/SKILL.md'])
    expect(skills[0]?.resources).toHaveLength(3)
  })

  it('can be fetched whether they are listed or not [SKILL-13]', async () => {
    const { client } = await stage({}, era)
    const entry = await getSkill(client, 'skill://hidden/SKILL.md')
    expect(entry.frontmatter.name).toBe('hidden')
    const error = await failure(getSkill(client, 'skill://other/SKILL.md'))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ rpcCode: -32602 })
  })

  it('are read and found to be what their entries say [SKILL-14, SKILL-16]', async () => {
    const { client } = await stage({}, era)
    const entry = await getSkill(client, PDF_URI)
    expect(await readSkill(client, entry)).toEqual({ entry, text: head('pdf'), verified: true })
    const uri = resolveInSkill(entry, 'templates/eu/b.bin') ?? ''
    const file = await readSkillFile(client, { entry, uri })
    expect([...file.bytes]).toEqual([0, 255, 7])
    expect(file).toMatchObject({ verified: true, mimeType: 'application/octet-stream' })
  })
})

it('is declared by no server that was not given it, and not asked for there [EXT-03, SKILL-04]', async () => {
  const { client, asked } = await talk(new Server({ name: 's', version: '1', resources: [] }))
  expect(client.server.capabilities.extensions).toBeUndefined()
  for (const ask of [
    listSkills(client),
    getSkill(client, PDF_URI),
    readDirectory(client, 'skill://pdf'),
  ])
    expect(await failure(ask)).toMatchObject({ code: 'DP_CAPABILITY_MISSING' })
  expect(asked).toEqual(['server/discover'])
})

it('is not asked for by a client that did not choose it [EXT-03]', async () => {
  const extension = await skillsExtension({ skills: [PDF] })
  const [here, there] = memoryPair()
  void new Server({ name: 's', version: '1', extensions: [extension] }).accept(there)
  const client = await connect(here)
  expect(await failure(listSkills(client))).toMatchObject({ code: 'DP_CAPABILITY_METHOD' })
})

it('fetches no file on connecting, on listing and on asking for an entry [SKILL-17]', async () => {
  const { client, asked } = await stage()
  await listSkills(client)
  await getSkill(client, PDF_URI)
  expect(asked).toEqual(['server/discover', 'skills/list', 'skills/get'])
})

it('puts each skill on one page as a whole, and says how long it may be kept [SKILL-11]', async () => {
  const { client } = await stage({ pageSize: 1, ttlMs: 5000, cacheScope: 'public' })
  const first = await client.request('skills/list', {})
  expect(first).toMatchObject({ skills: { length: 1 }, nextCursor: PDF_URI, ttlMs: 5000 })
  const { skills } = await listSkills(client)
  expect(skills).toHaveLength(2)
  expect(await client.request('skills/get', { uri: PDF_URI })).toEqual({
    skill: skills[0],
    ttlMs: 5000,
    cacheScope: 'public',
  })
  expect(await failure(client.request('skills/list', { cursor: 'skill://none' }))).toMatchObject({
    rpcCode: -32602,
  })
})

it('gives SKILL.md as a resource by the name and the words of its skill [SKILL-07]', async () => {
  const { client } = await stage()
  const { resources } = await client.request('resources/list')
  expect(resources).toContainEqual({
    uri: PDF_URI,
    name: 'pdf',
    description: 'About pdf',
    mimeType: 'text/markdown',
    size: head('pdf').length,
  })
})

it('reads folders one level at a time, and nothing else as a folder [SKILL-18]', async () => {
  const { client } = await stage()
  const names = async (uri: string): Promise<unknown> =>
    (await readDirectory(client, uri)).map(({ name, mimeType }) => [name, mimeType])
  expect(await names('skill://pdf')).toEqual([
    ['pdf', 'text/markdown'],
    ['templates', 'inode/directory'],
  ])
  expect(await names('skill://pdf/templates')).toEqual([
    ['a.txt', 'text/plain'],
    ['eu', 'inode/directory'],
  ])
  for (const uri of [PDF_URI, 'skill://pdf/', 'skill://acme', 'skill://none', 'skill:'])
    expect(await failure(readDirectory(client, uri)), uri).toMatchObject({ rpcCode: -32602 })
})

it('reads long folders page by page [SKILL-18]', async () => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f/${at}.txt`, `${at}`]))
  const { client } = await stage({
    skills: [{ path: 'a', files: { 'SKILL.md': head('a'), ...files } }],
    pageSize: 2,
  })
  expect(await readDirectory(client, 'skill://a/f')).toHaveLength(9)
})

it('does not know folders where they were not switched on [SKILL-02]', async () => {
  const { client, asked } = await stage({ directoryRead: false })
  expect(client.server.capabilities.extensions).toEqual({ [SKILLS_EXTENSION_ID]: {} })
  expect(await failure(readDirectory(client, 'skill://pdf'))).toMatchObject({
    code: 'DP_CAPABILITY_MISSING',
  })
  expect(asked).toEqual(['server/discover'])
  const raw = client.request('resources/directory/read', { uri: 'skill://pdf' })
  expect(await failure(raw)).toMatchObject({ rpcCode: -32601 })
})

describe('a host does not take', () => {
  const text = head('pdf')

  it('a file of another size [SKILL-14]', async () => {
    const { client } = await talk(liar(await truth(text), `${text}!`))
    const error = await failure(getSkill(client, PDF_URI).then((entry) => readSkill(client, entry)))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_SKILL', requirement: 'SKILL-14' })
    expect(String(error)).toContain('bytes in place of')
  })

  it('a file of the same size with another content [SKILL-14]', async () => {
    const { client } = await talk(liar(await truth(text), text.replace('Body', 'Evil')))
    const error = await failure(getSkill(client, PDF_URI).then((entry) => readSkill(client, entry)))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_SKILL', requirement: 'SKILL-14' })
  })

  it.each([
    ['another description', text.replace('About pdf', 'Something else')],
    ['a member more', text.replace('---\nBody', 'allowed-tools: "*"\n---\nBody')],
    ['no front matter', 'Body.'],
  ])('a SKILL.md with %s than its entry [SKILL-16]', async (_, served) => {
    const { client } = await talk(liar(await truth(served), served))
    const error = await failure(getSkill(client, PDF_URI).then((entry) => readSkill(client, entry)))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_SKILL', requirement: 'SKILL-16' })
  })

  it('a file that the entry does not list, and asks for none [SKILL-15]', async () => {
    const { client, asked } = await stage()
    const entry = await getSkill(client, PDF_URI)
    for (const uri of [
      'skill://pdf/new.txt',
      'skill://acme/refunds/SKILL.md',
      'file:///etc/passwd',
    ])
      expect(await failure(readSkillFile(client, { entry, uri }))).toMatchObject({
        requirement: 'SKILL-15',
      })
    expect(asked.filter((method) => method === 'resources/read')).toEqual([])
  })

  it('an entry that is invalid, and takes the others of the list [SKILL-08]', async () => {
    const good = await truth(text)
    const server = liar(good, text)
    server.handle('skills/list', () => ({ skills: [{ ...good, resources: null }, good] }))
    const { client } = await talk(server)
    const { skills, refused } = await listSkills(client)
    expect(skills).toEqual([good])
    expect(refused).toMatchObject([{ requirement: 'SKILL-08' }])
  })

  it('an entry of another skill than it asked for [SKILL-13]', async () => {
    const { client } = await talk(liar(await truth(text), text))
    const error = await failure(getSkill(client, 'skill://other/pdf/SKILL.md'))
    expect(error).toBeInstanceOf(ProtocolError)
  })

  it('content under another address than it asked for [SKILL-14]', async () => {
    const server = liar(await truth(text), text)
    server.handle('resources/read', () => ({ contents: [{ uri: 'skill://other', text }] }))
    const { client } = await talk(server)
    const entry = await getSkill(client, PDF_URI)
    expect(await failure(readSkill(client, entry))).toMatchObject({ code: 'DP_PROTOCOL_SKILL' })
  })

  it('more files and bytes than it allows, before it reads any [SKILL-10]', async () => {
    const { client, asked } = await stage()
    const entry = await getSkill(client, PDF_URI)
    expect(await failure(readSkill(client, entry, { maxFiles: 2 }))).toMatchObject({
      requirement: 'SKILL-10',
    })
    expect(await failure(readSkill(client, entry, { maxBytes: 10 }))).toMatchObject({
      requirement: 'SKILL-10',
    })
    expect(asked).not.toContain('resources/read')
    await expect(readSkill(client, entry, { maxFiles: 3 })).resolves.toMatchObject({ entry })
  })

  it('a list without end [PAGE-07]', async () => {
    let page = 0
    const server = liar(await truth(text), text)
    server.handle('skills/list', () => ({ skills: [], nextCursor: String((page += 1)) }))
    const { client } = await talk(server)
    expect(await failure(listSkills(client, { maxPages: 5 }))).toMatchObject({
      code: 'DP_PROTOCOL_PAGES',
    })
    expect(page).toBe(5)
  })
})

describe('a skill that says nothing of its files', () => {
  it('is read when its reader says so, as unverified [SKILL-09]', async () => {
    const entry = { ...(await truth(head('pdf'))), resources: 'dynamic' as const }
    const { client } = await talk(liar(entry, head('pdf')))
    const held = await getSkill(client, PDF_URI)
    expect(await failure(readSkill(client, held))).toBeInstanceOf(UsageError)
    expect(await readSkill(client, held, { unverified: true })).toMatchObject({ verified: false })
    const outside = readSkillFile(
      client,
      { entry: held, uri: 'skill://other/a.txt' },
      { unverified: true },
    )
    expect(await failure(outside)).toMatchObject({ requirement: 'SKILL-15' })
  })

  it('is held against its front matter all the same [SKILL-16]', async () => {
    const entry = { ...(await truth(head('pdf'))), resources: 'dynamic' as const }
    const { client } = await talk(liar(entry, head('other')))
    const held = await getSkill(client, PDF_URI)
    expect(await failure(readSkill(client, held, { unverified: true }))).toMatchObject({
      requirement: 'SKILL-16',
    })
  })
})

it.each([
  ['templates/a.txt', 'skill://acme/pdf/templates/a.txt'],
  ['./templates//a.txt', 'skill://acme/pdf/templates/a.txt'],
  ['templates/../a.txt#top', 'skill://acme/pdf/a.txt'],
  ['../other/a.txt', undefined],
  ['a/../../b', undefined],
  ['/etc/passwd', undefined],
  ['\\\\host\\share', undefined],
  ['https://example.com/a', undefined],
  ['#top', undefined],
  ['', undefined],
])('resolves %j within the skill', async (reference, uri) => {
  const entry = { ...(await truth('')), uri: 'skill://acme/pdf/SKILL.md' }
  expect(resolveInSkill(entry, reference)).toBe(uri)
})
