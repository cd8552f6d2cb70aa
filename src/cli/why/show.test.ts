import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentRoom } from '../../../test/support/agent-room.ts'
import { runToEnd } from '../../../test/support/agent-run.ts'
import { tool, toolServer } from '../../../test/support/host-room.ts'
import { memoryArtifacts } from '../../agent/artifacts.ts'
import type { Model, ModelLeg, ModelReply } from '../../agent/model.ts'
import type { ScriptedReply } from '../../agent/models/scripted.ts'
import { UsageError } from '../../base/errors.ts'
import { displayWidth, hidesText } from '../../base/terminal-text.ts'
import { recorder } from '../../capture/recorder.ts'
import { DEFAULT_POLICY, type Policy } from '../../policy/policy.ts'
import type { WireSink } from '../../jsonrpc/wire.ts'
import { EXIT, exitCodeOf } from '../exit-codes.ts'
import { Invocation } from '../invocation.ts'
import { en } from '../messages/en.ts'
import { zh } from '../messages/zh.ts'
import { createOutput } from '../output.ts'
import { showWhy, type WhyRequest } from './show.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'why-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** The model, telling its legs as one behind Chat Completions would. */
function chatModel(model: Model): Model {
  return {
    ...model,
    async reply(request, { onLeg, ...rest } = {}) {
      const leg = (facts: ModelLeg): void => onLeg?.(facts)
      leg({
        kind: 'request',
        attempt: 1,
        url: 'https://api.test/chat/completions',
        body: '{"model":"m"}',
      })
      const reply = await model.reply(request, rest)
      const answer = {
        attempt: 1,
        status: 200,
        contentType: 'application/json',
        body: chatBody(reply),
      }
      leg({ kind: 'reply', ...answer })
      return reply
    },
  }
}

function chatBody({ message: { text, reasoning, calls } }: ModelReply): string {
  const tool_calls = calls.map(({ id, name, argumentsText }) => ({
    id,
    type: 'function',
    function: { name, arguments: argumentsText },
  }))
  const message = { role: 'assistant', content: text, reasoning_content: reasoning, tool_calls }
  return JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, finish_reason: 'tool_calls', message }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

interface Recorded {
  readonly path: string
}

/** Runs an agent on one server, and keeps what was recorded. */
const NOTHING: Policy = { ...DEFAULT_POLICY, otherwise: 'deny' }

async function recorded(script: readonly ScriptedReply[], policy?: Policy): Promise<Recorded> {
  const lines: string[] = []
  const sink: WireSink = recorder((line) => lines.push(line))
  const fs = toolServer(tool('read', { inputSchema: { type: 'object' } }))
  fs.answer = (_name, args) => ({
    content: [
      { type: 'text', text: `contents of ${textOf(args['path'])}\n${'long '.repeat(300)}` },
    ],
  })
  const room = await agentRoom({ fs }, script, {
    wire: sink,
    run: 'run-1',
    ...(policy !== undefined && { policy }),
  })
  const model = chatModel(room.model)
  const options = { ...room.options, model, wire: sink, run: 'run-1', artifacts: memoryArtifacts() }
  await runToEnd({ ...options, results: { maxBytes: 100 } })
  const path = join(folder, 'capture.jsonl')
  await writeFile(path, lines.join(''))
  return { path }
}

interface Shown {
  readonly text: string
  readonly notes: string
  readonly exitCode: number
}

async function why(
  request: WhyRequest,
  {
    language = 'en',
    json = false,
    columns,
  }: {
    readonly language?: 'en' | 'zh'
    readonly json?: boolean
    /** Of the terminal. Default: there is none. */
    readonly columns?: number
  } = {},
): Promise<Shown> {
  const said = { out: '', err: '' }
  const stream = (name: 'out' | 'err') => ({
    write: (data: string | Uint8Array) => {
      said[name] += String(data)
      return true
    },
    on: () => undefined,
    ...(columns !== undefined && { columns, isTTY: true }),
  })
  const output = createOutput({ stdout: stream('out'), stderr: stream('err'), env: {} })
  const invocation = new Invocation({
    messages: language === 'zh' ? zh : en,
    output,
    env: {},
    words: json ? ['why', '--json'] : ['why'],
    serverWords: undefined,
    program: '',
    signal: new AbortController().signal,
  })
  await showWhy(invocation, request)
  return { text: said.out, notes: said.err, exitCode: invocation.exitCode }
}

const ONE_CALL: readonly ScriptedReply[] = [
  {
    text: 'I look.',
    reasoning: 'A file, then.',
    calls: [{ name: 'fs__read', args: { path: '/a' }, id: 'call_00' }],
  },
  'Done.',
]

