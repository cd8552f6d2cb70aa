import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { killHosts } from '../../../test/support/stdio/orphans.ts'
import { isAlive, PEER, untilGone } from '../../../test/support/stdio/port.ts'
import { createLogger } from '../../base/log.ts'
import { createWatchdog, type WatchdogOptions } from './watchdog.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts a group whose leader ends at SIGTERM, or one that does not; settles when it runs. */
async function group(way: 'plain' | 'stubborn' = 'plain'): Promise<number> {
  const [file, args] = way === 'plain' ? ['sleep', ['60']] : [process.execPath, [PEER, 'stubborn']]
  const child = spawn(file, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  children.push(child)
  await new Promise((resolve) => child.once('spawn', resolve))
  if (way === 'stubborn') await new Promise((resolve) => child.stdout?.once('data', resolve))
  return child.pid ?? 0
}

interface Dogs {
  readonly dogs: ChildProcess[]
  readonly options: WatchdogOptions
}

function kennel(options: WatchdogOptions = {}): Dogs {
  const dogs: ChildProcess[] = []
  return {
    dogs,
    options: {
      start(file, args, spawnOptions) {
        const dog = spawn(file, args, spawnOptions)
        dogs.push(dog)
        children.push(dog)
        return dog
      },
      ...options,
    },
  }
}

/** Ends the watchdog's pipe as the end of this process would, and waits for it to finish. */
async function endPipe(dog: ChildProcess | undefined): Promise<number | null> {
  const exit = new Promise<number | null>((resolve) => dog?.once('exit', resolve))
  dog?.stdin?.end()
  return exit
}

/** The traps of a shell are seen in a folder that only Linux has. */
const linux = process.platform === 'linux'
const posix = process.platform !== 'win32'

describe.runIf(posix)('the watchdog', () => {
  it('is not started before there is something to watch, and once for all', async () => {
    const { dogs, options } = kennel()
    const watch = createWatchdog(options)
    expect(dogs).toHaveLength(0)
    watch.add(await group())
    watch.add(await group())
    expect(dogs).toHaveLength(1)
  })

  it('ends the groups it was told of, and itself', async () => {
    const { dogs, options } = kennel()
    const watch = createWatchdog(options)
    const pids = [await group(), await group('stubborn')]
    for (const pid of pids) watch.add(pid)
    await endPipe(dogs[0])
    expect(await untilGone(pids)).toBeDefined()
  })

  it('leaves groups alone that are reported as gone', async () => {
    const { dogs, options } = kennel()
    const watch = createWatchdog(options)
    const [first, second, third] = [await group(), await group(), await group()]
    for (const pid of [first, second, third]) watch.add(pid)
    watch.remove(second)
    expect(await endPipe(dogs[0])).toBe(0)
    expect(await untilGone([first, third])).toBeDefined()
    expect(isAlive(second)).toBe(true)
  })

  it.runIf(linux)('is not ended by what the terminal sends', async () => {
    const { dogs, options } = kennel()
    const watch = createWatchdog(options)
    const pid = await group()
    watch.add(pid)
    // The line is in the pipe before the signals, and read after them.
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGTERM'] as const) {
      await untilTrapped(dogs[0], signal)
      dogs[0]?.kill(signal)
    }
    await endPipe(dogs[0])
    expect(await untilGone([pid])).toBeDefined()
  })

  it('addresses only what was named by a sign and a number above one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dog-'))
    const log = join(folder, 'log')
    try {
      const { dogs, options } = kennel()
      const watch = createWatchdog({
        ...options,
        start(file, [flag = '', script = ''], spawnOptions) {
          // Nothing is signalled here, whatever the script would do: the command is a stand-in.
          const harmless = `kill() { echo "$*" >> '${log}'; return 1; }\n${script}`
          const dog = spawn(file, [flag, harmless], spawnOptions)
          dogs.push(dog)
          return dog
        },
      })
      watch.add(4_000_001)
      const lines = [
        '+1',
        '+0',
        '-0',
        '+',
        '',
        '+-1',
        '+12x',
        '+ 9',
        '9',
        '+$(id)',
        '+09',
        '*',
        '+7 8',
        '+-2',
      ]
      dogs[0]?.stdin?.write(`${lines.join('\n')}\n`)
      watch.add(4_000_002)
      watch.add(400_000)
      watch.remove(4_000_002)
      await endPipe(dogs[0])
      expect(readFileSync(log, 'utf8').split('\n')).toEqual(
        ['s TERM -- -4000001', 's TERM -- -400000', 's 0 -- -4000001', 's 0 -- -400000', ''].map(
          (line) => line && `-${line}`,
        ),
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is started again when it has died, and hears of all that live', async () => {
    const { dogs, options } = kennel()
    const watch = createWatchdog(options)
    const [first, second] = [await group(), await group()]
    watch.add(first)
    const exit = new Promise((resolve) => dogs[0]?.once('exit', resolve))
    dogs[0]?.kill('SIGKILL')
    await exit
    watch.add(second)
    expect(dogs).toHaveLength(2)
    await endPipe(dogs[1])
    expect(await untilGone([first, second])).toBeDefined()
  })

  it('that cannot start is told once and stops nobody', async () => {
    const warnings: string[] = []
    const logger = createLogger(({ message }) => warnings.push(message))
    const watch = createWatchdog({
      logger,
      start: () => {
        throw new Error('EAGAIN')
      },
    })
    watch.add(4_000_000)
    watch.add(4_000_001)
    watch.remove(4_000_000)
    expect(warnings).toHaveLength(1)
    const { options, dogs } = kennel({
      logger,
      start: (_file, _args, spawnOptions) => {
        const dog = spawn('/no/such/shell', [], spawnOptions)
        dogs.push(dog)
        return dog
      },
    })
    createWatchdog(options).add(4_000_002)
    await new Promise((resolve) => dogs[0]?.once('error', resolve))
    expect(warnings).toHaveLength(2)
  })

  it.runIf(linux)('has no environment but a path', async () => {
    const { dogs, options } = kennel()
    createWatchdog(options).add(await group())
    expect(readFileSync(`/proc/${dogs[0]?.pid}/environ`, 'latin1')).not.toContain('HOME')
  })
})

