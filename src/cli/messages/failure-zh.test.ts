import { describe, expect, it } from 'vitest'
import { unreadableReply } from '../../agent/models/chat-draft.ts'
import type { DetailOf, ErrorDetail, ErrorDetailKind } from '../../base/error-detail.ts'
import {
  AuthError,
  CancelledError,
  CapabilityError,
  ConfigError,
  HttpError,
  ModelError,
  PilotError,
  PolicyError,
  RpcError,
  SchemaError,
  TimeoutError,
  TransportError,
  UsageError,
  type ErrorCode,
} from '../../base/errors.ts'
import { tellRecordedZh, tellZh } from './failure-zh.ts'

/** One of each situation. Texts and numbers are facts, which the sentence has to show unless they stand in `UNSHOWN`. */
const SAMPLES: { readonly [Kind in ErrorDetailKind]: Omit<DetailOf<Kind>, 'kind'> } = {
  spawn: { why: 'no-command', command: 'nodde' },
  'own-process': { how: 'SIGABRT' },
  exited: { output: 'odd noise' },
  'output-closed': {},
  'input-closed': {},
  stalled: { ms: 4711 },
  'no-pong': { ms: 4711 },
  lost: { reason: 'odd noise' },
  closed: {},
  'given-up': {},
  'lost-often': { tries: 5 },
  'websocket-closed': { code: 1011, said: 'out of cheese' },
  'message-too-large': { limit: 4711 },
  'sent-too-large': {},
  'answer-too-large': { bytes: 4711 },
  'too-many-waiting': { waiting: 64, running: 4 },
  backlog: { messages: 64, bytes: 4711 },
  'not-reached': { address: 'http://h.example', proxy: 'http://p.example', reason: 'odd noise' },
  'cannot-listen': { address: '127.0.0.1:80', reason: 'odd noise' },
  'broke-off': { address: 'http://h.example', reason: 'odd noise' },
  'no-answer': { address: 'http://h.example', reason: 'odd noise' },
  'stream-lost': { address: 'http://h.example', tries: 5 },
  'http-status': { address: 'http://h.example/x', status: 418, phrase: 'Teapot', said: 'short' },
  'session-gone': { address: 'http://h.example' },
  redirect: { why: 'away', from: 'http://h.example', to: 'http://i.example' },
  encoding: { address: 'http://h.example', encoding: 'br' },
  'no-post-address': { address: 'http://h.example' },
  'not-accepted': { address: 'http://h.example' },
  'bad-request': { reason: 'odd noise' },
  unavailable: { why: 'crash-loop' },
  detached: {},
  unapproved: { place: '/p/.mcp.json:3' },
  'waited-for-server': { tool: 'fs__read' },
  hangs: { times: 3 },
  'no-start': { why: 'fetching', launcher: 'npx' },
  'question-took-long': {},
  'task-took-long': { task: 'task-9' },
  denied: { tool: 'fs__write', reason: 'deny-rule', by: 'person', said: 'not today' },
  'not-recorded': { tool: 'fs__write', reason: 'odd noise' },
  'changed-meanwhile': { tool: 'fs__write' },
  'exchanged-meanwhile': { tool: 'fs__write' },
  altered: { tool: 'fs__write' },
  unjudged: {},
  'unknown-tool': { tool: 'fs__wriet' },
  'arguments-odd': { tool: 'fs__write', why: 'too-deep', limit: 128 },
  'model-bad-key': {},
  'model-no-key': { variables: ['ONE_KEY', 'TWO_KEY'] },
  'model-refusal': { meant: 401, inside: false, tooLong: false },
  'model-too-large': { limit: 4711 },
  'model-too-much': {},
  'model-no-reply': { why: 'no-json', contentType: 'text/odd' },
  'model-no-list': {},
  'model-cut': { kept: true },
  'model-leaked': {},
  'model-silent': { provider: 'deepseek', why: 'stopped' },
  'file-unusable': { why: 'too-large', limit: 4711 },
  'file-unwritable': { reason: 'odd noise' },
  'folder-unmade': { why: 'no-folder', at: '/tmp/a' },
  'grants-unusable': {},
  'entry-edit': { server: 'fs', why: 'there' },
  'lock-unusable': { why: 'bad-pin', server: 'fs' },
  'capture-unreadable': { path: '/x.cap', why: 'system', reason: 'odd noise' },
  'capture-unwritable': { path: '/x.cap', why: 'system', reason: 'odd noise' },
  'capture-no-append': { path: '/x.cap', why: 'version' },
  'session-file': { path: '/s.jsonl', why: 'too-large', limit: 4711 },
  'model-no-place': { provider: 'compatible', variable: 'BASE' },
  'model-unknown': { words: 'fooo', providers: ['deepseek', 'openai'] },
  'model-unnamed': { provider: 'openai' },
  'model-plain-http': { host: 'h.example' },
  'model-bad-url': { why: 'credentials' },
  'model-bad-context': { variable: 'DEEP_PILOT_CONTEXT', value: 'many' },
  'model-unpriced': { model: 'm-1' },
  'bad-address': { what: 'proxy', scheme: 'socks:' },
  'short-token': { characters: 7, least: 16 },
  'bad-host': { host: 'a/b' },
  'bad-header': { header: 'Host', why: 'ours' },
  'bad-socket-path': { limit: 107 },
  'era-without-revision': { era: 'modern', revisions: ['2025-11-25'] },
  version: { why: 'other', ours: ['2025-11-25'], theirs: ['1999-01-01'] },
  'too-many-items': { items: 4711, pages: 65 },
  'no-mcp': { why: 'flood', lines: 4711, output: 'odd noise' },
  'too-many-questions': { most: 8 },
  misfit: { what: 'arguments', tool: 'fs__write' },
  told: {},
}