describe('why', () => {
  it('shows one call from the words of the model to the bytes, and what it was shown of the result', async () => {
    const { path } = await recorded(ONE_CALL)
    const { text, notes } = await why({ path, call: 't1c1' })
    expect(notes).toBe('')
    const lines = text.split('\n').map((line) => line.trim())
    const inOrder = [
      /^t1c1 {2}fs__read {2}run run-1 · turn t1 · .* UTC$/,
      /^The model$/,
      /^→ scripted-1 {2}https:\/\/api\.test\/chat\/completions {2}13 B$/,
      /^← HTTP 200 .* B {2}/,
      /^It thought:$/,
      /^A file, then\.$/,
      /^It said:$/,
      /^I look\.$/,
      /^It called fs__read, as call_00, with$/,
      /^\{"path":"\/a"\}$/,
      /^The tool$/,
      /^fs__read is the tool "read" of the server "fs"\.$/,
      /^The decision$/,
      /^Allowed · by the policy · a rule allows it$/,
      /^Judged were arguments with the SHA-256 [0-9a-f]{16}… which is that of the arguments on the wire\.$/,
      /^On the wire, attempt 1 \(fs\)$/,
      /^→ tools\/call {2}\d+ B$/,
      /^\{"jsonrpc":"2\.0",.*"method":"tools\/call".*"\/a"/,
      /^← result {2}1\.6 kB {2}\d/,
      /^\{"jsonrpc":"2\.0".*contents of \/a/,
      /^… \d+ more characters \(--full\)$/,
      /^What the model was shown$/,
      /^\d+ of 1515 bytes; all of it is artifact a1:$/,
      /^contents of \/a$/,
    ]
    let from = 0
    for (const pattern of inOrder) {
      const at = lines.findIndex((line, place) => place >= from && pattern.test(line))
      expect({ pattern, found: at >= 0 }).toEqual({ pattern, found: true })
      from = at + 1
    }
  })

  it('says it in Chinese', async () => {
    const { path } = await recorded(ONE_CALL)
    const { text } = await why({ path, call: 't1c1' }, { language: 'zh' })
    for (const part of [
      '它的思考：',
      '它说：',
      '已允许 · 由策略决定 · ',
      '线路上，第 1 次尝试（fs）',
      '给模型看的结果',
    ])
      expect(text).toContain(part)
    expect(text).toContain('fs__read 是服务器 "fs" 的工具 "read"。')
  })

  it('names the file with all of a result that was cut, where it is there', async () => {
    const { path } = await recorded(ONE_CALL)
    expect((await why({ path, call: 't1c1' })).text).not.toContain('All of it: ')
    const file = join(folder, 'artifacts', 'a1.txt')
    await mkdir(join(folder, 'artifacts'))
    await writeFile(file, 'whole')
    expect((await why({ path, call: 't1c1' })).text).toMatch(/ *All of it: \S*a1\.txt\n$/)
    expect((await why({ path, call: 't1c1' })).text).toContain(file)
    expect((await why({ path, call: 't1c1' }, { language: 'zh' })).text).toContain(`全文：${file}`)
    const { text } = await why({ path, call: 't1c1' }, { json: true })
    expect(JSON.parse(text)).toMatchObject({ artifactPath: file })
  })

  it('finds a call by the id that the model gave it', async () => {
    const { path } = await recorded(ONE_CALL)
    expect((await why({ path, call: 'call_00' })).text).toMatch(/^t1c1 /)
  })

  it('shows every text whole when it is asked to', async () => {
    const { path } = await recorded(ONE_CALL)
    const { text } = await why({ path, call: 't1c1', full: true })
    expect(text).toContain(`contents of /a\\n${'long '.repeat(300)}`)
    expect(text).toContain('{"model":"m"}')
    expect(text).not.toContain('--full')
  })

  it('gives all of it as JSON', async () => {
    const { path } = await recorded(ONE_CALL)
    const chain: unknown = JSON.parse((await why({ path, call: 't1c1' }, { json: true })).text)
    expect(chain).toMatchObject({
      call: 't1c1',
      run: 'run-1',
      turn: 't1',
      model: [{ kind: 'request' }, { kind: 'reply' }],
      written: { modelCall: 'call_00', server: 'fs', tool: 'read' },
      decision: { verdict: 'allow' },
      frames: [{ method: 'tools/call' }, { kind: 'result' }],
      told: { bytes: 1515, artifact: 'a1' },
    })
  })

  it('says of a call that was refused why, and that nothing was sent', async () => {
    const { path } = await recorded(ONE_CALL, NOTHING)
    const { text } = await why({ path, call: 't1c1' })
    expect(text).toMatch(/Refused · by the policy · no rule is about it/)
    expect(text).toContain('Nothing was sent.')
    expect(text).toContain('Refused. All of it')
  })

  it('has the rule that decided, and the reason that its author gave', async () => {
    const rule = { effect: 'deny', tools: 'fs', because: 'not ours' } as const
    const { path } = await recorded(ONE_CALL, { ...DEFAULT_POLICY, rules: [rule] })
    const english = await why({ path, call: 't1c1' })
    expect(english.text).toMatch(/Rule: deny fs\n +Its reason: not ours\n/)
    const chinese = await why({ path, call: 't1c1' }, { language: 'zh' })
    expect(chinese.text).toMatch(/规则：拒绝 fs\n +规则的理由：not ours\n/)
  })

  it('says of a name that there is not that nothing was decided', async () => {
    const { path } = await recorded([{ calls: [{ name: 'fs__reed' }] }, 'Sorry.'])
    const { text } = await why({ path, call: 't1c1' })
    expect(text).toContain('There is no tool fs__reed.')
    expect(text).toContain('There was nothing to decide')
    expect(text).not.toContain('On the wire')
  })

  it('lists the calls', async () => {
    const { path } = await recorded([
      { calls: [{ name: 'fs__read', args: { path: '/a' } }, { name: 'fs__reed' }] },
      { calls: [{ name: 'fs__read', args: { path: '/b' } }] },
      'Done.',
    ])
    expect((await why({ path })).text).toBe(
      [
        't1c1  fs__read  ok          {"path":"/a"}',
        't1c2  fs__reed  not called  {}',
        't2c1  fs__read  ok          {"path":"/b"}',
        '',
      ].join('\n'),
    )
  })

  it('lists a call that was refused with the word that the run itself has for it', async () => {
    const { path } = await recorded(ONE_CALL, NOTHING)
    expect((await why({ path })).text).toBe('t1c1  fs__read  refused  {"path":"/a"}\n')
    const zhText = (await why({ path }, { language: 'zh' })).text
    expect(zhText).toBe('t1c1  fs__read  已拒绝  {"path":"/a"}\n')
    expect(JSON.parse((await why({ path }, { json: true })).text)).toMatchObject({
      calls: [{ call: 't1c1', outcome: 'refused' }],
    })
  })

  it('names the calls that there are when one is not there', async () => {
    const { path } = await recorded(ONE_CALL)
    const asked = why({ path, call: 't9c9' })
    await expect(asked).rejects.toThrow(UsageError)
    await expect(asked).rejects.toThrow(/There is no call "t9c9" in .*It has: t1c1\./)
  })

  it.each([
    ['en', 80],
    ['en', 40],
    ['zh', 40],
  ] as const)(
    'breaks no text at the left edge, where its own titles stand: %s %i',
    async (language, columns) => {
      const { path } = await recorded(ONE_CALL)
      const whole = await why({ path, call: 't1c1', full: true }, { language })
      const { text } = await why({ path, call: 't1c1', full: true }, { language, columns })
      const lines = text.split('\n')
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
      const titles = (all: string): readonly string[] =>
        all.split('\n').filter((line) => /^\S/.test(line))
      expect(titles(text).slice(1)).toEqual(titles(whole.text).slice(1))
      expect(titles(text)).toHaveLength(titles(whole.text).length)
      const letters = (all: string): string => all.replaceAll(/\s/g, '')
      expect(letters(text)).toBe(letters(whole.text))
    },
  )

  it('says that a capture has no calls', async () => {
    const { path } = await recorded(['Hello.'])
    const { text, notes } = await why({ path })
    expect(text).toBe('')
    expect(notes).toMatch(/^No calls with their ids are in/)
  })

  it('of a file that is no capture says the same as every command', async () => {
    const path = join(folder, 'other.txt')
    await writeFile(path, 'not a capture\n'.repeat(100))
    const failure = await why({ path }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ detail: { kind: 'capture-unreadable', why: 'no-capture' } })
    expect(exitCodeOf(failure)).toBe(EXIT.mismatch)
  })

  it('writes nothing to a terminal that moves its cursor, whatever model and server say', async () => {
    const evil = '\u001b]0;x\u0007\u202e\r'
    const { path } = await recorded([
      { text: evil, reasoning: evil, calls: [{ name: `fs__read${evil}`, args: evil, id: evil }] },
      { calls: [{ name: 'fs__read', args: { path: evil } }] },
      'Done.',
    ])
    for (const call of ['t1c1', 't2c1', undefined])
      for (const full of [true, false]) {
        const { text } = await why({ path, full, ...(call !== undefined && { call }) })
        for (const line of text.split('\n')) expect(hidesText(line)).toBe(false)
      }
  })
})