/** The trap is set when the shell waits for its first line: then it ignores the signal. */
async function untilTrapped(dog: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  const bit = { SIGHUP: 0, SIGINT: 1, SIGQUIT: 2, SIGTERM: 14 }[signal as 'SIGINT']
  for (;;) {
    const status = readFileSync(`/proc/${dog?.pid}/status`, 'utf8')
    const ignored = /^SigIgn:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'
    if ((BigInt(`0x${ignored}`) >> BigInt(bit)) & 1n) return
    await new Promise(setImmediate)
  }
}

describe.runIf(posix)('for Windows, played on another system', () => {
  it('ends trees of processes by their number, given as an argument of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dog-'))
    const log = join(folder, 'log')
    try {
      const taskkill = join(folder, 'taskkill')
      writeFileSync(taskkill, `#!/bin/sh\necho "$# $*" >> "${log}"\n`)
      chmodSync(taskkill, 0o755)
      const { dogs, options } = kennel({ platform: 'win32' })
      const watch = createWatchdog({
        ...options,
        start: (file, args, spawnOptions) => {
          const env = { PATH: `${folder}:${process.env['PATH']}` }
          const dog = spawn(file, args, { ...spawnOptions, env })
          dogs.push(dog)
          return dog
        },
      })
      watch.add(4_000_001)
      watch.add(4_000_002)
      watch.remove(4_000_001)
      dogs[0]?.stdin?.write('+4000003 & calc\n+\n+4000004\n')
      await endPipe(dogs[0])
      expect(readFileSync(log, 'utf8')).toBe('4 /T /F /PID 4000002\n4 /T /F /PID 4000004\n')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe.runIf(posix)('a host', () => {
  it('that is killed leaves no server, five times with three that ignore everything', async () => {
    const results = await killHosts({ times: 5 })
    expect(results).toHaveLength(5)
    expect(results.filter((ms) => ms === undefined)).toEqual([])
  })

  it('that ends without closing anything leaves no server and no watchdog', async () => {
    expect(await killHosts({ times: 1, end: 'exit' })).toEqual([expect.any(Number)])
  })
})
