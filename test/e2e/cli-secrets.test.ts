/** Secrets of a run stay out of everything that is said beside the result, also when a server repeats them. */

import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'

const CANARY = 'canary-5e1f9ab2'
const leaky = [process.execPath, resolve(import.meta.dirname, '../fixtures/leaky-server.mjs')]
const call = ['call', 'leak', 'Authorization=Bearer canary-bearer-77', 'password=canary-word-99']

describe.each([
  [[]],
  [['--json']],
  [['--log-level', 'debug']],
  [['--log-level', 'debug', '--log-json']],
  [['--trace']],
])('with %j a secret', (options: string[]) => {
  it('in the arguments or the variables is not shown when the server repeats it in an error', async () => {
    const run = await cli([...call, ...options, '--env', `API_KEY=${CANARY}`, '--', ...leaky])
    expect(run.code).toBe(8)
    expect(run.stdout + run.stderr).not.toMatch(/canary/)
    expect(run.stderr).toContain('cannot use')
  })

  it('is not shown when the server says it and ends', async () => {
    const run = await cli([
      'tools',
      ...options,
      '--env',
      `API_KEY=${CANARY}`,
      '--',
      ...leaky,
      'exit',
    ])
    expect(run.code).toBe(4)
    expect(run.stdout + run.stderr).not.toMatch(/canary/)
    expect(run.stderr).toContain('cannot start with')
  })
})
