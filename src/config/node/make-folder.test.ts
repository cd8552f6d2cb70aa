import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from '../../base/errors.ts'
import { makeFolder, MAX_LEVELS } from './make-folder.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deep-pilot-folder-'))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

function failure(path: string): ConfigError {
  try {
    makeFolder(path)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('it was made')
}

describe('a folder', () => {
  it('is made with all that are missing above it, for the user alone', () => {
    const path = join(root, 'a', 'b', 'c')
    makeFolder(path)
    expect(statSync(path).isDirectory()).toBe(true)
    if (platform() === 'win32') return
    for (const made of [path, join(root, 'a', 'b'), join(root, 'a')])
      expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  it('is left as it is where it is there, also behind a link', () => {
    const [there, link] = [join(root, 'there'), join(root, 'link')]
    mkdirSync(there, { mode: 0o755 })
    symlinkSync(there, link, 'junction')
    const before = statSync(there).mode
    makeFolder(there)
    makeFolder(link)
    expect(statSync(there).mode).toBe(before)
  })

  it.each([['file'], ['file/sub'], ['file/sub/sub']])(
    'says of %s which file is in the way',
    (name) => {
      const file = join(root, 'file')
      writeFileSync(file, '')
      const error = failure(join(root, ...name.split('/')))
      expect(error.detail).toMatchObject({ kind: 'folder-unmade', why: 'no-folder', at: file })
      expect(error.file).toBe(join(root, ...name.split('/')))
      expect(error.message).toContain(`"${file}" is no folder.`)
      expect(error.message).toContain('DEEP_PILOT_HOME')
    },
  )

  it('says so where a link leads nowhere', () => {
    const link = join(root, 'link')
    symlinkSync(join(root, 'gone'), link, 'junction')
    expect(failure(link).detail).toMatchObject({ why: 'system', at: root })
  })

  it('is asked for once where a system makes none', (context) => {
    context.skip(platform() !== 'linux')
    for (const path of ['/proc/deep-pilot', '/proc/deep-pilot/a/b']) {
      const { detail, cause } = failure(path)
      expect(detail).toMatchObject({ kind: 'folder-unmade', at: '/proc' })
      expect(cause).toBeInstanceOf(Error)
    }
  })

  it('says so where nothing may be written', (context) => {
    // An administrator may write everywhere.
    context.skip(platform() === 'win32' || process.getuid?.() === 0)
    const closed = join(root, 'closed')
    mkdirSync(closed, { mode: 0o500 })
    expect(failure(join(closed, 'a')).detail).toMatchObject({ why: 'forbidden', at: closed })
  })

  it('is not made below more than so many that are missing', () => {
    const levels = (count: number): string => join(root, ...Array<string>(count).fill('a'))
    makeFolder(levels(MAX_LEVELS))
    rmSync(join(root, 'a'), { recursive: true })
    expect(failure(levels(MAX_LEVELS + 1)).detail).toMatchObject({ why: 'too-deep' })
    expect(() => statSync(join(root, 'a'))).toThrow('ENOENT')
  })
})
