import { describe, expect, it } from 'vitest'
import { encodeBase64 } from '../formats/base64.ts'
import type { CallToolResult, ContentBlock } from '../protocol/types/tools.ts'
import { memoryArtifacts, type ArtifactStore } from './artifacts.ts'
import { shownResult, type ShownResult, type ShownResultOptions } from './results.ts'

const TEXT_ONLY = { window: undefined, images: false, resultImages: false }
const SEEING = { window: undefined, images: true, resultImages: true }

function shown(
  result: CallToolResult | readonly ContentBlock[],
  options: Partial<ShownResultOptions> = {},
): Promise<ShownResult> {
  const whole = 'content' in result ? result : { content: result }
  return shownResult(whole, { alias: 'fs__read', server: 'fs', traits: TEXT_ONLY, ...options })
}

function text(said: string, annotations?: ContentBlock['annotations']): ContentBlock {
  return { type: 'text', text: said, ...(annotations !== undefined && { annotations }) }
}

const PNG = encodeBase64(
  Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82]),
)
const image = (data: string = PNG, mimeType = 'image/png'): ContentBlock => ({
  type: 'image',
  data,
  mimeType,
})

describe('a result that fits', () => {
  it('is shown bare, its texts joined by line ends', async () => {
    expect(await shown([text('one'), text('two')])).toEqual({
      text: 'one\ntwo',
      images: [],
      bytes: 7,
      shownBytes: 7,
      truncated: false,
    })
  })

  it.each<[string, readonly ContentBlock[]]>([
    ['no parts', []],
    ['one empty text', [text('')]],
  ])('of %s says that there was no output', async (_, content) => {
    expect(await shown(content)).toMatchObject({ text: '(no output)', bytes: 0, shownBytes: 0 })
  })

  it('says of a failure that it is one, and of which tool', async () => {
    const failed = { content: [text('no such file')], isError: true }
    expect((await shown(failed)).text).toBe('Error from tool fs__read: no such file')
    expect((await shown({ content: [], isError: true })).text).toBe(
      'Error from tool fs__read: (no output)',
    )
  })

  it('has structured content once: not beside a text that says the same', async () => {
    const value = { a: [1, 2] }
    const said = [text('{ "a": [1, 2] }')]
    expect((await shown({ content: said, structuredContent: value })).text).toBe('{ "a": [1, 2] }')
    expect((await shown({ content: [text('done')], structuredContent: value })).text).toBe(
      'done\n{"a":[1,2]}',
    )
    expect((await shown({ content: [], structuredContent: null })).text).toBe('null')
  })

  it('shows what hides in it', async () => {
    const { text: told } = await shown([text('a\u202eb\u001b[31m\tc\nd')])
    expect(told).toBe('a<U+202E>b<U+001B>[31m\tc\nd')
  })

  it('marks also what hides in the facts of a resource', async () => {
    const link: ContentBlock = { type: 'resource_link', uri: 'x:\u200b', name: 'n\u0007' }
    expect((await shown([link])).text).toBe('[resource link n<U+0007> (x:<U+200B>)]')
  })
})

describe('parts for the user alone', () => {
  it('are not shown to the model, which is told that they were there', async () => {
    const { text: told } = await shown([
      text('for you'),
      text('secret', { audience: ['user'] }),
      text('for both', { audience: ['user', 'assistant'] }),
    ])
    expect(told).toBe('for you\nfor both\n[1 more part was meant for the user alone]')
  })

  it('are told when there is nothing else', async () => {
    const { text: told } = await shown([text('a', { audience: ['user'] })])
    expect(told).toBe('(the output was meant for the user and shown to them alone)')
  })

  it('do not come back as structured content that says the same', async () => {
    const content = [text('{"token":"t"}', { audience: ['user'] })]
    const { text: told } = await shown({ content, structuredContent: { token: 't' } })
    expect(told).not.toContain('token"')
  })

  it.each([[[]], ['user'], [null], [['assistant']]])(
    'are none when the audience is %j',
    async (audience) => {
      const odd = { audience } as ContentBlock['annotations'] // what a peer may send
      expect((await shown([text('a', odd)])).text).toBe('a')
    },
  )
})

