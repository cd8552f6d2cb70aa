import { spawn } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { lookAtProcess, readPs } from './group-sight.ts'

const children: { kill(signal: 'SIGKILL'): unknown }[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A process that has said a line, so that what it does first is done. */
async function started(script: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] })
  children.push(child)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child.pid ?? 0
}

describe.runIf(process.platform === 'linux')('a look at a process', () => {
  it('counts what it has started, and the work that it does', async () => {
    const alone = await started("console.log('a'); setInterval(() => {}, 1000)")
    expect(await lookAtProcess(alone)).toMatchObject({ children: 0 })
    const parent = await started(
      "require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' }).on('spawn', () => console.log('a')); process.stdin.on('end', () => process.exit()).resume()",
    )
    const sight = await lookAtProcess(parent)
    expect(sight).toMatchObject({ children: 1 })
    expect(sight?.bytes).toBeGreaterThan(0)
  })

  it('sees nothing of a process that is gone', async () => {
    expect(await lookAtProcess(2 ** 22 + 1)).toBeUndefined()
  })
})

describe('the lines of ps', () => {
  const TEXT = '    1     0 01:02:03\n  40     1   0:07.25\n  41    40 1-00:00:01\n 42 40 0:00.00\n'

  it.each([
    [40, { children: 2, ticks: 725, bytes: 0 }],
    [1, { children: 1, ticks: 372_300, bytes: 0 }],
    [41, { children: 0, ticks: 8_640_100, bytes: 0 }],
    [99, undefined],
  ])('are read for %i', (pid, sight) => {
    expect(readPs(TEXT, pid)).toEqual(sight)
  })
})
