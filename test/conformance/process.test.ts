/** Processes under a deadline: how they ended, and that nothing of theirs goes on. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runJob, startServer, type Job } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'processes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const log = join(folder, 'job.log')
const job = (script: string, deadlineMs = 30_000): Job => ({
  command: [process.execPath, '-e', script],
  deadlineMs,
  log,
})

it('tells a program that ended well from one that did not', async () => {
  expect(await runJob(job('console.log("said")'))).toBe('passed')
  expect(await runJob(job('process.exit(3)'))).toBe('failed')
})

it('calls a program that does not exist failed', async () => {
  expect(await runJob({ ...job(''), command: [join(folder, 'nothing')] })).toBe('failed')
})

it('ends a program that hangs, with the children that hold its output', async () => {
  const hang = 'setInterval(() => {}, 1000)'
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(hang)}], { stdio: 'inherit' }); ${hang}`
  expect(await runJob(job(parent, 1000))).toBe('deadline')
})

it('starts a server and knows its URL and its end', async () => {
  const server = await startServer(
    job('console.log("http://localhost:1/mcp"); setInterval(() => {}, 1000)'),
  )
  expect(server.url).toBe('http://localhost:1/mcp')
  expect(server.exitCode()).toBeUndefined()
  await server.stop()
  expect(server.exitCode()).toBeDefined()
})

it('gives up a server that ends before it says where it is, and keeps what it wrote', async () => {
  const started = startServer(job('console.error("no port"); process.exit(4)'))
  await expect(started).rejects.toThrow(/ended with 4 before it printed its URL.*no port/s)
  await expect.poll(() => readFileSync(log, 'utf8')).toBe('no port\n')
})

it('gives up a server that says nothing in time', async () => {
  await expect(startServer(job('setInterval(() => {}, 1000)', 200))).rejects.toThrow('200 ms')
})