describe('images and files', () => {
  it('are told in words to a model that takes none, and kept', async () => {
    const artifacts = memoryArtifacts()
    const result = await shown([text('here'), image()], { artifacts })
    expect(result.text).toBe('here\n[image image/png, 16 B, saved as artifact a1]')
    expect(result.images).toEqual([])
    expect(await artifacts.read('a1')).toMatchObject({ mimeType: 'image/png', bytes: 16 })
  })

  it('are handed to a model that takes images, and told in words at their place', async () => {
    const artifacts = memoryArtifacts()
    const result = await shown([text('a'), image(), text('b')], { artifacts, traits: SEEING })
    expect(result.text).toBe('a\n[image image/png, 16 B]\nb')
    expect(result.images).toEqual([{ type: 'image', mimeType: 'image/png', data: PNG }])
    expect(await artifacts.read('a1')).toBeUndefined()
  })

  it('are handed on as what they are and not as what the server calls them', async () => {
    const { images } = await shown([image(PNG, 'image/jpeg')], { traits: SEEING })
    expect(images).toEqual([{ type: 'image', mimeType: 'image/png', data: PNG }])
  })

  it.each([
    ['is no image', encodeBase64(new TextEncoder().encode('<svg onload=alert(1)></svg>'))],
    ['is no Base64', `${PNG.slice(0, 16)}!!!!`],
    ['is empty', ''],
  ])('that a provider would refuse are not handed on: what %s', async (_, data) => {
    const result = await shown([image(data)], { traits: SEEING })
    expect(result.images).toEqual([])
    expect(result.text).toMatch(/^\[image image\/png, /)
  })

  it('lose the line breaks that some servers put into Base64', async () => {
    const { images } = await shown([image(`${PNG.slice(0, 8)}\n${PNG.slice(8)}\n`)], {
      traits: SEEING,
    })
    expect(images[0]?.data).toBe(PNG)
  })

  it('beyond the limits of size and number are kept instead', async () => {
    const artifacts = memoryArtifacts()
    const limits = { maxImages: 1 }
    const many = await shown([image(), image()], { artifacts, traits: SEEING, limits })
    expect(many.images).toHaveLength(1)
    expect(many.text).toContain('saved as artifact a1')
    const large = await shown([image()], {
      artifacts,
      traits: SEEING,
      limits: { maxImageBytes: 10 },
    })
    expect(large.images).toEqual([])
    expect(large.text).toContain('saved as artifact a2')
  })

  it('of one result are kept 16 at most', async () => {
    const artifacts = memoryArtifacts()
    await shown(
      Array.from({ length: 40 }, () => image()),
      { artifacts },
    )
    expect(await artifacts.read('a16')).toBeDefined()
    expect(await artifacts.read('a17')).toBeUndefined()
  })

  it('that are sounds are kept and told', async () => {
    const artifacts = memoryArtifacts()
    const sound: ContentBlock = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }
    expect((await shown([sound], { artifacts, traits: SEEING })).text).toBe(
      '[audio audio/wav, 3 B, saved as artifact a1]',
    )
  })

  it('that are embedded stand in an element that their own text cannot end', async () => {
    const resource = { uri: 'file:///a"b<c', mimeType: 'text/plain', text: 'x</resource>y' }
    expect((await shown([{ type: 'resource', resource }])).text).toBe(
      '<resource uri="file:///a&quot;b&lt;c" mime="text/plain">\nx&lt;/resource>y\n</resource>',
    )
  })

  it('that are embedded blobs are kept, or handed on when they are images', async () => {
    const artifacts = memoryArtifacts()
    const blob = { uri: 'x:1', mimeType: 'application/zip', blob: 'AAAA' }
    expect((await shown([{ type: 'resource', resource: blob }], { artifacts })).text).toBe(
      '[resource x:1, application/zip, 3 B, saved as artifact a1]',
    )
    const picture = { uri: 'x:2', mimeType: 'image/png', blob: PNG }
    const seen = await shown([{ type: 'resource', resource: picture }], {
      artifacts,
      traits: SEEING,
    })
    expect(seen.images).toHaveLength(1)
  })

  it('that are linked are named and never fetched', async () => {
    const link: ContentBlock = {
      type: 'resource_link',
      uri: 'http://169.254.169.254/latest',
      name: 'meta',
      size: 10,
    }
    expect((await shown([link])).text).toBe(
      '[resource link meta (http://169.254.169.254/latest, 10 B)]',
    )
  })

  it('of an unknown kind are told with their JSON', async () => {
    const odd = { type: 'hologram', depth: 3 } as unknown as ContentBlock // what a peer may send
    expect((await shown([odd])).text).toBe(
      '[content of unknown kind "hologram"] {"type":"hologram","depth":3}',
    )
  })
})

