/**
 * A real model calls a real tool through the built program. It costs a little money, so it runs only when it is asked for
 * (`npm run smoke:live`) and a key is there; else it says why it did not.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { join } from 'node:path'
import { placeOf } from '../../src/agent/providers.ts'
import { calculator, HostFolder } from '../support/cli-host.ts'
import { cli, type CliRun } from '../support/cli.ts'

// A model may think for a while.
vi.setConfig({ testTimeout: 300_000 })

const { env } = process
const model = env['DEEP_PILOT_MODEL'] ?? 'deepseek'
const place = placeOf(model, { env })
const key = place.keyVariables.find((name) => (env[name] ?? '') !== '')
const isOwn = env['DEEP_PILOT_BASE_URL'] !== undefined || place.keyVariables.length === 0
const whyNot =
  env['DEEP_PILOT_LIVE'] !== '1'
    ? 'DEEP_PILOT_LIVE is not 1'
    : key === undefined && !isOwn
      ? `there is no key in ${place.keyVariables.join(' or ')}`
      : undefined

if (whyNot !== undefined) console.log(`No real model was asked: ${whyNot}.`)

let folder: HostFolder
beforeAll(() => {
  folder = new HostFolder()
  folder.configure({ calculator }, { policy: { allow: ['calculator'] } })
})
afterAll(() => folder.remove())

function program(words: readonly string[], input = ''): Promise<CliRun> {
  const named = [...place.keyVariables, 'DEEP_PILOT_BASE_URL', 'DEEP_PILOT_API_KEY']
  const own = named.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return cli([...words, '--config', 'config.json', '--model', model], {
    cwd: folder.path,
    env: {
      ...Object.fromEntries(own),
      DEEP_PILOT_HOME: join(folder.path, 'home'),
      LANG: 'C.UTF-8',
    },
    input,
  })
}

// 48,271 times 90,001 is told by no table.
const TASK = 'Multiply 48271 by 90001 with the calculator tool, and answer with the digits alone.'
const PRODUCT = /4[,. ]?344[,. ]?438[,. ]?271/

describe.skipIf(whyNot !== undefined)(`${place.provider}:${place.name}`, () => {
  it('calls a tool, and answers with what came of it', async () => {
    const { stdout, stderr, code } = await program(['run', TASK, '--json', '--budget-turns', '5'])
    expect([code, stderr]).toEqual([0, ''])
    const events = stdout.trimEnd().split('\n')
    const called = events.find((line) => line.includes('"type":"result"'))
    expect(called).toMatch(PRODUCT)
    expect(called).toContain('"failed":false')
    expect(events.at(-1)).toMatch(PRODUCT)
  })

  it('takes its own thoughts back in the second message of a chat, and knows what was said', async () => {
    const input = `${TASK}\nNow add 1 to that result with the same tool; digits alone.\n`
    const { stdout, code } = await program(['chat', '--budget-turns', '5'], input)
    expect(code).toBe(0)
    expect(stdout).toMatch(/4[,. ]?344[,. ]?438[,. ]?272/)
  })
})
