/** What a server asks of the person, answered at a real terminal, with the official server that asks for everything. */
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentFolder } from '../support/agent-cli.ts'
import { KEYS, noTerminal, PseudoTerminal } from '../support/pseudo-terminal.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

if (noTerminal !== undefined) console.log(`no form was filled in at a terminal: ${noTerminal}.`)

const EVERYTHING = {
  command: process.execPath,
  args: [resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
}
const TOOL = 'everything__trigger-elicitation-request'

let folder: AgentFolder
let terminal: PseudoTerminal | undefined
beforeEach(() => {
  folder = new AgentFolder()
  folder.configure({ everything: EVERYTHING }, { policy: { allow: ['everything'] } })
})
afterEach(() => {
  terminal?.close()
  return folder.end()
})

const at = (...words: readonly string[]): PseudoTerminal => {
  const all = [...words, '--config', 'config.json']
  terminal = new PseudoTerminal(all, { cwd: folder.path, env: folder.env })
  return terminal
}
const answer = (downs: number): string => KEYS.down.repeat(downs) + KEYS.enter

describe.skipIf(noTerminal !== undefined)('a form of a server at a terminal', () => {
  it('is filled in while a model waits for its call, and what was typed comes back with the result', async () => {
    const provider = await folder.play(
      { calls: [{ name: TOOL, args: {} }] },
      { text: 'Thank you, Ada.' },
    )
    const run = at('run', 'Ask me.')
    await run.shown('Fill in 13 fields for the server everything?')
    await run.shown('Not now')
    run.press(answer(1))
    await run.shown('Field 1 of 13: String')
    run.press(`Ada${KEYS.enter}`)
    for (let field = 2; field <= 13; field += 1) {
      await run.shown(`Field ${field} of 13`)
      await run.shown('└')
      run.press(KEYS.enter)
    }
    await run.shown('"name": "Ada"')
    await run.shown('No, send nothing')
    run.press(answer(1))
    await run.shown('Thank you, Ada.')
    expect(await run.ended).toBe(0)
    const told = provider.requests[1]?.messages.at(-1)?.content
    expect(told).toContain('Ada')
  })

  it('is a no to the server by the first answer, and ends nothing', async () => {
    await folder.play({ calls: [{ name: TOOL, args: {} }] }, { text: 'As you wish.' })
    const run = at('run', 'Ask me.', '--lang', 'zh')
    await run.shown('为服务器 everything 填写 13 项')
    await run.shown('先放着')
    run.press(KEYS.enter)
    await run.shown('As you wish.')
    expect(await run.ended).toBe(0)
  })

  it('is left by Ctrl-C, which ends the run', async () => {
    await folder.play({ calls: [{ name: TOOL, args: {} }] }, { text: 'Never.' })
    const run = at('run', 'Ask me.')
    await run.shown('Fill in 13 fields')
    await run.shown('Not now')
    run.press(KEYS.interrupt)
    expect(await run.ended).toBe(130)
  })

  it('is asked of whoever calls the tool by hand', async () => {
    const call = at('call', TOOL)
    await call.shown('Fill in 13 fields')
    await call.shown('Not now')
    call.press(KEYS.enter)
    expect(await call.ended).toBe(0)
    expect(call.text).toContain('declined')
  })
})

describe('a server that asks', () => {
  it('is declared nothing where nobody can answer', async () => {
    const provider = await folder.play({ text: 'Hello.' })
    await folder.agent(['run', 'Hello.', '--config', 'config.json'])
    const names = provider.requests[0]?.tools?.map((tool) => tool.function.name)
    expect(names).not.toContain(TOOL)
    expect(names?.length).toBeGreaterThan(5)
  })

  it('has the tools that a chat would have for commands that look', async () => {
    const { stdout } = await folder.agent(['tools', '--config', 'config.json'])
    expect(stdout).toContain(TOOL)
  })
})