/** Words of ours, by which a sentence is chosen. */
const UNSHOWN: ReadonlySet<string> = new Set([
  'why',
  'by',
  'meant',
  'inside',
  'tooLong',
  'kept',
  'what',
  'reason:denied',
])

function factsOf(kind: string, sample: object): readonly string[] {
  return Object.entries(sample)
    .filter(([name]) => !UNSHOWN.has(name) && !UNSHOWN.has(`${name}:${kind}`))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .map(String)
}

const ENGLISH = 'Nobody wants to read this English sentence.'
const samples = Object.entries(SAMPLES).filter(([kind]) => kind !== 'told')

describe('an error whose situation is known', () => {
  it.each(samples)('is told in Chinese with its facts: %s', (kind, sample) => {
    const detail = { kind, ...sample } as ErrorDetail // the table above has the shape of each kind
    const told = tellZh(
      new TransportError('DP_TRANSPORT_CLOSED', ENGLISH, { server: 'srv', detail }),
    )
    expect(told).toMatch(/\p{Script=Han}/u)
    expect(told).not.toContain(ENGLISH)
    expect(told).not.toMatch(/undefined|\[object|NaN/)
    // A command that is to be typed has no full stop behind it.
    expect(told).toMatch(/[。？）]$|config approve$/)
    for (const fact of factsOf(kind, sample)) expect(told).toContain(fact)
  })

  it('whose message is in the language of the person already is left as it is', () => {
    const error = new PolicyError('DP_POLICY_UNAPPROVED', '尚未批准', { detail: { kind: 'told' } })
    expect(tellZh(error)).toBe('尚未批准')
  })
})

const CODES = [
  'DP_PROTOCOL_MESSAGE',
  'DP_PROTOCOL_RESULT',
  'DP_PROTOCOL_SKILL',
  'DP_TRANSPORT_CLOSED',
  'DP_TRANSPORT_HTTP',
  'DP_SCHEMA_DEFINITION',
  'DP_POLICY_DENIED',
  'DP_AUTH_REQUIRED',
  'DP_MODEL_FAILED',
] as const satisfies readonly ErrorCode[]

describe('an error without the facts of its situation', () => {
  it.each(CODES)('is told in Chinese by its code, with the English after it: %s', (code) => {
    const told = tellZh(new PilotError('protocol', code, ENGLISH, { method: 'tools/list' }))
    expect(told).toMatch(/\p{Script=Han}.*（原文：Nobody wants to read this English sentence\.）$/u)
  })

  it('is told from what any of its class carries', () => {
    expect(
      tellZh(
        new CapabilityError('DP_CAPABILITY_MISSING', ENGLISH, {
          method: 'tools/list',
          missing: 'server tools',
        }),
      ),
    ).toBe('服务器没有声明功能 tools，因此没有发出 tools/list。')
    expect(
      tellZh(
        new CapabilityError('DP_CAPABILITY_METHOD', ENGLISH, {
          method: 'tasks/get',
          revision: '2025-03-26',
        }),
      ),
    ).toContain('协议版本 2025-03-26 没有 tasks/get')
    expect(tellZh(new CancelledError(ENGLISH, { method: 'tools/call' }))).toBe(
      'tools/call 已取消。',
    )
    expect(tellZh(new UsageError('请写名称。'))).toBe('请写名称。')
  })
})

describe('a request that nobody answered', () => {
  const exit = {
    exitCode: 3,
    stderr: "Error: Cannot find module 'x'\n",
    detail: { kind: 'exited' },
  } as const

  it('says which one, why, and whether it may have been done', () => {
    const facts = { server: 'fs', method: 'tools/call', id: 1, ...exit }
    expect(
      tellZh(new TransportError('DP_TRANSPORT_EXIT', ENGLISH, { ...facts, sent: 'yes' })),
    ).toBe(
      "tools/call 没有得到应答：服务器“fs”已退出，退出码 3。它最后在 stderr 上说：Error: Cannot find module 'x'。不知道它是否已经生效。",
    )
    expect(
      tellZh(new TransportError('DP_TRANSPORT_EXIT', ENGLISH, { ...facts, sent: 'no' })),
    ).not.toContain('生效')
    expect(
      tellZh(
        new TransportError('DP_TRANSPORT_EXIT', ENGLISH, {
          ...facts,
          method: 'tools/list',
          sent: 'yes',
        }),
      ),
    ).not.toContain('生效')
  })

  it('is not named while there is no connection yet', () => {
    const error = new TransportError('DP_TRANSPORT_EXIT', ENGLISH, {
      server: 'fs',
      method: 'initialize',
      id: 1,
      ...exit,
    })
    expect(tellZh(error)).toMatch(/^服务器“fs”已退出，退出码 3。/)
  })

  it('says which limit ran out, where it was set, and how it is raised', () => {
    const facts = {
      timer: 'idle',
      ms: 700,
      server: 'fs',
      method: 'tools/call',
      id: 1,
      sent: 'yes',
    } as const
    expect(tellZh(new TimeoutError(ENGLISH, { ...facts, setBy: 'default' }))).toBe(
      '服务器“fs”：700 毫秒没有任何动静，tools/call 没有得到应答。可用 --timeout 放宽时限。不知道它是否已经生效。',
    )
    expect(tellZh(new TimeoutError(ENGLISH, { ...facts, setBy: 'mcp.json:9 timeout' }))).toContain(
      '时限写在 mcp.json:9 timeout，可以在那里放宽。',
    )
  })
})

describe('what the far side said itself', () => {
  it('stands behind the Chinese, untouched', () => {
    const error = new RpcError(-32602, 'path: no such file', { method: 'tools/call' })
    expect(tellZh(error)).toBe('tools/call 的参数不对，请改正。它说：path: no such file')
    expect(tellZh(new RpcError(-32042, '要先登录'))).toBe('要先登录')
  })

  it('by HTTP is shown with its status and what to do about it', () => {
    const at = { address: 'https://h.example/mcp', status: 401, phrase: 'Unauthorized' } as const
    const detail = { kind: 'http-status', ...at, said: 'token expired', hint: 'token' } as const
    expect(tellZh(new AuthError(ENGLISH, { status: 401, detail }))).toBe(
      'https://h.example/mcp 要求表明身份（401 Unauthorized）：token expired。请登录，或在请求头里给出有效的令牌。',
    )
    const gone = {
      kind: 'http-status',
      address: 'fs',
      status: 503,
      hint: 'later',
      seconds: 7,
    } as const
    expect(tellZh(new HttpError('DP_TRANSPORT_HTTP', ENGLISH, { status: 503, detail: gone }))).toBe(
      '服务器“fs”应答 503。请在 7 秒后重试。',
    )
  })

  it('as a provider of a model is shown with what it means', () => {
    const refusal = (
      code: 'DP_MODEL_KEY' | 'DP_MODEL_BALANCE' | 'DP_MODEL_BUSY' | 'DP_MODEL_REQUEST',
      meant: number,
    ) =>
      tellZh(
        new ModelError(code, ENGLISH, {
          provider: 'deepseek',
          status: meant,
          said: 'No.',
          detail: { kind: 'model-refusal', meant, inside: false, tooLong: false },
        }),
      )
    expect(refusal('DP_MODEL_KEY', 401)).toBe('deepseek 不接受密钥（401）：No。请检查密钥。')
    expect(refusal('DP_MODEL_BALANCE', 402)).toBe(
      'deepseek 说余额不足（402）：No。请给账户充值；重试没有用。',
    )
    expect(refusal('DP_MODEL_BUSY', 429)).toContain('请稍后再试')
    expect(refusal('DP_MODEL_REQUEST', 404)).toContain('请检查模型的名称')
  })

  it('is in no English sentence where an answer is no reply', () => {
    const told = (detail: Omit<DetailOf<'model-no-reply'>, 'kind'>): string =>
      tellZh(unreadableReply('deepseek', detail))
    expect(told({ why: 'no-json', contentType: 'text/html' })).toBe(
      'deepseek 的应答读不成回答：它不是 JSON 对象（类型 text/html）。请检查服务地址（--base-url），以及它用的是哪种 API。',
    )
    expect(told({ why: 'too-large', limit: 4711 })).toContain('它超过 4711 字节')
    for (const why of ['no-utf8', 'no-choices', 'event-no-json', 'stray-piece', 'odd'] as const)
      expect(told({ why })).not.toMatch(/原文|\b(?:is|an?|it|the)\b/)
  })

  it('says how long a provider asks to wait, in words that hold beside any longer wait', () => {
    const detail = { kind: 'model-refusal', meant: 429, inside: false, tooLong: false } as const
    const facts = { provider: 'deepseek', status: 429, retryAfterMs: 300_000, detail }
    expect(tellZh(new ModelError('DP_MODEL_BUSY', ENGLISH, facts))).toBe(
      'deepseek 说请求太多或太忙（429）。它要求等 300 秒，请到时再试，或减少同时的请求。',
    )
  })
})

describe('an error of an earlier run', () => {
  it('is told by its code, with what was written down quoted behind it', () => {
    expect(tellRecordedZh({ code: 'DP_TRANSPORT_EXIT', message: 'It ended.' })).toBe(
      '进程已退出。（原文：It ended.）',
    )
    expect(tellRecordedZh({ code: 'toString', message: 'odd' })).toBe('（原文：odd）')
    expect(tellRecordedZh({ code: undefined, message: '' })).toBe('')
  })
})

describe('a reason of the system', () => {
  it('is known by its code, however deep it lies, and else stands as it came', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const detail = { kind: 'not-reached', address: 'http://h.example', reason: 'connect' } as const
    const away = (cause: Error): string =>
      tellZh(new TransportError('DP_TRANSPORT_CONNECT', ENGLISH, { cause, detail }))
    const sentence =
      '连不上 http://h.example：连接被拒绝，那里没有程序在监听。请确认它在运行、地址没有写错。'
    expect(away(refused)).toBe(sentence)
    expect(away(new Error('fetch failed', { cause: new AggregateError([refused]) }))).toBe(sentence)
    expect(away(new Error('odd'))).toContain('：connect。')
  })
})

