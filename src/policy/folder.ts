/**
 * Whether a path lies in a folder, by its text alone: POSIX and Windows, after `.` and `..` are taken out. The file system is
 * not looked at, so links are not followed, and whatever the system could read in two ways is undecided.
 */

import { replaceHidden } from '../base/terminal-text.ts'
import type { Fit } from './fit.ts'

/** A path taken apart. `root` is a drive or share for Windows, else empty. */
interface Path {
  readonly kind: 'posix' | 'drive' | 'share' | 'relative'
  readonly root: string
  readonly parts: readonly string[]
}

/** Longest path that is judged, in UTF-16 units. */
export const MAX_PATH = 4_096

/** A scheme, as in `file:`; one letter is a drive. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]+:/
/** What shells and systems replace: `~`, `$HOME`, `${X}`, `%X%`; and separators in disguise. */
const EXPANDED = /^[~$]|\$\{|%[^%]+%|%2[ef]|%5c/i
const DRIVE = /^[A-Za-z]:/

/** Whether `folder` can be judged by at all. */
export function isFolder(folder: string): boolean {
  return readPath(folder) !== undefined
}

/** Whether `path` is the folder or in it. Undecided for a path that is relative to an unknown place, has `~` or variables, or differs in case. */
export function isUnder(folder: string, path: string): Fit {
  const base = readPath(folder)
  const place = readPath(path)
  if (base === undefined || place === undefined || base.kind !== place.kind) return 'unsure'
  const isWindows = base.kind === 'drive' || base.kind === 'share'
  if (isWindows && !sameText(base.root, place.root, 'any case')) return 'no'
  const pairs = base.parts.map((part, index): readonly [string, string] => [
    part,
    place.parts[index] ?? '',
  ])
  if (pairs.every(([part, other]) => sameText(part, other, isWindows ? 'any case' : 'exact')))
    return 'yes'
  // Some file systems take these for the same name, others do not.
  return pairs.every(([part, other]) => folded(part) === folded(other)) ? 'unsure' : 'no'
}

function readPath(text: string): Path | undefined {
  if (text === '' || text.length > MAX_PATH || hasControl(text)) return undefined
  if (EXPANDED.test(text) || SCHEME.test(text)) return undefined
  if (DRIVE.test(text)) return readDrive(text)
  if (text.startsWith('\\\\')) return readShare(text)
  // On Windows a backslash separates; elsewhere it is a letter. Two slashes are a share or one slash.
  if (text.includes('\\') || text.startsWith('//')) return undefined
  const isAbsolute = text.startsWith('/')
  const parts = walk(text.split('/'), isAbsolute)
  if (parts === undefined) return undefined
  return { kind: isAbsolute ? 'posix' : 'relative', root: '', parts }
}

function readDrive(text: string): Path | undefined {
  const separator = text.charAt(2)
  if (separator !== '\\' && separator !== '/') return undefined
  return windowsPath('drive', text.slice(0, 2), text.slice(3).split(/[\\/]/))
}

function readShare(text: string): Path | undefined {
  const [server, share, ...rest] = text.slice(2).split(/[\\/]/)
  if (server === undefined || share === undefined || server === '' || share === '') return undefined
  // `\\?\` and `\\.\` are other ways to say any path.
  if (server === '?' || server === '.') return undefined
  return windowsPath('share', `${server}\\${share}`, rest)
}

function windowsPath(
  kind: 'drive' | 'share',
  root: string,
  segments: readonly string[],
): Path | undefined {
  if (segments.some(isOddOnWindows)) return undefined
  const parts = walk(segments, true)
  return parts === undefined ? undefined : { kind, root, parts }
}

/** Streams, short names, and ends that Windows drops. */
function isOddOnWindows(part: string): boolean {
  if (part === '.' || part === '..') return false
  return /[. ]$|:|~\d/.test(part)
}

/** Takes out `.` and `..`. Undefined when a relative path climbs out of where it starts. */
function walk(segments: readonly string[], isAbsolute: boolean): readonly string[] | undefined {
  const parts: string[] = []
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') parts.push(segment)
    else if (parts.pop() === undefined && !isAbsolute) return undefined
  }
  return parts
}

function sameText(first: string, second: string, how: 'exact' | 'any case'): boolean {
  return how === 'exact' ? first === second : first.toLowerCase() === second.toLowerCase()
}

function folded(part: string): string {
  return replaceHidden(part.normalize('NFKC'), () => '').toLowerCase()
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
