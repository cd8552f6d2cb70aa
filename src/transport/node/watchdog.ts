/**
 * One small process that outlives this one for a moment and ends the servers it leaves behind.
 *
 * Servers are asked to go when they are closed, but nobody asks when this process is killed. The watchdog
 * holds a pipe from here: lines tell it which groups live, and the end of the pipe that it is its turn.
 * It is no supervisor: it restarts nothing and reports nothing.
 */

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { Socket } from 'node:net'
import { describeError } from '../../base/errors.ts'
import { silentLogger, type Logger } from '../../base/log.ts'
import type { GroupWatch } from './server-process.ts'

/** Starts the watchdog's process with a pipe as its input; may throw. */
export type WatchdogStart = (
  file: string,
  args: readonly string[],
  options: SpawnOptions,
) => ChildProcess

export interface WatchdogOptions {
  readonly start?: WatchdogStart
  /** Hears once that servers are not watched. Default silent. */
  readonly logger?: Logger
  readonly platform?: NodeJS.Platform
}

/** A watch that starts its process before the first group is started, and again when that process has died. */
export function createWatchdog(options: WatchdogOptions = {}): GroupWatch {
  const start = options.start ?? spawn
  const logger = options.logger ?? silentLogger
  const platform = options.platform ?? process.platform
  const leaders = new Set<number>()
  let dog: ChildProcess | undefined
  let warned = false

  const lose = (lost: ChildProcess | undefined, error: unknown): void => {
    if (lost !== dog) return
    dog = undefined
    if (warned) return
    warned = true
    logger.warn('Servers may stay behind if this process is killed: the watchdog does not run', {
      reason: describeError(error),
    })
  }
  const tell = (line: string): void => {
    const told = dog
    told?.stdin?.write(line, (error) => {
      if (error !== undefined && error !== null) lose(told, error)
    })
  }

  const wake = (): void => {
    try {
      dog = release(startDog(start, platform), lose)
    } catch (error) {
      return lose(undefined, error)
    }
    if (leaders.size > 0) tell([...leaders].map((each) => `+${each}\n`).join(''))
  }

  return {
    prepare() {
      if (dog === undefined) wake()
    },
    add(leader) {
      leaders.add(leader)
      if (dog === undefined) wake()
      else tell(`+${leader}\n`)
    },
    remove(leader) {
      if (leaders.delete(leader)) tell(`-${leader}\n`)
    },
  }
}

let shared: GroupWatch | undefined

/** The one watchdog of this process; the logger of the first caller is kept. */
export function hostWatchdog(logger?: Logger): GroupWatch {
  shared ??= createWatchdog(logger === undefined ? {} : { logger })
  return shared
}

function startDog(start: WatchdogStart, platform: NodeJS.Platform): ChildProcess {
  const options: SpawnOptions = {
    // A session of its own: neither Ctrl-C nor the end of the terminal reaches it.
    detached: true,
    shell: false,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: platform === 'win32' ? undefined : '/',
    windowsHide: true,
  }
  if (platform === 'win32') return start(process.execPath, ['-e', WINDOWS_SCRIPT], options)
  return start('/bin/sh', ['-c', POSIX_SCRIPT], { ...options, env: { PATH: '/bin:/usr/bin' } })
}

/** Lets this process end without waiting for the watchdog. */
function release(
  dog: ChildProcess,
  lose: (dog: ChildProcess, error: unknown) => void,
): ChildProcess {
  dog.on('error', (error) => lose(dog, error))
  dog.on('exit', () => lose(dog, new Error('it ended early')))
  dog.stdin?.on('error', (error) => lose(dog, error))
  dog.unref()
  // The pipe is a socket and can be let go, which its type as a stream does not say.
  if (dog.stdin instanceof Socket) dog.stdin.unref()
  return dog
}

/**
 * Constant text; what comes from outside are lines of a sign and digits, and all else is dropped. Numbers below
 * 2 would address everybody. At the end of input: `TERM`, up to two seconds, `KILL`.
 */
const POSIX_SCRIPT = `
trap '' HUP INT QUIT TERM PIPE
groups=' '
while IFS= read -r line; do
  leader=\${line#?}
  case $leader in ''|0*|1|*[!0-9]*) continue ;; esac
  case $line in
    +*) groups="$groups$leader " ;;
    -*) case $groups in *" $leader "*) groups="\${groups%% "$leader" *} \${groups#* "$leader" }" ;; esac ;;
  esac
done
for leader in $groups; do kill -s TERM -- "-$leader"; done
for turn in 1 2; do
  left=
  for leader in $groups; do kill -s 0 -- "-$leader" && left=1; done
  [ -z "$left" ] && exit 0
  sleep 1
done
for leader in $groups; do kill -s KILL -- "-$leader"; done
`

/** The same for Windows, where a tree of processes can be ended only by force. */
const WINDOWS_SCRIPT = `
const { spawnSync } = require('node:child_process')
const leaders = new Set()
let rest = ''
process.stdin.setEncoding('latin1')
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n')
  rest = lines.pop().slice(0, 32)
  for (const line of lines) {
    if (!/^[+-][1-9][0-9]{0,9}$/.test(line)) continue
    if (line[0] === '+') leaders.add(line.slice(1))
    else leaders.delete(line.slice(1))
  }
})
process.stdin.on('end', () => {
  for (const leader of leaders) {
    spawnSync('taskkill', ['/T', '/F', '/PID', leader], { stdio: 'ignore', windowsHide: true })
  }
})
`