describe('values that do not fit', () => {
  it('are told place by place, and in English where there are no words for them', () => {
    const issues = [
      {
        pointer: '',
        keyword: 'required',
        message: 'lacks the property "n"',
        facts: { name: '"n"' },
      },
      {
        pointer: '/limit',
        keyword: 'type',
        message: 'must be integer, not string',
        facts: { expected: 'integer, null', found: 'string' },
      },
      { pointer: '/a', keyword: 'anyOf', message: 'fits none of 2 alternatives' },
    ]
    const detail = { kind: 'misfit', what: 'arguments', tool: 'search' } as const
    expect(tellZh(new SchemaError('DP_SCHEMA_ARGUMENTS', ENGLISH, { issues, detail }))).toBe(
      '工具 search 的参数不对：缺少属性 "n"；/limit 应当是整数或 null，现在是文本；/a 不符合 "anyOf"（原文：fits none of 2 alternatives）。没有发出。',
    )
  })
})

describe('a broken file', () => {
  it('is told with what stands in place of an object', () => {
    const detail = { kind: 'file-unusable', why: 'no-object', reason: 'a list' } as const
    const error = new ConfigError(ENGLISH, { file: '/p/mcp.json', detail })
    expect(tellZh(error)).toBe(
      '“/p/mcp.json”无法使用：最外层必须是对象，如 {"mcpServers": {…}}，现在是列表。',
    )
  })

  it('is told with the line, the column and what is wrong there', () => {
    const detail = { kind: 'file-unusable', why: 'needs-comma' } as const
    const error = new ConfigError(ENGLISH, { file: '/p/mcp.json', line: 3, column: 9, detail })
    expect(tellZh(error)).toBe('“/p/mcp.json”第 3 行第 9 列无法使用：这里应当有 ","。')
  })
})
