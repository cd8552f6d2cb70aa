/** A demo server that a person starts by hand, by the built program. */
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { KEYS, noTerminal, PseudoTerminal } from '../support/pseudo-terminal.ts'

if (noTerminal !== undefined) console.log(`Nothing is served at a terminal here: ${noTerminal}.`)

describe.skipIf(noTerminal !== undefined)('serve at a terminal', () => {
  it.each([
    ['C.UTF-8', 'calculator waits here for a client', 'Ctrl-C ends it'],
    ['zh_CN.UTF-8', 'calculator 正在等待客户端', '按 Ctrl-C 结束'],
  ])('says what it waits for, and ends as it says: %s', async (LANG, waits, ends) => {
    const env = { LANG }
    const terminal = new PseudoTerminal(['serve', 'calculator'], { cwd: process.cwd(), env })
    await terminal.shown(waits)
    await terminal.shown(ends)
    terminal.press(KEYS.interrupt)
    expect(await terminal.ended).toBe(0)
    expect(terminal.text).not.toMatch(/Cancel|取消/)
  })
})

it('says nothing to a client', async () => {
  expect(await cli(['serve', 'calculator'])).toEqual({ stdout: '', stderr: '', code: 0 })
})
