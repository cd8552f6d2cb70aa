/** `chat` at a real terminal: keys, questions, interrupts and pastes. Only where Python can make one. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentFolder } from '../support/agent-cli.ts'
import { calculator } from '../support/cli-host.ts'
import type { PlayedReply } from '../support/played-provider.ts'
import { KEYS, noTerminal, PseudoTerminal } from '../support/pseudo-terminal.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

if (noTerminal !== undefined) console.log(`chat at a terminal was not tried: ${noTerminal}.`)

let folder: AgentFolder
let terminal: PseudoTerminal | undefined
beforeEach(() => {
  folder = new AgentFolder()
  folder.configure({ calculator }, {})
})
afterEach(() => {
  terminal?.close()
  return folder.end()
})

/** A chat whose prompt is there. */
async function opened(...words: readonly string[]): Promise<PseudoTerminal> {
  const all = ['chat', '--config', 'config.json', ...words]
  terminal = new PseudoTerminal(all, { cwd: folder.path, env: folder.env })
  await terminal.shown('/help')
  await terminal.shown('› ')
  return terminal
}

const calls = (...exprs: readonly string[]): PlayedReply => ({
  reasoning: 'sum',
  calls: exprs.map((expr) => ({ name: 'calculator__calculator', args: { expr } })),
})
/** What ends a turn on the screen. */
const SPENT = 'tokens in'
/** Of the question whether a tool may be called, with all answers drawn. */
const QUESTION = 'Yes, always this tool'
const answer = (downs: number): string => KEYS.down.repeat(downs) + KEYS.enter

