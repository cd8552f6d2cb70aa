/**
 * Which program a command means on Windows, found without `cmd.exe`.
 *
 * `cmd.exe` reads quotes and percent signs of arguments in ways that cannot be escaped safely, so it is never
 * started: a batch file that only hands over to a script of Node is read and replaced by that script, and any
 * other is refused. Pure; files are read through a port.
 */

import { readFileSync, statSync } from 'node:fs'
import { win32 } from 'node:path'
import { TransportError } from '../../base/errors.ts'
import { windowsVariable, type Environment } from './process.ts'

/** The disk, as far as finding a program goes. */
export interface ProgramFiles {
  isFile(path: string): boolean
  /** The text of a small file. */
  read(path: string): string
}

export interface WindowsPlace {
  /** Named in errors. */
  readonly server: string
  readonly env: Environment
  readonly cwd: string
  /** The Node that runs scripts when none lies beside the batch file. */
  readonly nodePath: string
  readonly files: ProgramFiles
}

export interface Program {
  readonly file: string
  readonly args: readonly string[]
}

export const windowsFiles: ProgramFiles = {
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  read: (path) => readFileSync(path, 'utf8'),
}

const DEFAULT_EXTENSIONS = '.COM;.EXE;.BAT;.CMD'
const SCRIPT_EXTENSIONS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs'])
const COMMAND_MARKS: readonly string[] = ['&', '|', '(', '@']
/** The batch files that package managers write have a few hundred bytes. */
const MAX_BATCH_LENGTH = 64 * 1024

/** The program and its whole list of arguments, or a `DP_TRANSPORT_SPAWN` that says what to write instead. */
export function resolveWindowsCommand(
  command: string,
  args: readonly string[],
  place: WindowsPlace,
): Program {
  const path = findProgram(command, place)
  if (path === undefined) {
    throw refuse(place, {
      why: 'no-command',
      command,
      reason: `there is no command "${command}". Install it, or give its full path.`,
    })
  }
  const extension = win32.extname(path).toLowerCase()
  if (extension === '.exe' || extension === '.com') return { file: path, args }
  if (SCRIPT_EXTENSIONS.has(extension)) return { file: place.nodePath, args: [path, ...args] }
  if (extension === '.cmd' || extension === '.bat') {
    const program = readBatch(path, place)
    if (program !== undefined) return { file: program.file, args: [...program.args, ...args] }
  }
  throw refuse(place, {
    why: 'unsafe',
    command: path,
    reason: `"${path}" is no program that can be started safely. Name the program behind it as the command, e.g. "node" with the script as first argument.`,
  })
}

interface Refusal {
  readonly why: 'no-command' | 'unsafe'
  readonly command: string
  readonly reason: string
}

function refuse(place: WindowsPlace, { why, command, reason }: Refusal): TransportError {
  return new TransportError(
    'DP_TRANSPORT_SPAWN',
    `Cannot start the server "${place.server}": ${reason}`,
    {
      server: place.server,
      sent: 'no',
      detail: { kind: 'spawn', why, command },
    },
  )
}

/** Searches as Windows does, without the current folder: a file that lies there is not what was meant. */
function findProgram(command: string, { env, cwd, files }: WindowsPlace): string | undefined {
  const extensions = (windowsVariable(env, 'PATHEXT') ?? DEFAULT_EXTENSIONS)
    .split(';')
    .filter((extension) => extension !== '')
  const names = [
    ...(win32.extname(command) === '' ? [] : [command]),
    ...extensions.map((extension) => command + extension.toLowerCase()),
  ]
  const paths = /[\\/:]/u.test(command)
    ? names.map((name) => win32.resolve(cwd, name))
    : foldersOf(env).flatMap((folder) => names.map((name) => win32.join(folder, name)))
  return paths.find((path) => files.isFile(path))
}

function foldersOf(env: Environment): readonly string[] {
  return (windowsVariable(env, 'PATH') ?? '')
    .split(';')
    .map((folder) => folder.replaceAll('"', ''))
    .filter((folder) => win32.isAbsolute(folder))
}

/** What a batch file hands over to, if that is a script of Node or a program beside it and nothing else. */
function readBatch(path: string, place: WindowsPlace): Program | undefined {
  const text = place.files.read(path)
  if (text.length > MAX_BATCH_LENGTH) return undefined
  const folder = win32.dirname(path)
  const lines = text.split(/\r?\n/u)
  const variables = variablesOf(lines)
  const expand = (word: string): string | undefined => expandWord(word, folder, variables)
  for (const line of lines) {
    const program = handedOver(line)
    if (program === undefined) continue
    const [first, second] = program
    const target = expand(second ?? first)
    if (target === undefined || !place.files.isFile(target)) continue
    const extension = win32.extname(target).toLowerCase()
    if (second === undefined) {
      if (extension === '.exe') return { file: target, args: [] }
    } else if (isNode(first, expand(first)) && extension !== '.exe') {
      const near = win32.join(folder, 'node.exe')
      return { file: place.files.isFile(near) ? near : place.nodePath, args: [target] }
    }
  }
  return undefined
}

/** The one or two words before `%*`, which stands for all arguments. */
function handedOver(line: string): readonly [string, string?] | undefined {
  const end = line.indexOf('%*')
  if (end < 0) return undefined
  // Marks that begin a new command count outside of quotes only: folders of scoped packages start with `@`.
  const words: readonly string[] = line.slice(0, end).match(/"[^"]*"|[&|(@]|[^\s"&|(@]+/gu) ?? []
  const start = Math.max(...COMMAND_MARKS.map((mark) => words.lastIndexOf(mark))) + 1
  const [first, second, third] = words.slice(start).map((word) => word.replaceAll('"', ''))
  if (first === undefined || third !== undefined) return undefined
  return second === undefined ? [first] : [first, second]
}

/** The first value of each `SET`, which is the one that needs nothing else. */
function variablesOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const variables = new Map<string, string>()
  for (const line of lines) {
    const match = /\bset\s+"?([A-Za-z_][A-Za-z0-9_]*)=([^"]*)"?\s*$/iu.exec(line)
    const [, name, value] = match ?? []
    if (name === undefined || value === undefined) continue
    const key = name.toUpperCase()
    if (!variables.has(key)) variables.set(key, value)
  }
  return variables
}

/** Puts in the batch file's own folder and its variables; `undefined` when something else is asked for. */
function expandWord(
  word: string,
  folder: string,
  variables: ReadonlyMap<string, string>,
): string | undefined {
  let text = word
  for (let turn = 0; turn < 4; turn += 1) {
    text = text.replace(/%~dp0\\?|%dp0%\\?/giu, () => `${folder}\\`)
    const next = text.replace(/%([A-Za-z_][A-Za-z0-9_]*)%/gu, (all, name: string) => {
      return variables.get(name.toUpperCase()) ?? all
    })
    if (next === text) break
    text = next
  }
  return text.includes('%') ? undefined : win32.normalize(text)
}

function isNode(word: string, expanded: string | undefined): boolean {
  return /(?:^|\\)node(?:\.exe)?$/iu.test(expanded ?? word)
}
