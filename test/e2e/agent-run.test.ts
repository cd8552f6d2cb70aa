/** `run`: one task for a model with the tools of a configuration, by the built program against a provider that plays a part. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentFolder, KEY } from '../support/agent-cli.ts'
import { calculator } from '../support/cli-host.ts'
import { finished, said } from '../support/cli.ts'
import type { PlayedReply } from '../support/played-provider.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: AgentFolder
beforeEach(() => {
  folder = new AgentFolder()
  folder.configure({ calculator }, { policy: { allow: ['calculator'] } }, 'allowed.json')
  folder.configure({ calculator }, {}, 'asking.json')
})
afterEach(() => folder.end())

const calls = (expr: string): PlayedReply => ({
  reasoning: 'I should calculate.',
  text: 'Let me calculate.',
  calls: [{ name: 'calculator__calculator', args: { expr } }],
})
const task = (...words: readonly string[]): readonly string[] => [
  'run',
  'What is 23*7?',
  '--config',
  'allowed.json',
  ...words,
]
const linesOf = (text: string): readonly { readonly type: string }[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string }) // each line is an event

describe('run', () => {
  it('prints the answer alone, and tells on stderr what was called and what came of it', async () => {
    const provider = await folder.play(calls('23*7'), { text: 'It is 161.\n\u001b[1mBold' })
    const { stdout, stderr, code } = await folder.agent(task())
    expect(stdout).toBe('It is 161.\n\u001b[1mBold\n')
    expect(stderr).toMatch(
      /^· thought for .*\n→ t1c1 calculator__calculator \{"expr":"23\*7"\}\n← t1c1 ok · /,
    )
    expect(stderr).toContain('\n│ 161\n')
    expect(stderr).toMatch(/\n· 2 requests · 240 tokens in, 60 out · /)
    expect(code).toBe(0)
    const [first, second] = provider.requests
    expect(first?.tools?.map((tool) => tool.function.name)).toContain('calculator__calculator')
    expect(second?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ])
    expect(second?.messages.at(-1)?.content).toContain('161')
    expect(second?.messages[2]?.reasoning_content).toBe('I should calculate.')
  })

  it('marks where each result ends and whose it is with --mark-results, also in what why shows', async () => {
    const provider = await folder.play(calls('23*7'), { text: '161.' })
    await folder.agent(task('--mark-results'))
    const framed = /^\[result ([0-9a-f]{10}) from "calculator"\]\n161\n\[end of result \1\]$/
    expect(provider.requests[1]?.messages.at(-1)?.content).toMatch(framed)
    expect(provider.requests[0]?.messages[0]?.content).toContain('between two lines')
    const why = await folder.agent(['why', 't1c1'])
    expect(why.stdout).toMatch(/\[result [0-9a-f]{10} from "calculator"\]\n +161\n/)
  })

  it('prints events as lines of JSON, pieces of replies only when they are wanted', async () => {
    await folder.play(calls('1+1'), { text: 'Two.' }, calls('1+1'), { text: 'Two.' })
    const { stdout, stderr, code } = await folder.agent(task('--json'))
    const types = linesOf(stdout).map(({ type }) => type)
    expect(types).toEqual(['begin', 'turn', 'reply', 'call', 'result', 'turn', 'reply', 'end'])
    expect(linesOf(stdout).at(-1)).toMatchObject({
      end: { reason: 'done', text: 'Two.', turns: 2 },
    })
    expect([stderr, code]).toEqual(['', 0])
    const more = await folder.agent(task('--json', '--deltas'))
    expect(linesOf(more.stdout).some(({ type }) => type === 'delta')).toBe(true)
  })

  it('gives each event its members, and no others', async () => {
    await folder.play(calls('1+1'), { text: 'Two.' })
    const { stdout } = await folder.agent(task('--json'))
    const members = linesOf(stdout).map((line) => [line.type, Object.keys(line).toSorted()])
    expect(Object.fromEntries(members)).toEqual({
      begin: ['artifacts', 'capture', 'model', 'run', 'session', 'type'],
      turn: ['turn', 'type'],
      reply: ['reply', 'turn', 'type', 'usd'],
      call: ['call', 'type'],
      result: ['bytes', 'call', 'called', 'failed', 'ms', 'raw', 'shown', 'shownBytes', 'type'],
      end: ['end', 'type'],
    })
    expect(linesOf(stdout)[3]).toEqual({
      type: 'call',
      call: {
        id: 't1c1',
        turn: 't1',
        modelCall: {
          id: 'call_1',
          name: 'calculator__calculator',
          argumentsText: '{"expr":"1+1"}',
        },
        alias: 'calculator__calculator',
        server: 'calculator',
        tool: 'calculator',
        args: { expr: '1+1' },
      },
    })
  })

  it('names no words that only a chat has, and shows on stderr what was thought with --reasoning', async () => {
    const long = { name: 'calculator__calculator', args: { expr: `1${'+1'.repeat(400)}` } }
    const part = [{ reasoning: 'I should add.', calls: [long] }, { text: 'Many.' }]
    await folder.play(...part, ...part, ...part, ...part)
    const plain = await folder.agent(task())
    expect(plain.stderr).toMatch(/^· thought for .* \(--reasoning shows it\)$/m)
    expect(plain.stderr).toContain('more characters (deep-pilot why t1c1)\n')
    const zh = await folder.agent(task('--lang', 'zh'))
    expect(zh.stderr).toMatch(/（--reasoning 可查看）\n/)
    const unkept = await folder.agent(task('--no-save'))
    expect(unkept.stderr).toMatch(/more characters\n/)
    for (const { stderr } of [plain, zh, unkept]) expect(stderr).not.toMatch(/\/why|\/reasoning/)
    const shown = await folder.agent(task('--reasoning'))
    expect(shown.stderr).toContain('┊ I should add.\n')
    expect(shown.stderr).not.toContain('thought for')
    expect([shown.stdout, shown.code]).toEqual(['Many.\n', 0])
  })

  it('says first what it belongs to, so that a script can go on with its session', async () => {
    await folder.play(calls('1+1'), { text: 'Two.' }, { text: 'Two.' }, { text: 'Two.' })
    const { stdout } = await folder.agent(task('--json'))
    const [first] = linesOf(stdout)
    const [id = ''] = folder.sessions()
    const session = join(folder.path, 'home', 'sessions', id)
    expect(first).toEqual({
      type: 'begin',
      session: id,
      run: expect.stringMatching(/^[0-9a-f]{16}$/),
      model: expect.stringMatching(/^[a-z]+:\S+$/),
      capture: join(session, 'capture.jsonl'),
      artifacts: join(session, 'artifacts'),
    })
    const why = await folder.agent(['why', 't1c1', '--session', id, '--json'])
    expect(JSON.parse(why.stdout)).toMatchObject({ run: Object(first).run, call: 't1c1' })
    const unkept = await folder.agent(task('--json', '--no-save'))
    expect(Object.keys(linesOf(unkept.stdout)[0] ?? {})).toEqual(['type', 'run', 'model'])
    const chat = await folder.agent(['chat', '--json', '--config', 'allowed.json'], 'Hello\n')
    expect(linesOf(chat.stdout).map(({ type }) => type)).toEqual(['begin', 'turn', 'reply', 'end'])
  })

  it('names the file with all of a result that the model was shown in part', async () => {
    const echo = { name: 'echo', inputSchema: { type: 'object' } }
    folder.configure(
      { one: folder.saying('one', { tools: [echo] }) },
      { policy: { allow: ['one'] } },
      'long.json',
    )
    const said = 'long '.repeat(40_000)
    const long = { calls: [{ name: 'one__echo', args: { said } }] }
    await folder.play(long, { text: 'Long.' }, long, { text: 'Long.' })
    const words = ['run', 'x', '--config', 'long.json', '--lang', 'en']
    const { stderr } = await folder.agent(words)
    const [id = ''] = folder.sessions()
    const path = join(folder.path, 'home', 'sessions', id, 'artifacts', 'a1.txt')
    expect(stderr.replaceAll(/\n {2}/g, '')).toContain(path)
    expect(readFileSync(path, 'utf8')).toContain(said)
    const why = await folder.agent(['why', 't1c1'])
    expect(why.stdout).toContain(`All of it: ${path}\n`)
    const unkept = await folder.agent([...words, '--no-save'])
    expect(unkept.stderr).not.toMatch(/all of it: |a1\.txt/)
  })

  it('takes the task from standard input', async () => {
    const provider = await folder.play({ text: 'Yes.' })
    const { stdout, code } = await folder.agent(
      ['run', '-', '--config', 'allowed.json'],
      '多行\n任务',
    )
    expect([stdout, code]).toEqual(['Yes.\n', 0])
    expect(provider.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: '多行\n任务' })
  })

  it('adds the words of --system to its own', async () => {
    const provider = await folder.play({ text: 'Yes.' })
    folder.write('system.txt', 'Answer in verse.')
    await folder.agent(task('--system', 'system.txt'))
    expect(provider.requests[0]?.messages[0]?.content).toMatch(/tools[^]*\n\nAnswer in verse\.$/)
  })

  it('asks for whole replies with --no-stream', async () => {
    const provider = await folder.play({ failure: { status: 400, body: {} } })
    await folder.agent(task('--no-stream'))
    expect(provider.requests[0]?.stream ?? false).toBe(false)
  })
})

describe('the exit code of run', () => {
  it.each(['closed', 'cut'] as const)(
    'is 8 when every answer is %s in the midst',
    async (stops) => {
      const half: PlayedReply = { text: 'It is 1', stops }
      await folder.play(half, half, half)
      const { stderr, code } = await folder.agent(task('--json'))
      const { error } = JSON.parse(stderr) as { error: { code: string } } // the one line of it
      expect([code, error.code]).toEqual([8, 'DP_MODEL_CUT'])
    },
  )

  it('is 6 when a refused call was the last that happened, and says how to allow it', async () => {
    const provider = await folder.play(calls('1+1'), { text: 'I was not allowed to.' })
    const { stdout, stderr, code } = await folder.agent(['run', 'x', '--config', 'asking.json'])
    expect([stdout, code]).toEqual(['I was not allowed to.\n', 6])
    expect(stderr).toContain('← t1c1 refused')
    expect(stderr.match(/--yes/g)).toHaveLength(1)
    expect(stderr).toMatch(/Allow it by a rule of the policy, or\s+give --yes\.\n/)
    expect(stderr.match(/no rule is\s+(?:│ )?about it/g)).toHaveLength(1)
    const told = String(provider.requests[1]?.messages.at(-1)?.content)
    expect(told).toMatch(/was not called\..* Do not try to get around it\.$/s)
    expect(told).not.toMatch(/--yes|by a rule|rule in the policy/)
  })

  it('is 0 with --yes, which is told for each call', async () => {
    await folder.play(calls('1+1'), { text: 'Two.' })
    const { stderr, code } = await folder.agent(['run', 'x', '--config', 'asking.json', '--yes'])
    expect(stderr).toContain('Yes, says --yes; nobody looked at it.')
    expect(code).toBe(0)
  })

  it('is 9 when a limit is reached, with every call answered', async () => {
    await folder.play(calls('1+1'), calls('1+2'), calls('1+3'))
    const { stderr, code } = await folder.agent(task('--budget-turns', '2'))
    expect(stderr).toContain('(--budget-turns)')
    expect(code).toBe(9)
  })

  it('is 3 without a key: nothing is started, and the variables and demo are named', async () => {
    const bare = { DEEP_PILOT_HOME: join(folder.path, 'home') }
    const en = await folder.agent(task(), '', bare)
    expect(en.stdout).toBe('')
    expect(en.stderr).toMatch(/DEEPSEEK_API_KEY.*deep-pilot demo\n$/)
    const zh = await folder.agent(task('--lang', 'zh', '--model', 'anthropic:x'), '', bare)
    expect(zh.stderr).toMatch(
      /^模型没有回复：没有 anthropic 的密钥。请设置 ANTHROPIC_API_KEY.*deep-pilot demo\n$/,
    )
    const chat = await folder.agent(['chat'], 'hello\n', bare)
    expect(chat.stderr).toContain('DEEPSEEK_API_KEY')
    expect([en.code, zh.code, chat.code]).toEqual([3, 3, 3])
    expect(folder.sessions()).toEqual([])
  })

  it("is 0 with a key that is too short to be masked, as servers of one's own are given", async () => {
    const provider = await folder.play({ text: 'Hello.' })
    const short = { DEEP_PILOT_API_KEY: 'k' }
    const { stdout, stderr, code } = await folder.agent(task(), '', short)
    expect([stdout, code]).toEqual(['Hello.\n', 0])
    expect(stderr).not.toContain('shorter than')
    expect(provider.requests[0]?.headers.authorization).toBe('Bearer k')
  })

  it('is 3 for a key that is refused, 8 for a request that is, 4 for a server that is not there', async () => {
    const failure = (status: number): PlayedReply => ({
      failure: { status, body: { error: { message: 'No, \u001b[2Jno.' } } },
    })
    const provider = await folder.play(failure(401), failure(400))
    const refused = await folder.agent(task())
    const wrong = await folder.agent(task())
    expect([refused.code, wrong.code]).toEqual([3, 8])
    expect(wrong.stderr).toContain(
      'No reply from the model: deepseek answered 400: No, \\u001b[2Jno.',
    )
    expect(provider.requests).toHaveLength(2)
    await provider.close()
    const away = await folder.agent(task())
    expect(away.stderr).toMatch(
      /No connection to the model: The model at http:\S+ was not reached.*Is it running\?.*--base-url/,
    )
    expect(away.stderr).not.toContain('the server')
    const zh = await folder.agent(task('--lang', 'zh'))
    expect(zh.stderr).toMatch(/^无法连接模型：[^\n]*[^.]。它在运行吗？.*--base-url/m)
    const json = await folder.agent(task('--json'))
    expect(linesOf(json.stderr)).toMatchObject([{ error: { code: 'DP_TRANSPORT_CONNECT' } }])
    expect([away.code, zh.code, json.code]).toEqual([4, 4, 4])
  })

  it('is 130 after Ctrl-C, and the model is not listened to any more', async () => {
    const provider = await folder.play({ text: 'A long answer that pauses.', pauses: true })
    const child = folder.started(task('--json', '--deltas'))
    child.stdout.on('data', (data: string) => void (data.includes('A lon') && child.kill('SIGINT')))
    const { code } = await finished(child)
    expect(code).toBe(130)
    await vi.waitUntil(() => provider.broken === 1)
  })

  it('is 130 after Ctrl-C over a pipe, which gets what had come and is told that it is not all', async () => {
    const answer = { reasoning: 'Well.', text: 'A long answer that pauses.', pauses: true }
    await folder.play(answer)
    const child = folder.started(task())
    // Told when the text begins.
    void said(child, 'thought for').then(() => child.kill('SIGINT'))
    const { stdout, stderr, code } = await finished(child)
    expect(stdout).toMatch(/^A lon/)
    expect(stdout).not.toContain('pauses')
    expect(stderr).toContain('· The answer is not whole: it was interrupted.')
    expect(code).toBe(130)
  })

  it('is 1 for words that cannot be meant', async () => {
    await folder.play()
    for (const [words, said] of [
      [['run'], 'There is no task.'],
      [['run', 'one', 'two'], 'Too many words: two.'],
      [['run', 'x', '--deltas'], '--json'],
      [['run', 'x', '--budget-usd', '-1'], '--budget-usd cannot be "-1". Give a number above 0'],
      [
        ['run', 'x', '--budget-turns', '1.5'],
        '--budget-turns cannot be "1.5". Give a whole number',
      ],
      [['run', 'x', '--model', 'some', '--budget-usd', '1'], 'The price of "some" from compatible'],
      [['run', 'x', '--model', 'some', '--budget-usd', '1'], join('home', 'prices.json')],
      [['run', 'x', '--effort', 'much'], '--effort cannot be "much"'],
      [['run', 'x', '--system', 'none.txt'], 'There is no file "none.txt".'],
      [
        ['run', 'x', '--model', 'nobody:x', '--base-url', 'http://example.com/v1'],
        '--insecure-http',
      ],
    ] as const) {
      const { stderr, code } = await folder.agent(words)
      expect(stderr).toContain(said)
      expect(code).toBe(1)
    }
    expect(folder.provider?.requests).toEqual([])
  })
})

describe('what run keeps', () => {
  it('is a session with the whole conversation and wire, without the key', async () => {
    await folder.play(calls('23*7'), { text: 'It is 161.' })
    const { stderr } = await folder.agent(task('--trace', '--capture', 'wire.jsonl'))
    const [id = ''] = folder.sessions()
    expect(stderr).toContain(`· Session ${id}`)
    const file = (name: string): string =>
      readFileSync(join(folder.path, 'home', 'sessions', id, name), 'utf8')
    expect(file('transcript.jsonl')).toContain('It is 161.')
    for (const capture of [
      file('capture.jsonl'),
      readFileSync(join(folder.path, 'wire.jsonl'), 'utf8'),
    ]) {
      for (const kind of ['model-request', 'model-reply', 'tool-call', 'decision', 'tool-result'])
        expect(capture).toContain(`"kind":"${kind}"`)
      expect(capture).toContain('tools/call')
    }
    expect(folder.allText() + stderr).not.toContain(KEY)
  })

  it('is nothing with --no-save', async () => {
    await folder.play({ text: 'Yes.' })
    const { stderr, code } = await folder.agent(task('--no-save'))
    expect([folder.sessions(), code]).toEqual([[], 0])
    expect(stderr).not.toContain('Session')
  })
})
