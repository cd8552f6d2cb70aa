/**
 * What a started command is doing, seen from outside: whether it has started others, and how much work it has done. Tells a
 * download from a hang; it looks at one process and changes nothing.
 */

import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

export interface GroupSight {
  /** Processes that it has started and that are there. */
  readonly children: number
  /** Processor time so far, in hundredths of a second. */
  readonly ticks: number
  /** Bytes read and written so far, where the system tells. */
  readonly bytes: number
}

/** Looks at a process; undefined when it is gone or cannot be seen. Never rejects. */
export type LookAtProcess = (pid: number) => Promise<GroupSight | undefined>

/** The system's own view. On Windows nothing is seen. */
export const lookAtProcess: LookAtProcess = async (pid) => {
  try {
    if (process.platform === 'linux') return await lookInProc(pid)
    return process.platform === 'win32' ? undefined : readPs(await ps(), pid)
  } catch {
    return undefined // It ended while we looked, or may not be looked at.
  }
}

async function lookInProc(pid: number): Promise<GroupSight> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
  // The name of the program is in brackets and may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const threads = await readdir(`/proc/${pid}/task`)
  const lists = threads
    .slice(0, MAX_THREADS)
    .map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => ''))
  const children = (await Promise.all(lists)).join(' ').match(/\d+/g)?.length ?? 0
  const io = await readFile(`/proc/${pid}/io`, 'latin1').catch(() => '')
  return { children, ticks: Number(fields[11]) + Number(fields[12]), bytes: bytesIn(io) }
}

const MAX_THREADS = 256

function bytesIn(io: string): number {
  const counts = [...io.matchAll(/^[rw]char: (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

function ps(): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 4 * 1024 * 1024, timeout: 5000 }
    execFile('/bin/ps', ['-axo', 'pid=,ppid=,time='], options, (error, stdout) => {
      if (error === null) resolve(stdout)
      else reject(new Error(error.message, { cause: error }))
    })
  })
}

/** Reads lines of a process, its parent, and its time as `[[days-]hours:]minutes:seconds[.hundredths]`. */
export function readPs(text: string, pid: number): GroupSight | undefined {
  let children = 0
  let ticks: number | undefined
  for (const line of text.split('\n')) {
    const [id, parent, time = ''] = line.trim().split(/\s+/)
    if (Number(parent) === pid) children += 1
    if (Number(id) === pid) ticks = ticksIn(time)
  }
  return ticks === undefined ? undefined : { children, ticks, bytes: 0 }
}

function ticksIn(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse()
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round((Number(days) * 86_400 + seconds) * 100)
}
