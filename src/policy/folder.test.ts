import { describe, expect, it } from 'vitest'
import { isFolder, isUnder, MAX_PATH } from './folder.ts'

describe('a path under a folder', () => {
  it.each([
    ['/home/me/notes', '/home/me/notes'],
    ['/home/me/notes', '/home/me/notes/'],
    ['/home/me/notes', '/home/me/notes/a/b.txt'],
    ['/home/me/notes/', '/home/me/./notes//a'],
    ['/home/me/notes', '/home/me/notes/a/../b'],
    ['/home/me/notes', '/home/me/other/../notes/a'],
    ['/', '/etc/passwd'],
    ['/a', '/../a/b'],
    ['notes', 'notes/a'],
    ['.', 'notes/a'],
    ['./notes', 'a/../notes/b'],
    ['C:\\notes', 'C:\\notes\\a.txt'],
    ['C:\\notes', 'c:/Notes/a.txt'],
    ['C:\\', 'C:\\anything'],
    ['C:\\notes', 'C:\\notes\\a\\..\\b'],
    ['\\\\nas\\share\\notes', '\\\\NAS\\share\\notes\\a'],
  ])('%j: %j is', (folder, path) => {
    expect(isUnder(folder, path)).toBe('yes')
  })

  it.each([
    ['/home/me/notes', '/home/me/notes2'],
    ['/home/me/notes', '/home/me'],
    ['/home/me/notes', '/home/me/notes/../secret'],
    ['/home/me/notes', '/home/me/notes/../../../etc/passwd'],
    ['/home/me/notes', '/'],
    ['notes', 'other/a'],
    ['C:\\notes', 'C:\\notes2\\a'],
    ['C:\\notes', 'D:\\notes\\a'],
    ['C:\\notes', 'C:\\notes\\..\\windows'],
    ['\\\\nas\\share', '\\\\nas\\other\\a'],
  ])('%j: %j is not', (folder, path) => {
    expect(isUnder(folder, path)).toBe('no')
  })

  it.each([
    ['a relative path', '/home/me', 'notes/a'],
    ['a relative path that climbs', 'notes', '../notes/a'],
    ['a home', '/home/me', '~/notes'],
    ['a variable', '/home/me', '$HOME/notes'],
    ['a variable within', '/home/me', '/home/me/${X}/a'],
    ['a variable of Windows', 'C:\\notes', 'C:\\notes\\%X%\\a'],
    ['a URL', '/home/me', 'file:///home/me/a'],
    ['dots in disguise', '/home/me', '/home/me/%2e%2e/a'],
    ['a slash in disguise', '/home/me', '/home/me/..%2fa'],
    ['a NUL', '/home/me', '/home/me/a\u0000.txt'],
    ['a line end', '/home/me', '/home/me/a\nb'],
    ['an empty text', '/home/me', ''],
    ['two slashes in front', '/etc', '//etc/passwd'],
    ['a backslash', '/home/me', '/home/me/..\\..\\etc'],
    ['another case', '/home/me/.ssh', '/home/me/.SSH/id'],
    ['another normal form', '/home/me/caf\u00e9', '/home/me/cafe\u0301/a'],
    ['what some file systems skip', '/home/me/.git', '/home/me/.g\u200cit/config'],
    ['a path of Windows', '/home/me', 'C:\\home\\me'],
    ['a path of a drive', 'C:\\notes', 'C:notes'],
    ['a path without a drive', 'C:\\notes', '\\notes\\a'],
    ['a stream', 'C:\\notes', 'C:\\notes\\a.txt:hidden'],
    ['a short name', 'C:\\notes', 'C:\\NOTES~1\\a'],
    ['ends that Windows drops', 'C:\\notes', 'C:\\notes\\.. \\a'],
    ['three dots', 'C:\\notes', 'C:\\notes\\...\\a'],
    ['a device path', 'C:\\notes', '\\\\?\\C:\\notes\\a'],
    ['a device', 'C:\\notes', '\\\\.\\PhysicalDrive0'],
    ['a share that may be the drive', 'C:\\notes', '\\\\localhost\\C$\\notes'],
    ['a path that is too long', '/home', `/home/${'a'.repeat(MAX_PATH)}`],
  ])('is undecided for %s', (_, folder, path) => {
    expect(isUnder(folder, path)).toBe('unsure')
  })

  it('judges a path as long as the bound', () => {
    expect(isUnder('/home', `/home/${'a'.repeat(MAX_PATH - 6)}`)).toBe('yes')
  })

  it.each(['~/notes', '$HOME', '', '../up', 'file:///x', '\\notes'])(
    'has no folder %j to judge by',
    (folder) => {
      expect(isFolder(folder)).toBe(false)
      expect(isUnder(folder, '/anything')).toBe('unsure')
    },
  )
})
