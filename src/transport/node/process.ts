/**
 * What a server's process is started with: its environment and its time to start.
 *
 * Pure functions with the platform passed in, so that Windows is tested everywhere. Nothing here starts a
 * process; how a command becomes a program on Windows is told in `windows-command.ts`.
 */

/** Names to values, as Node has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What a server gets of the environment on Linux and macOS when nothing is named; `LC_*` comes on top. */
const POSIX_VARIABLES: readonly string[] = Object.freeze(
  'HOME LANG LOGNAME PATH SHELL TERM TMPDIR USER'.split(' '),
)

/** What a server gets on Windows, where programs fail in odd ways without these. */
const WINDOWS_VARIABLES: readonly string[] = Object.freeze(
  (
    'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATH PATHEXT PROCESSOR_ARCHITECTURE ' +
    'PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR'
  ).split(' '),
)

/** Milliseconds until a server must have answered first, unless someone says otherwise. */
const START_TIMEOUT_MS = 30_000
/** The same for commands that may download what they run. */
const SLOW_START_TIMEOUT_MS = 120_000

/**
 * The environment of a server: the few harmless variables of `parent`, and over them everything in `own`.
 * A server never sees the rest, so no key or token reaches it unless its entry names it.
 */
export function childEnvironment(
  parent: Environment,
  own: Environment,
  platform: NodeJS.Platform,
): Record<string, string> {
  const result = new Map<string, string>()
  const windows = platform === 'win32'
  const passes = windows ? passesOnWindows : passesOnPosix
  // Names first: each value of a real environment is a call to the system.
  for (const name of Object.keys(parent)) {
    if (!passes(name)) continue
    const value = parent[name]
    // A value that starts so is a shell function, which shells run when they start.
    if (value !== undefined && !value.startsWith('()')) result.set(name, value)
  }
  for (const [name, value] of Object.entries(own)) {
    if (windows) removeSpellings(result, name)
    if (value === undefined) result.delete(name)
    else result.set(name, value)
  }
  // From entries, so that a name like `__proto__` is a name and nothing else.
  return Object.fromEntries(result)
}

/** The value of a variable whatever the case of its name, as Windows reads it. */
export function windowsVariable(env: Environment, name: string): string | undefined {
  const wanted = name.toUpperCase()
  for (const [key, value] of Object.entries(env)) {
    if (key.toUpperCase() === wanted) return value
  }
  return undefined
}

/** How long a server started so may take to its first answer, in milliseconds. */
export function startTimeoutFor(command: string, args: readonly string[] = []): number {
  const program = baseName(command)
  if (DOWNLOADERS.has(program)) return SLOW_START_TIMEOUT_MS
  const verb = args.find((word) => !word.startsWith('-'))
  const slow = verb !== undefined && (DOWNLOADING_VERBS.get(program)?.includes(verb) ?? false)
  return slow ? SLOW_START_TIMEOUT_MS : START_TIMEOUT_MS
}

const DOWNLOADERS: ReadonlySet<string> = new Set(['npx', 'uvx', 'pnpx', 'bunx', 'pipx'])
const DOWNLOADING_VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['npm', ['exec', 'x']],
  ['pnpm', ['dlx']],
  ['yarn', ['dlx']],
  ['bun', ['x']],
  ['uv', ['run', 'tool']],
  ['docker', ['run']],
  ['podman', ['run']],
])

function baseName(command: string): string {
  const last = command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1)
  return last.toLowerCase().replace(/\.(?:exe|cmd|bat)$/u, '')
}

function passesOnPosix(name: string): boolean {
  return POSIX_VARIABLES.includes(name) || name.startsWith('LC_')
}

function passesOnWindows(name: string): boolean {
  return WINDOWS_VARIABLES.includes(name.toUpperCase())
}

function removeSpellings(env: Map<string, string>, name: string): void {
  for (const key of env.keys()) {
    if (key.toUpperCase() === name.toUpperCase()) env.delete(key)
  }
}
