import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endOrphans, JobBook, listJobs } from './jobs.ts'
import type { ProcessTable } from './process-identity.ts'
import { systemTable } from './process-identity.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deep-pilot-jobs-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** A machine with these processes: number and beginning. Groups live as their leaders do, and those named extra. */
function machine(
  processes: Readonly<Record<number, string>>,
  groups: readonly number[] = [],
): ProcessTable {
  return {
    beginning: (pid) => processes[pid],
    isAlive: (pid) => processes[pid] !== undefined,
    isGroupAlive: (leader) => processes[leader] !== undefined || groups.includes(leader),
  }
}

/** A record of a host that is another process than this one. */
function recordOf(members: object, name = '70-71.json'): void {
  const record = {
    version: 1,
    server: 'files',
    pid: 71,
    command: 'node',
    beginning: 'b71',
    hostPid: 70,
    hostBeginning: 'b70',
    since: 1000,
    ...members,
  }
  new JobBook(home).started('made the folder', 999_999, 'x')
  writeFileSync(join(home, 'jobs', name), JSON.stringify(record))
}

function endedWith(table: ProcessTable): readonly number[] {
  const killed: number[] = []
  endOrphans(home, { table, kill: (leader) => killed.push(leader) })
  return killed
}

describe('a job book', () => {
  it('records a process with the program and no arguments', () => {
    new JobBook(home).started('files', process.pid, 'node')
    expect(listJobs(home)).toEqual([
      {
        server: 'files',
        pid: process.pid,
        command: 'node',
        hostPid: process.pid,
        since: expect.any(Number) as number,
        alive: true,
        orphan: false,
      },
    ])
  })

  it.skipIf(process.platform === 'win32')('is for its owner alone', () => {
    new JobBook(home).started('files', process.pid, 'node')
    const file = join(home, 'jobs', `${process.pid}-${process.pid}.json`)
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  it('forgets what has ended', () => {
    const book = new JobBook(home)
    book.started('files', process.pid, 'node')
    book.ended(process.pid)
    expect(readdirSync(join(home, 'jobs'))).toEqual([])
  })

  it('goes on where nothing can be written', () => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    const book = new JobBook(file)
    book.started('files', process.pid, 'node')
    book.ended(process.pid)
    expect(listJobs(file)).toEqual([])
  })
})

describe('what a killed host left behind', () => {
  it('is ended when it is surely the process that was recorded', () => {
    recordOf({})
    expect(endedWith(machine({ 71: 'b71' }))).toEqual([71])
    expect(endedWith(machine({ 71: 'b71' }))).toEqual([])
  })

  it('is left alone while its host lives', () => {
    recordOf({})
    expect(endedWith(machine({ 70: 'b70', 71: 'b71' }))).toEqual([])
    expect(listJobs(home, { table: machine({ 70: 'b70', 71: 'b71' }) })).toContainEqual(
      expect.objectContaining({ pid: 71, orphan: false, alive: true }),
    )
  })

  it('is told from another process of the same number', () => {
    recordOf({})
    expect(endedWith(machine({ 71: 'another' }))).toEqual([])
  })

  it('is ended as well when another process has the number of its host by now', () => {
    recordOf({})
    expect(endedWith(machine({ 70: 'another', 71: 'b71' }))).toEqual([71])
  })

  it('is ended when only what it started still runs', () => {
    recordOf({})
    expect(endedWith(machine({}, [71]))).toEqual([71])
  })

  it('is left alone where the system never told which process it was', () => {
    recordOf({ beginning: undefined })
    expect(endedWith(machine({ 71: 'b71' }))).toEqual([])
  })

  it('is forgotten where its record was cut short by the end of its host', () => {
    recordOf({})
    const file = join(home, 'jobs', '70-71.json')
    writeFileSync(file, '')
    expect(endedWith(machine({ 70: 'b70', 71: 'b71' }))).toEqual([])
    expect(readdirSync(join(home, 'jobs'))).toContain('70-71.json')
    expect(endedWith(machine({ 71: 'b71' }))).toEqual([])
    expect(readdirSync(join(home, 'jobs'))).not.toContain('70-71.json')
  })

  it.each([
    ['no JSON', '{"version":1,'],
    ['another version', JSON.stringify({ version: 2, pid: 71 })],
    ['no number', JSON.stringify({ version: 1, pid: '71' })],
    [
      'everybody',
      JSON.stringify({
        version: 1,
        server: 'a',
        command: 'a',
        since: 1,
        pid: 0,
        hostPid: 70,
        beginning: 'b',
      }),
    ],
    [
      'the first process',
      JSON.stringify({
        version: 1,
        server: 'a',
        command: 'a',
        since: 1,
        pid: 1,
        hostPid: 70,
        beginning: 'b',
      }),
    ],
    ['something endless', `"${'x'.repeat(20_000)}"`],
  ])('is not read from a record that is %s', (_, text) => {
    recordOf({})
    writeFileSync(join(home, 'jobs', '70-71.json'), text)
    expect(endedWith(machine({ 1: 'b', 71: 'b71' }, [0]))).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('is ended for real, with what it started', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
      detached: true,
      stdio: 'ignore',
    })
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    recordOf({
      pid,
      beginning: systemTable.beginning(pid),
      hostPid: 2 ** 22 + 1,
      hostBeginning: 'gone',
    })
    const exited = once(child, 'exit')
    expect(endOrphans(home).map((job) => job.pid)).toContain(pid)
    expect(await exited).toEqual([null, 'SIGKILL'])
  })
})
