/** `chat` over standard input: each line is a message, and nobody is there to be asked. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentFolder, KEY } from '../support/agent-cli.ts'
import { calculator } from '../support/cli-host.ts'
import { finished } from '../support/cli.ts'
import type { PlayedMessage, PlayedReply } from '../support/played-provider.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: AgentFolder
beforeEach(() => {
  folder = new AgentFolder()
  folder.configure({ calculator }, { policy: { allow: ['calculator'] } }, 'allowed.json')
  folder.configure({ calculator }, {}, 'asking.json')
})
afterEach(() => folder.end())

const chat = (...words: readonly string[]): readonly string[] => [
  'chat',
  '--config',
  'allowed.json',
  ...words,
]
const calls = (expr: string, reasoning: string): PlayedReply => ({
  reasoning,
  text: 'Let me calculate.',
  calls: [{ name: 'calculator__calculator', args: { expr } }],
})
const rolesOf = (messages: readonly PlayedMessage[] | undefined): readonly string[] =>
  (messages ?? []).map(({ role }) => role)
const thoughtsOf = (messages: readonly PlayedMessage[] | undefined): readonly unknown[] =>
  (messages ?? []).filter(({ role }) => role === 'assistant').map((one) => one.reasoning_content)

describe('chat over a pipe', () => {
  it('takes each line as a message of one conversation, and answers on standard output', async () => {
    const provider = await folder.play(
      calls('23*7', 'first'),
      { reasoning: 'second', text: 'It is 161.' },
      { text: '再见。' },
    )
    const { stdout, stderr, code } = await folder.agent(chat(), 'What is 23*7?\n\n谢谢\n')
    expect(stdout).toBe('Let me calculate.\nIt is 161.\n再见。\n')
    expect(stderr).toContain('→ t1c1 calculator__calculator {"expr":"23*7"}\n← t1c1 ok')
    expect(code).toBe(0)
    const last = provider.requests[2]?.messages
    expect(rolesOf(last)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
    expect(thoughtsOf(last)).toEqual(['first', 'second'])
  })

  it('prints events as run does with --json, and nothing beside them', async () => {
    await folder.play(calls('23*7', 'first'), { text: 'It is 161.' }, { text: 'Bye.' })
    const { stdout, stderr, code } = await folder.agent(chat('--json'), 'What is 23*7?\nThanks\n')
    const lines = stdout.trimEnd().split('\n')
    const events = lines.map((line) => JSON.parse(line) as { type: string; end?: object }) // events
    const types = events.map(({ type }) => type).join(' ')
    expect(types).toBe('begin turn reply call result turn reply end turn reply end')
    expect(events.at(-1)?.end).toMatchObject({ reason: 'done', text: 'Bye.' })
    expect([stderr, code]).toEqual(['', 0])
  })

  it('greets with the count of tools that /tools lists', async () => {
    await folder.play()
    const { stderr, code } = await folder.agent(chat(), '/tools\n')
    expect(stderr).toContain(', with 2 tools (1 built in).\n')
    expect(stderr).toContain('· 2 tools (1 built in); about ')
    expect(code).toBe(0)
  })

  it('goes on with a session: everything that was said and thought is sent again', async () => {
    await folder.play(calls('1+1', 'one'), { reasoning: 'two', text: 'Two.' })
    await folder.agent(chat(), 'What is 1+1?\n')
    const [id = ''] = folder.sessions()
    const again = await folder.play({ reasoning: 'three', text: 'Because.' }, { text: 'Yes.' })
    const { stderr, code } = await folder.agent(chat('--resume', id), 'Why?\nSure?\n')
    expect(stderr).toContain(`Going on with session ${id}, 4 messages so far.`)
    expect(stderr).toContain('› What is 1+1?\n  Two.\n')
    expect(code).toBe(0)
    const [first, second] = again.requests
    expect(rolesOf(first?.messages)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect(thoughtsOf(second?.messages)).toEqual(['one', 'two', 'three'])
    expect(first?.messages.at(-1)?.content).toBe('Why?')
    expect(folder.sessions()).toEqual([id])
  })

  it("goes on with a model of one's own as it was held with, and says so", async () => {
    const provider = await folder.play({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' })
    const bare = { DEEP_PILOT_BASE_URL: '' }
    const own = ['--base-url', provider.url, '--model', 'mine', '--context', '9000']
    await folder.agent(chat(...own), 'first\n', bare)
    const again = await folder.agent(chat('--resume'), 'second\n', bare)
    expect(again.stderr).toContain('· compatible:mine, with')
    expect(again.stderr.replaceAll('\n  ', ' ')).toContain(
      `· As before: --base-url ${provider.url} --context 9000\n`,
    )
    expect([again.stdout, again.code]).toEqual(['Two.\n', 0])
    const words = chat('--resume', '--model', 'other', '--lang', 'zh')
    const changed = await folder.agent(words, 'third\n', bare)
    expect(changed.stderr.replaceAll('\n  ', '')).toContain(
      '· 与之前不同：--model compatible:other（之前：compatible:mine），未给出 --context（之前：9000）\n',
    )
    expect(provider.requests.map(({ model }) => model)).toEqual(['mine', 'mine', 'other'])
    const json = await folder.agent(chat('--resume', '--json', '--context', '5'), '', bare)
    expect(JSON.parse(json.stderr)).toEqual({
      resumed: {
        asBefore: [{ option: '--base-url', value: provider.url }],
        changed: [{ option: '--context', now: '5' }],
      },
    })
    expect(folder.allText()).not.toContain(KEY)
  })

  it('goes on with the last chat, also after a run', async () => {
    await folder.play({ text: 'One.' }, { text: 'Ran.' }, { text: 'Two.' })
    await folder.agent(chat(), 'first\n')
    const [id = ''] = folder.sessions()
    await folder.agent(['run', 'task', '--config', 'allowed.json'])
    const { stderr, stdout } = await folder.agent(chat('--resume'), 'second\n')
    expect(stderr).toContain(`Going on with session ${id}`)
    expect(stdout).toBe('Two.\n')
  })

  it('tells the model of a call that nobody could allow, and goes on', async () => {
    const provider = await folder.play(
      calls('1+1', 'x'),
      { text: 'It was refused.' },
      { text: 'Ok.' },
    )
    const words = ['chat', '--config', 'asking.json']
    const { stdout, stderr, code } = await folder.agent(words, 'Try.\nGo on.\n')
    expect(stdout).toBe('Let me calculate.\nIt was refused.\nOk.\n')
    expect(stderr).toContain('← t1c1 refused')
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('was not called') as string,
    })
    expect(code).toBe(0)
  })

  it('does what the words that begin with / say, on stderr alone', async () => {
    const provider = await folder.play(calls('2+3', 'sum'), { text: 'Five.' })
    const input = [
      '/why',
      'What is 2+3?',
      '/why t1c1',
      '/cost',
      '/tools calc',
      '/servers',
      '/capture',
      '/reasoning',
      '/model',
      '/compact',
      '/frob',
      '/exit',
      'never said',
    ].join('\n')
    const { stdout, stderr, code } = await folder.agent(chat(), input)
    expect(stdout).toBe('Let me calculate.\nFive.\n')
    expect(stderr).toContain('{"expr":"2+3"}')
    expect(stderr).toMatch(/On the wire[^]*"method":"tools\/call"/)
    expect(stderr).toContain('In all: 2 requests · 240 tokens in, 60 out')
    expect(stderr).toContain('calculator__calculator')
    expect(stderr).toMatch(/calculator +ready/)
    expect(stderr).toMatch(/deep-pilot captures show \S+capture\.jsonl$/m)
    expect(stderr).toContain('deepseek:played-2')
    expect(stderr).toContain('There is no /frob.')
    expect(stderr + folder.allText()).not.toContain(KEY)
    expect([provider.requests.length, code]).toEqual([2, 0])
  })

  it('starts a server anew that was given up, and says which there are', async () => {
    await folder.play()
    const broken = { command: process.execPath, args: ['-e', '0'] }
    folder.configure({ calculator, broken }, {}, 'allowed.json')
    const input = ['/restart', '/restart brocken', '/restart calculator', '/restart broken']
    const { stderr, code } = await folder.agent(chat(), input.join('\n'))
    expect(stderr).toContain('· Which server? There are: calculator, broken.\n')
    expect(stderr).toContain('· There is no server "brocken". There are: calculator, broken.\n')
    expect(stderr).toMatch(/calculator is started anew …\ncalculator +ready/)
    expect(stderr).toMatch(/broken is started anew …\nbroken +(?:restarting|failed)/)
    expect(code).toBe(0)
  })

  it('ends with the message that failed, and says that what follows was not said', async () => {
    const failure = { status: 402, body: { error: { message: 'Insufficient Balance' } } }
    const provider = await folder.play({ failure }, { text: 'Never.' })
    const more = await folder.agent(chat(), 'One.\nTwo.\n')
    expect(more.stderr).toContain('What follows on standard input was not said')
    expect([provider.requests.length, more.code]).toEqual([1, 8])
    await folder.play({ failure })
    const last = await folder.agent(chat(), 'One.\n')
    expect(last.stderr).not.toContain('What follows')
  })

  it('says which words a command takes, and which calls there are', async () => {
    await folder.play(calls('2+3', 'sum'), { text: 'Five.' })
    const input = ['/why', '/why t1c1', 'Add.', '/why t9c9', '/reasoning sum', '/reasoning ON']
    const { stderr, code } = await folder.agent(chat(), input.join('\n'))
    expect(stderr.match(/^· No tool was called yet\.$/gm)).toHaveLength(2)
    expect(stderr).toContain('· There is no call "t9c9" in this session. There are: t1c1.\n')
    expect(stderr).toContain('takes on or off, not "sum".\n')
    expect(stderr).toContain('· What the model thinks is shown from now on.\n')
    expect(stderr).not.toMatch(/Error|┊/)
    expect(code).toBe(0)
  })

  it('tells the model alone where its server has no list of models', async () => {
    const provider = await folder.play()
    provider.listless = true
    const { stderr, code } = await folder.agent(chat(), '/model\n')
    expect(stderr).toContain('The model is deepseek:')
    expect(stderr).toContain('Its server gives no list of models.')
    expect(stderr).not.toMatch(/404|No reply/)
    expect(code).toBe(0)
  })

  it('begins anew with /clear: nothing of before is sent', async () => {
    const provider = await folder.play({ text: 'One.' }, { text: 'Two.' })
    await folder.agent(chat(), 'first\n/clear\nsecond\n')
    expect(rolesOf(provider.requests[1]?.messages)).toEqual(['system', 'user'])
  })

  it('ends with the exit code of a model that fails, and says no more of what was piped', async () => {
    const failure = { status: 400, body: { error: { message: 'No.' } } }
    const provider = await folder.play({ failure }, { text: 'Never.' })
    const { stderr, code } = await folder.agent(chat(), 'one\ntwo\n')
    expect(stderr).toContain('deepseek answered 400: No.')
    expect([code, provider.requests.length]).toEqual([8, 1])
  })

  it('ends with 130 by SIGINT in the midst of an answer, and its session can be gone on with', async () => {
    const provider = await folder.play({ text: 'A long answer that pauses.', pauses: true })
    const child = folder.started(chat(), 'Say it.\n')
    child.stdout.on('data', (data: string) => void (data.includes('A lon') && child.kill('SIGINT')))
    const { code } = await finished(child)
    expect([code, provider.requests.length]).toEqual([130, 1])
    const again = await folder.play({ text: 'Yes.' })
    const resumed = await folder.agent(chat('--resume'), 'Still there?\n')
    expect([resumed.stdout, resumed.code]).toEqual(['Yes.\n', 0])
    expect(again.requests[0]?.messages.filter(({ role }) => role === 'user').at(0)?.content).toBe(
      'Say it.',
    )
  })

  it('tells of a session that there is not before it asks for a key', async () => {
    const noKey = { DEEP_PILOT_BASE_URL: '', DEEP_PILOT_API_KEY: '' }
    const { stderr, code } = await folder.agent(chat('--resume'), '', noKey)
    expect(stderr).toMatch(/^Error: There is no session in .* yet/)
    expect(code).toBe(1)
  })

  it('does not change to a model whose price is unknown where money is limited', async () => {
    const provider = await folder.play({ text: 'Yes.' })
    const priced = { models: [{ provider: 'compatible', model: 'dear', input: 1, output: 1 }] }
    mkdirSync(join(folder.path, 'home'), { recursive: true })
    folder.write(join('home', 'prices.json'), priced)
    const words = chat('--model', 'dear', '--budget-usd', '1')
    const { stderr, code } = await folder.agent(words, '/model other\nStill there?\n')
    expect(stderr).toContain('The price of "other" from compatible is not known')
    expect([code, provider.requests.map(({ model }) => model)]).toEqual([0, ['dear']])
  })

  it('says nothing to the model when a limit of the whole chat is used up', async () => {
    const provider = await folder.play({ text: 'One.' }, { text: 'Two.' })
    const { stderr, code } = await folder.agent(chat('--budget-tokens', '100'), 'one\ntwo\n')
    expect(stderr).toContain('Nothing is left of --budget-tokens.')
    expect(provider.requests).toHaveLength(1)
    expect(code).toBe(0)
  })

  it('keeps a session that only its user can read, and lists it', async () => {
    await folder.play({ text: 'Yes.' })
    await folder.agent(chat(), '北京天气怎么样\n')
    const { stdout } = await folder.agent(['chat', '--list', '--lang', 'zh'])
    const [id = ''] = folder.sessions()
    expect(stdout).toContain(id)
    expect(stdout).toContain('北京天气怎么样')
    const transcript = readFileSync(join(folder.path, 'home/sessions', id, 'transcript.jsonl'))
    expect(transcript.toString('utf8')).toContain('北京天气怎么样')
  })
})