describe.skipIf(noTerminal !== undefined)('chat at a terminal', () => {
  it('is interrupted by Ctrl-C in the midst of an answer, goes on, and ends by two at the prompt', async () => {
    const provider = await folder.play(
      { text: 'A long answer that pauses.', pauses: true },
      { text: 'Here I am.' },
    )
    const chat = await opened()
    chat.press(`Tell me.${KEYS.enter}`)
    await chat.shown('A long')
    chat.press(KEYS.interrupt)
    await chat.shown('Interrupted.')
    await vi.waitUntil(() => provider.broken === 1)
    chat.press(`Still there?${KEYS.enter}`)
    await chat.shown('Here I am.')
    const [, ...said] = provider.requests[1]?.messages ?? []
    expect(said.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: Tell me.',
      'assistant: A long ans',
      'user: Still there?',
    ])
    await chat.shown(SPENT)
    chat.press(KEYS.interrupt)
    await chat.shown('Ctrl-C again')
    chat.press(KEYS.interrupt)
    await chat.shown('chat --resume')
    expect(await chat.ended).toBe(0)
    // Pastes are not left marked, and the cursor is not left hidden.
    const { written } = chat
    expect(written.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(
      written.lastIndexOf('\u001b[?2004h'),
    )
    expect(written.lastIndexOf('\u001b[?25l')).toBeLessThanOrEqual(
      written.lastIndexOf('\u001b[?25h'),
    )
  })

  it('asks before a call; a no is told to the model with its reason', async () => {
    const provider = await folder.play(calls('1+1'), { text: 'I see.' })
    const chat = await opened()
    chat.press(`Add.${KEYS.enter}`)
    await chat.shown('"expr": "1+1"')
    await chat.shown(QUESTION)
    chat.press(answer(1))
    await chat.shown('Why not?')
    chat.press(`今天不行${KEYS.enter}`)
    await chat.shown('refused')
    await chat.shown('I see.')
    expect(provider.requests[1]?.messages.at(-1)?.content).toContain('今天不行')
  })

  it.each([
    ['ok', 'ok'],
    ['jjj', 'jjj'],
    ['kkk', 'kkk'],
    ['↑ past the first answer', KEYS.up.repeat(3)],
  ])('takes %s and Enter at the question for a no', async (_, keys) => {
    await folder.play(calls('1+1'), { text: 'I see.' })
    const chat = await opened()
    chat.press(`Add.${KEYS.enter}`)
    await chat.shown(QUESTION)
    chat.press(keys + KEYS.enter)
    await chat.shown('t1c1 refused')
    await chat.shown('I see.')
    expect(existsSync(join(folder.path, 'home/grants.json'))).toBe(false)
  })

  it('asks once for a yes that holds for the session, and anew after /clear', async () => {
    const provider = await folder.play(calls('1+1', '1+2'), { text: 'Done.' }, calls('1+3'))
    const chat = await opened()
    chat.press(`Add.${KEYS.enter}`)
    await chat.shown(QUESTION)
    chat.press(answer(3))
    await chat.shown('t1c2 ok')
    await chat.shown(SPENT)
    const tools = provider.requests[1]?.messages.filter(({ role }) => role === 'tool')
    expect(tools?.map(({ content }) => content)).toEqual(['2', '3'])
    chat.press(`/clear${KEYS.enter}`)
    await chat.shown('A new conversation begins.')
    chat.press(`Again.${KEYS.enter}`)
    await chat.shown('"expr": "1+3"')
    await chat.shown(QUESTION)
  })

  it('takes Ctrl-C in a question for a no to all calls, and asks the model nothing more', async () => {
    const provider = await folder.play(calls('1+1', '1+2'), { text: 'Hello.' })
    const chat = await opened()
    chat.press(`Add.${KEYS.enter}`)
    await chat.shown(QUESTION)
    chat.press(KEYS.interrupt)
    await chat.shown('t1c1 refused')
    await chat.shown('t1c2 ')
    await chat.shown('Interrupted.')
    expect(chat.text).not.toContain('"expr": "1+2"\n')
    expect(provider.requests).toHaveLength(1)
    await chat.shown(SPENT)
    chat.press(`Hi.${KEYS.enter}`)
    await chat.shown('Hello.')
    const roles = provider.requests[1]?.messages.map(({ role }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user'])
  })

  it('takes a paste of several lines for one message, and keeps what was written for the next time', async () => {
    const provider = await folder.play({ text: 'Read.' }, { text: 'Again.' })
    const first = await opened()
    first.press('\u001b[200~one\rtwo 二\r三\u001b[201~')
    await first.shown('三')
    first.press(KEYS.enter)
    await first.shown('Read.')
    await first.shown(SPENT)
    first.press(KEYS.end)
    expect(await first.ended).toBe(0)
    const second = await opened('--resume')
    second.press('\u001b[A')
    await second.shown('三')
    second.press(KEYS.enter)
    await second.shown('Again.')
    const [one, two] = provider.requests
    expect(one?.messages.at(-1)?.content).toBe('one\ntwo 二\n三')
    expect(two?.messages.at(-1)?.content).toBe('one\ntwo 二\n三')
  })

  it('goes on after a model that failed', async () => {
    const failure = { status: 402, body: { error: { message: 'Insufficient Balance' } } }
    const provider = await folder.play({ failure }, { text: 'Now I can.' })
    const chat = await opened('--lang', 'zh')
    chat.press(`一${KEYS.enter}`)
    await chat.shown('Insufficient Balance')
    chat.press(`二${KEYS.enter}`)
    await chat.shown('Now I can.')
    expect(provider.requests[1]?.messages.at(-1)?.content).toBe('二')
  })
})

describe.skipIf(noTerminal !== undefined)('chat --json at a terminal', () => {
  it('is refused, with the ways that there are', async () => {
    await folder.play()
    terminal = new PseudoTerminal(['chat', '--json'], { cwd: folder.path, env: folder.env })
    await terminal.shown('deep-pilot run --json')
    expect(await terminal.ended).toBe(1)
  })
})

describe.skipIf(noTerminal !== undefined)('run at a terminal', () => {
  const ran = (): PseudoTerminal => {
    const words = ['run', 'Tell me.', '--config', 'config.json']
    terminal = new PseudoTerminal(words, { cwd: folder.path, env: folder.env })
    return terminal
  }

  it.each([
    ['at the question', QUESTION, KEYS.interrupt],
    ['at the reason of a no', 'Why not?', KEYS.interrupt],
  ])('is interrupted by Ctrl-C %s: nothing is called, nobody else asked', async (_, words, key) => {
    const provider = await folder.play(calls('1+1', '1+2'), { text: 'Never.' })
    const run = ran()
    await run.shown(QUESTION)
    if (words !== QUESTION) run.press(answer(1))
    if (words !== QUESTION) await run.shown(words)
    run.press(key)
    await run.shown('t1c1 refused')
    await run.shown('t1c2 not called')
    expect(await run.ended).toBe(130)
    expect(run.text).not.toContain('"expr": "1+2"')
    expect(run.text).not.toContain('--yes')
    expect(provider.requests).toHaveLength(1)
    const audit = readFileSync(join(folder.path, 'home/audit.jsonl'), 'utf8').trimEnd().split('\n')
    expect(audit.map((line) => JSON.parse(line) as object)).toMatchObject([{ verdict: 'deny' }])
  })

  it('takes Escape at the question for a no, and goes on', async () => {
    await folder.play(calls('1+1'), { text: 'I see.' })
    const run = ran()
    await run.shown(QUESTION)
    run.press('\u001b')
    await run.shown('I see.')
    expect(await run.ended).toBe(6)
  })

  it('shows the answer as it comes, and once', async () => {
    const provider = await folder.play({ text: 'A long answer that pauses.', pauses: true })
    const run = ran()
    await run.shown('A long')
    provider.goOn()
    expect(await run.ended).toBe(0)
    expect(run.text.match(/A long answer that pauses\./g)).toHaveLength(1)
  })

  it('keeps on the screen what came before Ctrl-C, and says that it is not all', async () => {
    await folder.play({ text: 'A long answer that pauses.', pauses: true })
    const run = ran()
    await run.shown('A long')
    run.press(KEYS.interrupt)
    await run.shown('The answer is not whole: it was interrupted.')
    expect(await run.ended).toBe(130)
    expect(run.text.match(/A long/g)).toHaveLength(1)
  })
})
