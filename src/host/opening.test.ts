import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fastClock } from '../../test/support/fast-clock.ts'
import { entryOf } from '../../test/support/runtime.ts'
import type { Clock } from '../base/clock.ts'
import type { StdioEntry } from '../config/entry.ts'
import { Registry } from './registry.ts'
import type { ServerStatus } from './state.ts'

const SERVER = resolve('test/support/peers/faulty.mjs')

let folder = ''
let registry: Registry
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deep-pilot-start-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}')
})
afterEach(async () => {
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Puts a program of this name in place of the one that fetches, and gives an entry that starts it. */
function launcher(name: string, script: string, rest: Partial<StdioEntry> = {}): StdioEntry {
  const command = join(folder, name)
  writeFileSync(command, script)
  chmodSync(command, 0o755)
  return entryOf('s', { command, args: ['-y', 'some-server'], ...rest })
}

/** Works until it is told that all is there, and then starts the server as a child, as the real ones do. */
const fetching = (go: string, log: boolean): string => `#!${process.execPath}
const { existsSync, writeFileSync, readFileSync } = require('node:fs')
const fetch = setInterval(() => {
  writeFileSync(${JSON.stringify(`${go}.part`)}, Buffer.alloc(65_536))
  readFileSync(${JSON.stringify(`${go}.part`)})
  ${log ? "process.stderr.write('fetching a part\\n')" : ''}
  if (!existsSync(${JSON.stringify(go)})) return
  clearInterval(fetch)
  const { spawn } = require('node:child_process')
  spawn(process.execPath, [${JSON.stringify(SERVER)}, 'steady'], { stdio: 'inherit' })
}, 5)
`

interface Started {
  readonly told: string[]
  readonly until: (fits: (status: ServerStatus) => boolean) => Promise<ServerStatus>
}

function start(entry: StdioEntry, clock: Clock): Started {
  const told: string[] = []
  const ears = new Set<(status: ServerStatus) => void>()
  registry = new Registry({
    clock,
    onStatus: (status) => {
      const word = `${status.state} ${status.whyKind}`
      if (told.at(-1) !== word) told.push(word)
      for (const ear of ears) ear(status)
    },
  })
  const server = registry.attach(entry)
  return {
    told,
    until: (fits) =>
      new Promise((found) => {
        const ear = (status: ServerStatus): void => {
          if (!fits(status)) return
          ears.delete(ear)
          found(status)
        }
        ears.add(ear)
        ear(server.status)
      }),
  }
}

describe.runIf(process.platform === 'linux')('a first start', () => {
  it.each([
    ['npx', 'in silence', false],
    ['uvx', 'with words on stderr', true],
  ])('by %s that fetches %s is shown as a download, and then starts', async (name, _, log) => {
    const go = join(folder, 'go')
    const { told, until } = start(launcher(name, fetching(go, log)), fastClock(20))
    const status = await until(({ downloading }) => downloading === true)
    expect(status).toMatchObject({ state: 'connecting', whyKind: 'downloading' })
    expect(status.why).toContain('fetching its program')
    writeFileSync(go, '')
    const ready = await until(({ state }) => state === 'ready')
    expect(ready).toMatchObject({ crashes: 0, tools: 2 })
    expect(ready.downloading).toBeUndefined()
    expect(told.slice(0, 2)).toEqual(['connecting starting', 'connecting downloading'])
  })

  it('that goes on fetching has longer than the limit of a start', async () => {
    const go = join(folder, 'go')
    const clock = fastClock(40)
    const begin = clock.now()
    const { told, until } = start(launcher('npx', fetching(go, false)), clock)
    await until(({ downloading }) => downloading === true)
    await new Promise<void>((resolve) => void clock.after(130_000, resolve))
    writeFileSync(go, '')
    await until(({ state }) => state === 'ready')
    expect(clock.now() - begin).toBeGreaterThan(130_000)
    expect(told.filter((word) => word.startsWith('restarting'))).toEqual([])
  })

  it('that does nothing is called a hang when its limit has run out', async () => {
    const entry = launcher('npx', '#!/bin/sh\nexec sleep 600\n')
    const { until } = start(entry, fastClock(100))
    const status = await until(({ state }) => state === 'restarting')
    expect(status).toMatchObject({ whyKind: 'start-timeout', error: { timer: 'start' } })
    expect(status.why).toContain('it hangs')
    expect(status.why).toContain('set by default')
  })

  it('whose program runs and never answers is not called a download', async () => {
    const silent = `#!/bin/sh\nsleep 600 &\nwait\n`
    const { until } = start(launcher('npx', silent), fastClock(100))
    const status = await until(({ state }) => state === 'restarting')
    expect(status.why).toContain('has started its program, which has not answered')
  })

  it('by another command has the limit of any start', async () => {
    const entry = launcher('server', '#!/bin/sh\nexec sleep 600\n')
    const { until, told } = start(entry, fastClock(50))
    const status = await until(({ state }) => state === 'restarting')
    expect(status.error).toMatchObject({ ms: 30_000, setBy: 'default' })
    expect(told).toEqual(['connecting starting', 'restarting start-timeout'])
  })
})

describe.runIf(process.platform === 'linux')('a process', () => {
  it('that is started a second time, because it ended over the first question, is the one that is named', async () => {
    const script = join(folder, 'old.mjs')
    const talk = JSON.stringify(resolve('test/support/peers/talk.mjs'))
    writeFileSync(
      script,
      `import { hear, manners, say } from ${talk}
hear((message) => {
  if (message.method === 'server/discover') process.exit(1)
  const answer = manners(message, {})
  if (answer !== undefined) say(answer)
})
`,
    )
    const started: number[] = []
    registry = new Registry({
      jobs: { started: (_, pid) => void started.push(pid), ended: () => undefined },
    })
    const server = registry.attach(entryOf('s', { command: process.execPath, args: [script] }))
    await server.ready()
    expect(started).toHaveLength(2)
    expect(server.status).toMatchObject({ pid: started[1], crashes: 0 })
  })

  it('is named in the status, recorded while it lives, and forgotten once nobody is left of it', async () => {
    const events: string[] = []
    const statuses: ServerStatus[] = []
    registry = new Registry({
      jobs: {
        started: (server, pid, command) => events.push(`${server} ${pid} ${command}`),
        ended: (pid) => events.push(`${pid} ended`),
      },
      onStatus: (status) => statuses.push(status),
    })
    const server = registry.attach(entryOf('s', { command: process.execPath, args: [SERVER] }))
    await server.ready()
    const { pid } = server.status
    expect(pid).toBeGreaterThan(1)
    await registry.close()
    expect(events).toEqual([`s ${pid} ${process.execPath}`, `${pid} ended`])
    expect(server.status.pid).toBeUndefined()
  })
})
