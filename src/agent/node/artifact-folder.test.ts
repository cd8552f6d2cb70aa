import { lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../base/errors.ts'
import { artifactFile, artifactFolder } from './artifact-folder.ts'

let room = ''
let folder = ''
beforeEach(async () => {
  room = await mkdtemp(join(tmpdir(), 'artifacts-'))
  folder = join(room, 'deep', 'artifacts')
})
afterEach(async () => {
  await rm(room, { recursive: true, force: true })
})

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47])

describe('a folder of artifacts', () => {
  it.skipIf(process.platform === 'win32')(
    'is for its owner alone, and so is each file',
    async () => {
      const store = await artifactFolder(folder)
      await store.put('text')
      expect((await stat(folder)).mode & 0o777).toBe(0o700)
      expect((await stat(join(folder, 'a1.txt'))).mode & 0o777).toBe(0o600)
    },
  )

  it('gives back what was put in', async () => {
    const store = await artifactFolder(folder)
    expect(await store.put('aé中🙂')).toBe('a1')
    expect(await store.put(png, { mimeType: 'image/png' })).toBe('a2')
    expect(await store.read('a1', 1, 5)).toMatchObject({
      text: 'é中',
      offset: 1,
      next: 6,
      bytes: 10,
    })
    expect(await store.read('a2')).toMatchObject({ isText: false, mimeType: 'image/png', bytes: 4 })
    expect(await store.bytes('a2')).toEqual(png)
    expect((await readdir(folder)).toSorted()).toEqual(['a1.txt', 'a2.png'])
  })

  it('says where each stands, also when nobody has it open, and nothing of others', async () => {
    const store = await artifactFolder(folder)
    await store.put('text')
    await store.put(png, { mimeType: 'image/png' })
    const paths = [join(folder, 'a1.txt'), join(folder, 'a2.png')]
    expect(['a1', 'a2'].map((id) => store.path?.(id))).toEqual(paths)
    expect(await Promise.all(['a1', 'a2'].map((id) => artifactFile(folder, id)))).toEqual(paths)
    expect(store.path?.('a3')).toBeUndefined()
    expect(await artifactFile(folder, 'a3')).toBeUndefined()
    expect(await artifactFile(join(folder, 'none'), 'a1')).toBeUndefined()
  })

  it('has no ending of a stranger’s choice', async () => {
    const store = await artifactFolder(folder)
    await store.put(png, { mimeType: 'x/../../../etc/passwd' })
    await store.put('<html>', { mimeType: 'text/html' })
    await store.put(png, { mimeType: 'application/x-msdownload' })
    expect((await readdir(folder)).toSorted()).toEqual(['a1.bin', 'a2.txt', 'a3.bin'])
  })

  it.each(['../secret', 'a1/../../secret', '/etc/passwd', 'a1.txt', 'A1', 'a1\0', '__proto__'])(
    'does not take %j for an id',
    async (id) => {
      await writeFile(join(room, 'secret'), 'secret')
      const store = await artifactFolder(folder)
      await store.put('text')
      expect(await store.read(id)).toBeUndefined()
      expect(store.path?.(id)).toBeUndefined()
      expect(await artifactFile(folder, id)).toBeUndefined()
      expect(await store.bytes(id)).toBeUndefined()
    },
  )

  it('goes on counting behind those of an earlier session, which are still there', async () => {
    const first = await artifactFolder(folder)
    await first.put('one')
    await first.put(png, { mimeType: 'image/png' })
    const second = await artifactFolder(folder)
    expect(await second.put('three')).toBe('a3')
    expect((await second.read('a1'))?.text).toBe('one')
    expect(await second.read('a2')).toMatchObject({ isText: false, mimeType: 'image/png' })
  })

  it('leaves files of others alone, and takes none of them in', async () => {
    await mkdir(folder, { recursive: true })
    for (const name of ['a1.html', 'a07.txt', 'notes.txt', 'a1.txt.bak']) {
      await writeFile(join(folder, name), 'x')
    }
    await mkdir(join(folder, 'a8.txt'))
    const store = await artifactFolder(folder, { maxItems: 1 })
    expect(await store.put('one')).toBe('a1')
    expect(await store.put('two')).toBe('a2')
    expect((await readdir(folder)).toSorted()).toEqual(
      ['a07.txt', 'a1.html', 'a1.txt.bak', 'a2.txt', 'a8.txt', 'notes.txt'].toSorted(),
    )
  })

  it.skipIf(process.platform === 'win32')('follows no link out of it', async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(room, 'secret'), 'secret')
    await symlink(join(room, 'secret'), join(folder, 'a1.txt'))
    const store = await artifactFolder(folder)
    expect(await store.read('a1')).toBeUndefined()
    expect(await store.put('mine')).toBe('a2') // the link is in the way of a1
    await rm(join(folder, 'a2.txt'))
    await symlink(join(room, 'secret'), join(folder, 'a2.txt'))
    await expect(store.read('a2')).rejects.toMatchObject({ code: 'ELOOP' })
  })

  it('refuses a path that is a file, or a link to a folder', async () => {
    await writeFile(join(room, 'file'), '')
    await expect(artifactFolder(join(room, 'file'))).rejects.toThrow(/EEXIST|no folder/)
    await symlink(tmpdir(), join(room, 'link'))
    await expect(artifactFolder(join(room, 'link'))).rejects.toThrow(UsageError)
  })

  it('drops the oldest files when there are too many bytes, also of earlier sessions', async () => {
    const store = await artifactFolder(folder, { maxBytes: 10 })
    for (const text of ['aaaa', 'bbbb', 'cccc']) await store.put(text)
    expect(await readdir(folder)).toEqual(['a2.txt', 'a3.txt'])
    const later = await artifactFolder(folder, { maxBytes: 4 })
    expect(await readdir(folder)).toEqual(['a3.txt'])
    expect(await later.put('xxxxx')).toBeUndefined()
    expect((await later.read('a3'))?.text).toBe('cccc')
  })

  it('gives each of many at once an id of its own', async () => {
    const store = await artifactFolder(folder)
    const other = await artifactFolder(folder)
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? store : other).put(`text ${at}`)),
    )
    expect(new Set(await readdir(folder)).size).toBe(20)
    for (const [at, id] of ids.entries()) {
      expect((await (at % 2 === 0 ? store : other).read(id ?? ''))?.text).toBe(`text ${at}`)
    }
  })

  it('says that an artifact is gone when somebody deleted its file', async () => {
    const store = await artifactFolder(folder)
    await store.put('text')
    await rm(join(folder, 'a1.txt'))
    expect(await store.read('a1')).toBeUndefined()
  })

  it('leaves no half file behind when it cannot write', async () => {
    const store = await artifactFolder(folder)
    await rm(folder, { recursive: true })
    await expect(store.put('text')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(lstat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
