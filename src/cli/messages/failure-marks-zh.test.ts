/** The Chinese of errors as it is shown, with every way that its parts can be put together. */
import { describe, expect, it } from 'vitest'
import type { ErrorDetail } from '../../base/error-detail.ts'
import {
  CapabilityError,
  ConfigError,
  PilotError,
  RpcError,
  TimeoutError,
  TransportError,
  type ErrorCode,
} from '../../base/errors.ts'
import { tellZh } from './failure-zh.ts'

const WHYS: Readonly<Record<string, readonly string[]>> = {
  spawn: [
    'no-folder',
    'no-command',
    'not-executable',
    'open-files',
    'no-room',
    'too-long',
    'no-program',
    'unsafe',
    'system',
  ],
  redirect: ['away', 'nowhere', 'method', 'circles', 'hidden'],
  'no-start': ['silent', 'fetching', 'program-silent', 'idle'],
  'arguments-odd': ['no-object', 'no-json', 'too-long', 'too-deep'],
  version: ['other', 'unlisted', 'no-modern', 'none-in-common'],
  'no-mcp': ['echo', 'flood', 'silent'],
  'capture-unreadable': ['missing', 'folder', 'forbidden', 'empty', 'no-capture', 'system'],
  'capture-unwritable': ['there', 'link', 'odd', 'no-folder', 'system'],
  'capture-no-append': ['no-record', 'no-capture', 'version', 'redaction'],
  'lock-unusable': ['no-json', 'no-servers', 'bad-server', 'bad-pin'],
  'entry-edit': ['there', 'missing', 'unchangeable'],
  'session-file': ['no-file', 'no-folder', 'too-large'],
  'bad-header': ['name', 'ours', 'value'],
  'model-silent': ['no-byte', 'stopped', 'too-slow'],
}
const ONE_EACH: readonly string[] = `
  own-process exited output-closed input-closed stalled no-pong lost closed given-up
  lost-often websocket-closed message-too-large encoding sent-too-large answer-too-large
  too-many-waiting backlog cannot-listen broke-off no-answer stream-lost session-gone
  not-accepted bad-request no-post-address not-reached http-status detached unapproved hangs
  waited-for-server question-took-long task-took-long not-recorded altered changed-meanwhile
  exchanged-meanwhile
  unjudged unknown-tool file-unwritable grants-unusable short-token
  bad-host bad-socket-path too-many-items model-bad-context model-unnamed
  era-without-revision too-many-questions
`
  .trim()
  .split(/\s+/)
const FACTS = {
  command: 'nodde',
  folder: '/x',
  reason: 'odd noise',
  launcher: 'npx',
  how: 'SIGABRT',
  ms: 3,
  tries: 3,
  code: 1011,
  said: 'cheese',
  limit: 3,
  bytes: 4,
  waiting: 4,
  running: 5,
  messages: 3,
  address: 'http://h.example',
  status: 503,
  encoding: 'br',
  place: '/p:3',
  tool: 'fs__read',
  times: 3,
  task: 't9',
  path: '/x',
  provider: 'deepseek',
  value: 'v',
  variable: 'BASE',
  host: 'h',
  characters: 7,
  least: 16,
  era: 'modern',
  items: 4,
  pages: 5,
  most: 8,
  lines: 9,
  output: 'hello',
  server: 'fs',
  header: 'X-Y',
  from: 'http://a.example',
  to: 'http://b.example',
  ours: ['2025-11-25'],
  theirs: ['1999-01-01'],
  revisions: ['1'],
}
/** Carried by an error of a timer alone. */
const TIMED: ReadonlySet<string> = new Set([
  'no-start',
  'waited-for-server',
  'hangs',
  'question-took-long',
  'task-took-long',
])
const METHODS = [undefined, 'tools/call', 'tools/list'] as const

const details: readonly ErrorDetail[] = [
  ...Object.entries(WHYS).flatMap(([kind, whys]) => whys.map((why) => ({ ...FACTS, kind, why }))),
  ...ONE_EACH.map((kind) => ({ ...FACTS, kind })),
  ...['server', 'websocket', 'weather', 'proxy'].flatMap((what) => [
    { kind: 'bad-address', what },
    { kind: 'bad-address', what, scheme: 'ftp:' },
  ]),
] as unknown as readonly ErrorDetail[] // every fact that any of them has

function errorsOf(method: string | undefined): readonly PilotError[] {
  const where = { server: 'fs', ...(method !== undefined && { method, id: 1 }) }
  const timers = ['probe', 'start', 'idle', 'total', 'write', 'stop'] as const
  const codes: readonly ErrorCode[] = [
    'DP_PROTOCOL_RESULT',
    'DP_PROTOCOL_PAGES',
    'DP_PROTOCOL_ROUNDS',
    'DP_CAPABILITY_METHOD',
    'DP_CANCELLED',
  ]
  return [
    ...details.flatMap((detail): readonly PilotError[] => {
      const late = { ...where, detail, timer: 'start', ms: 9, setBy: 'default' } as const
      if (TIMED.has(detail.kind)) return [new TimeoutError('x', late)]
      return [
        new TimeoutError('x', late),
        new TransportError('DP_TRANSPORT_CLOSED', 'x', { ...where, detail, sent: 'yes' }),
        new ConfigError('x', { ...where, detail, file: '/p/mcp.json' }),
      ]
    }),
    ...[-32700, -32600, -32601, -32602, -32603, -32002, -1].flatMap((code) => [
      new RpcError(code, '', where),
      new RpcError(code, 'no such file', where),
    ]),
    ...timers.flatMap((timer) =>
      ['default', '/p/mcp.json:9 timeout'].map(
        (setBy) => new TimeoutError('x', { ...where, timer, ms: 9, setBy }),
      ),
    ),
    ...codes.map((code) => new PilotError('protocol', code, 'x', where)),
    ...['server tools', 'client roots'].map(
      (missing) => new CapabilityError('DP_CAPABILITY_MISSING', 'x', { ...where, missing }),
    ),
  ]
}

describe('an error in Chinese', () => {
  const sentences = METHODS.flatMap(errorsOf).map((error) => tellZh(error))

  it('says something, whatever is known of it', () => {
    expect(sentences.filter((text) => text.trim() === '' || text.includes('undefined'))).toEqual([])
    expect(sentences.length).toBeGreaterThan(300)
  })

  it.each([
    ['beside a wide mark', /[，。：；！？、（] | [，。：；！？、）]/u],
    ['between characters and a quotation mark', /\p{Script=Han} “|” \p{Script=Han}/u],
    ['between characters', /\p{Script=Han} \p{Script=Han}/u],
    ['beside another blank', / {2}/],
  ])('has no blank %s', (_where, pattern) => {
    expect(sentences.filter((text) => pattern.test(text))).toEqual([])
  })

  it('has one stop at the end of a sentence', () => {
    expect(sentences.filter((text) => /[。！？][。！？，：]/u.test(text))).toEqual([])
  })

  it.each([
    ['-32601', '它不认识 tools/call，也许太旧。它说：no such file'],
    ['-32603', '它在处理 tools/call 时出了内部错误。它说：no such file'],
  ])('of a server, with the code %s, names the method', (code, sentence) => {
    const error = new RpcError(Number(code), 'no such file', { method: 'tools/call' })
    expect(tellZh(error)).toBe(sentence)
  })
})