/** 1,000 numbered lines of ten bytes. */
const LINES = Array.from(
  { length: 1000 },
  (_, line) => `line ${String(line).padStart(4, '0')}\n`,
).join('')

describe('a result that is too long', () => {
  it('shows its head and its tail, says what is missing, and is kept whole', async () => {
    const artifacts = memoryArtifacts()
    const result = await shown([text(LINES)], { artifacts, limits: { maxBytes: 100 } })
    expect(result).toEqual({
      text: [
        'line 0000\nline 0001\nline 0002\nline 0003\nline 0004\nline 0005',
        '[… 9910 bytes left out …]',
        'line 0997\nline 0998\nline 0999',
        '[90 of 10000 bytes shown; all of it is artifact a1: read on with read_artifact {"id":"a1","offset":60}]',
      ].join('\n'),
      images: [],
      bytes: 10_000,
      shownBytes: 90,
      artifact: 'a1',
      truncated: true,
    })
    expect(await artifacts.bytes('a1')).toEqual(new TextEncoder().encode(LINES))
  })

  it('names the offset at which its head ended', async () => {
    const artifacts = memoryArtifacts()
    const said = `中${'é🙂'.repeat(200)}`
    const { text: told } = await shown([text(said)], { artifacts, limits: { maxBytes: 100 } })
    const offset = Number(/"offset":(\d+)/.exec(told)?.[1])
    const [head = ''] = told.split('\n')
    const rest = await artifacts.read('a1', offset, 100_000)
    expect(head + (rest?.text ?? '')).toBe(said)
  })

  it('is cut by lines as well', async () => {
    const { text: told, shownBytes } = await shown([text(LINES)], { limits: { maxLines: 9 } })
    expect(shownBytes).toBe(90)
    expect(told.split('\n').filter((line) => line.startsWith('line'))).toHaveLength(9)
  })

  it('says that the rest is gone when there is no place for it', async () => {
    const { text: told, artifact } = await shown([text(LINES)], { limits: { maxBytes: 100 } })
    expect(told).toMatch(/\[90 of 10000 bytes shown; the rest was not kept\]$/)
    expect(artifact).toBeUndefined()
  })

  it('is shown all the same when it cannot be kept, and people are told why', async () => {
    const full = (): Promise<never> => Promise.reject(new Error('no space left'))
    const artifacts: ArtifactStore = { put: full, read: full, bytes: full }
    const result = await shown([text(LINES), image()], { artifacts, limits: { maxBytes: 100 } })
    expect(result.warning).toContain('no space left')
    expect(result.text).toContain('the rest was not kept')
    expect(result.text).not.toContain('no space')
  })

  it('of 10 MB is cut to 50 KiB by default, and can be read on to its end', async () => {
    const artifacts = memoryArtifacts()
    const huge = LINES.repeat(1000)
    const result = await shown([text(huge)], { artifacts })
    expect(result.bytes).toBe(10_000_000)
    expect(result.shownBytes).toBeGreaterThan(15_000)
    expect(result.shownBytes).toBeLessThanOrEqual(50 * 1024)
    expect(result.text.length).toBeLessThan(50 * 1024 + 300)
    let read = 0
    for (let next: number | undefined = 0; next !== undefined;) {
      const part = await artifacts.read(result.artifact ?? '', next, 1024 * 1024)
      read += part?.text.length ?? 0
      next = part?.next
    }
    expect(read).toBe(10_000_000)
  })

  it('takes a quarter of a small window at most', async () => {
    const { shownBytes } = await shown([text(LINES.repeat(10))], {
      traits: { ...TEXT_ONLY, window: 8_192 },
    })
    expect(shownBytes).toBeLessThanOrEqual(6_144)
    expect(shownBytes).toBeGreaterThan(5_000)
  })

  it('of nothing but what hides stays within the limit as it is shown', async () => {
    const { text: told } = await shown([text('\u{e0041}'.repeat(100_000))], {
      limits: { maxBytes: 1000 },
    })
    expect(told.length).toBeLessThan(1200)
    expect(told).not.toMatch(/\u{e0041}/u)
  })

  it('of a failure still says that it is one', async () => {
    const failed = { content: [text(LINES)], isError: true }
    const { text: told } = await shown(failed, { limits: { maxBytes: 100 } })
    expect(told).toMatch(/^Error from tool fs__read: line 0000/)
  })

  it('is not kept again when it was read from an artifact', async () => {
    const artifacts = memoryArtifacts()
    const own = { artifacts, limits: { maxBytes: 100 }, alias: 'read_artifact', server: undefined }
    const reread = await shown([text(LINES)], own)
    expect(reread.artifact).toBeUndefined()
    expect(reread.text).toMatch(
      /\[90 of 10000 bytes shown: ask for less at once, with a smaller limit\]$/,
    )
    expect((await shown([text(LINES)], { ...own, server: 'evil' })).artifact).toBe('a1')
  })
})

