/**
 * What is worth a second look before a command is started: packages without a version, which can be another program
 * tomorrow, and variables that make any program run other code. Guesses from the words alone, and starts nothing.
 */

/** Names that steer interpreters, linkers and package managers. */
const STEERING: ReadonlySet<string> = new Set([
  'BASH_ENV',
  'ENV',
  'GIT_SSH_COMMAND',
  'JAVA_TOOL_OPTIONS',
  'LD_AUDIT',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'PATH',
  'PERL5LIB',
  'PERL5OPT',
  'PYTHONHOME',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  'RUBYLIB',
  'RUBYOPT',
  'SSL_CERT_FILE',
  '_JAVA_OPTIONS',
])

const STEERING_PREFIXES: readonly string[] = ['DYLD_', 'NPM_CONFIG_', 'PIP_', 'UV_', 'GIT_CONFIG']

/** Whether a variable of this name can make a program run code of someone else's choice. */
export function isDangerousVariable(name: string): boolean {
  const upper = name.toUpperCase()
  return STEERING.has(upper) || STEERING_PREFIXES.some((prefix) => upper.startsWith(prefix))
}

export interface UnpinnedPackage {
  readonly launcher: string
  readonly package: string
}

/** The package that the command fetches in whatever version is newest; nothing when it fetches none or names a version. */
export function unpinnedPackage(
  command: string,
  args: readonly string[],
): UnpinnedPackage | undefined {
  const [launcher, rest] = launcherOf(baseName(command), args)
  const found = launcher === undefined ? undefined : packageOf(launcher, rest)
  if (launcher === undefined || found === undefined || isLocal(found)) return undefined
  const pinned = PYTHON.has(launcher) ? /(==|@)\d/.test(found) : /.@v?\d+\.\d+\.\d+/.test(found)
  return pinned ? undefined : { launcher, package: found }
}

const PYTHON: ReadonlySet<string> = new Set(['uvx', 'uv tool run', 'pipx run'])

/** Commands that fetch what they run, by their words. */
const LAUNCHERS: readonly (readonly [string, ...string[]])[] = [
  ['npx'],
  ['pnpx'],
  ['bunx'],
  ['uvx'],
  ['npm', 'exec'],
  ['npm', 'x'],
  ['pnpm', 'dlx'],
  ['yarn', 'dlx'],
  ['bun', 'x'],
  ['uv', 'tool', 'run'],
  ['pipx', 'run'],
]

function launcherOf(
  command: string,
  args: readonly string[],
): readonly [string | undefined, readonly string[]] {
  // On Windows such commands are scripts, which people start by their shell.
  if (command === 'cmd' && /^\/c$/i.test(args[0] ?? ''))
    return launcherOf(baseName(args[1] ?? ''), args.slice(2))
  const found = LAUNCHERS.find(
    ([first, ...words]) => first === command && words.every((word, at) => args[at] === word),
  )
  return found === undefined ? [undefined, args] : [found.join(' '), args.slice(found.length - 1)]
}

function baseName(command: string): string {
  const name = command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1)
  return name.toLowerCase().replace(/\.(cmd|exe|bat|ps1)$/, '')
}

/** Options of launchers with a value behind them. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '--python',
  '-p',
  '--with',
  '--index-url',
  '--registry',
  '--cache',
])

function packageOf(launcher: string, args: readonly string[]): string | undefined {
  const named = PYTHON.has(launcher) ? ['--from', '--spec'] : ['-p', '--package']
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (named.includes(word)) return args[at + 1]
    const option = named.find((name) => word.startsWith(`${name}=`))
    if (option !== undefined) return word.slice(option.length + 1)
    if (!word.startsWith('-')) return word
    if (WITH_VALUE.has(word)) at += 1
  }
  return undefined
}

/** Paths and addresses are their own kind of version. */
function isLocal(name: string): boolean {
  return /^[./~]|^[a-z+]+:|\\/i.test(name)
}
