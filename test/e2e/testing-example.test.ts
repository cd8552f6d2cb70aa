/** The example of the testing door, run as a reader runs it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'

// A bundler and a process, on machines that do other things as well.
vi.setConfig({ testTimeout: 60_000 })

it('the tests of a server of one’s own pass, one line each', async () => {
  const args = ['scripts/run.mjs', 'examples/test-your-server.ts']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  expect(stdout.trimEnd().split('\n')).toEqual([
    'ok: books at 2025-06-18',
    'ok: books at 2026-07-28',
    'ok: has no effect before its question',
    'ok: hears that a server is busy',
    expect.stringMatching(/^ok: keeps the contract of links in \d\d checks$/),
  ])
  expect(stderr).toBe('')
})

it('the test of an agent without a model passes', async () => {
  const args = ['scripts/run.mjs', 'examples/test-your-agent.ts']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  expect([stdout, stderr]).toEqual(['ok: asked the model 3 times\n', ''])
})