describe('parts of different priority', () => {
  const long = 'x'.repeat(2000)

  it('are shown by their rank, in the order of the result', async () => {
    const artifacts = memoryArtifacts()
    const content = [
      text(`low ${long}`, { priority: 0 }),
      text(`mid ${long}`),
      text(`top ${long}`, { priority: 1 }),
    ]
    const limits = { maxBytes: 3000 }
    const result = await shown(content, { artifacts, limits })
    expect(result.text).toMatch(
      /^\[… 2004 bytes left out …\]\nmid x+\n\[… \d+ bytes left out …\]\nx+\ntop x{2000}\n\[\d+ of 6014 bytes shown/,
    )
    expect(result.text).toContain('{"id":"a1","offset":0}')
    expect(result.shownBytes).toBeLessThanOrEqual(3000)
  })

  it('count together what is left out between two parts that are shown', async () => {
    const content = [
      text('first', { priority: 1 }),
      ...Array.from({ length: 50 }, () => text(long, { priority: 0.1 })),
      text('last', { priority: 1 }),
    ]
    const { text: told, bytes, shownBytes } = await shown(content, { limits: { maxBytes: 400 } })
    const gap = Number(/(\d+) bytes left out/.exec(told)?.[1])
    expect(told).toMatch(/^first\n\[… \d+ bytes left out …\]\nlast\n/)
    expect(gap + shownBytes).toBe(bytes)
  })

  it('in great number stay within the limit, the words about gaps included', async () => {
    const content = Array.from({ length: 50_000 }, (_, at) => text('x', { priority: at % 2 }))
    const { text: told } = await shown(content, { limits: { maxBytes: 10_000 } })
    expect(told.length).toBeLessThan(11_000)
  })

  it.each([2, -1, Number.NaN, '1', null])('take %j for no priority', async (priority) => {
    const odd = { priority } as ContentBlock['annotations'] // what a peer may send
    const content = [text('a'.repeat(100), odd), text('b'.repeat(100))]
    const { text: told } = await shown(content, { limits: { maxBytes: 150 } })
    expect(told).toMatch(/^a{100}\n\[… \d+ bytes left out …\]\nb{50}\n/)
  })
})
