import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { noteEn } from './messages/note-en.ts'
import { noteZh } from './messages/note-zh.ts'
import { remarkTeller } from './wire-remark.ts'

const record = (message: string, data: JsonObject) =>
  ({ level: 'warn', module: 'wire', message, data: { server: 'notes', ...data } }) as const
const english = (message: string, data: JsonObject) => remarkTeller(noteEn)(record(message, data))
const chinese = (message: string, data: JsonObject) => remarkTeller(noteZh)(record(message, data))

/** One of each kind that a client notes beside what is ordinary. */
const REMARKS: readonly (readonly [kind: string, data: JsonObject, en: string, zh: string])[] = [
  [
    'bad-tool',
    { index: 3, problem: 'its inputSchema is no object', name: 'sum' },
    'the inputSchema of its tool "sum" is no object; the tool is offered all the same, as one without parameters.',
    '工具“sum”的 inputSchema 不是对象；该工具照常提供，但没有参数。',
  ],
  [
    'bad-tool',
    { index: 3, problem: 'its outputSchema is no object' },
    'the outputSchema of tool number 4 of its list is no object; the tool is offered, and its results are not checked.',
    '列表中第 4 个工具的 outputSchema 不是对象；该工具照常提供，不检查其结果。',
  ],
  [
    'bad-tool',
    { index: 0, problem: '"a\\"b" was left out: its x-mcp-header is no header name' },
    'its tool "a"b" is left out: its x-mcp-header is no header name.',
    '工具“a"b”未列入（它的 x-mcp-header 不是请求头的名称）。',
  ],
  [
    'bad-template',
    { index: 1, problem: 'a second template has the uriTemplate "x://{y}"' },
    'its list has a second resource template with the URI template "x://{y}", which is left out.',
    '列表中有两个资源模板的 URI 模板都是“x://{y}”，后一个未列入。',
  ],
  [
    'bad-resource',
    { index: 0, problem: 'it has no uri' },
    'resource number 1 of its list has no URI and is left out.',
    '列表中第 1 个资源没有 URI，未列入。',
  ],
  [
    'bad-prompt',
    { index: 0, problem: 'it is odd' },
    'prompt number 1 of its list is at fault: it is odd.',
    '列表中第 1 个提示词有误（原文：it is odd）。',
  ],
  [
    'bad-contents',
    { index: 1, uri: 'x://y' },
    'part 2 of the resource "x://y" has neither text nor data and is left out.',
    '资源“x://y”的第 2 部分既没有文本也没有数据，已略去。',
  ],
  [
    'cursor-loop',
    { method: 'tools/list', cursor: 'x', pages: 2 },
    'the list of tools/list goes in circles; what it held until then is used.',
    'tools/list 的列表翻页绕成了圈，只采用此前的内容。',
  ],
  [
    'stale',
    { method: 'tools/list' },
    'it could not be asked for tools/list; its earlier answer is used.',
    '没能向它请求 tools/list，采用它以前的应答。',
  ],
  [
    'unexpected-request',
    { method: 'roots/list', id: 1 },
    'it asked for roots/list in a way that its protocol revision does not have, and gets no answer.',
    '它请求 roots/list 的方式在其协议版本中不存在，因此得不到应答。',
  ],
  [
    'subscription-gaps',
    { notGranted: ['toolsListChanged', 'promptsListChanged'] },
    'it does not tell of toolsListChanged, promptsListChanged.',
    '它不会通知 toolsListChanged、promptsListChanged。',
  ],
  [
    'duplicate',
    { id: 3 },
    'it answered request 3 twice; the second answer is ignored.',
    '它对请求 3 应答了两次，后一次不予理会。',
  ],
  [
    'unknown-id',
    { id: 'x' },
    'it answered a request that nobody made, with the id x; the answer is ignored.',
    '它应答了一个没有人发过的请求，编号 x，不予理会。',
  ],
  [
    'error-without-id',
    { code: -32700, message: 'What?' },
    'it sent an error that belongs to no request, and ends none: "What?".',
    '它发来一个不属于任何请求的错误，没有请求因此结束：“What?”。',
  ],
  [
    'malformed',
    { reason: 'a result without a usable "id"', text: '{"result":{}}' },
    'it sent an answer that cannot be read and names no request (a result without a usable "id"); it is ignored: "{"result":{}}".',
    '它发来的一个应答无法读取，也不知属于哪个请求（结果没有可用的“id”），不予理会：“{"result":{}}”。',
  ],
  [
    'stray',
    { reason: 'not JSON', text: 'ready' },
    'it sent what is no MCP message, which is ignored: "ready".',
    '它发来的内容不是 MCP 消息，不予理会：“ready”。',
  ],
  [
    'stray',
    { reason: 'not UTF-8' },
    'it sent what is no MCP message (not UTF-8), which is ignored.',
    '它发来的内容不是 MCP 消息（不是 UTF-8），不予理会。',
  ],
  [
    'too-large',
    { size: 40_000_000 },
    'it sent a message of 40,000,000 bytes, more than is accepted, which is skipped.',
    '它发来的一条消息有 40,000,000 字节，超过上限，已跳过。',
  ],
  [
    'no-listening',
    { message: 'It answered 500.' },
    'what it says unasked, such as that its tools changed, is not heard: It answered 500.',
    '收不到它主动说的话，比如工具有变化（原文：It answered 500）。',
  ],
  [
    'session-ignored',
    { reason: 'it is no visible ASCII' },
    'it named a session id that is ignored: it is no visible ASCII.',
    '它给出的会话编号不能用，不予理会（它不是可见的 ASCII 字符）。',
  ],
  [
    'not-accepted',
    { kind: 'answer', message: 'It answered 500.' },
    'it did not take the answer to its question: It answered 500.',
    '它没有收下对它的提问的应答（原文：It answered 500）。',
  ],
  [
    'stray: more of these are not told',
    { told: 20 },
    'more remarks of this kind are not shown.',
    '还有更多同类的情况，不再显示。',
  ],
]

describe('a remark on the wire', () => {
  it.each(REMARKS)('is one sentence that names the server: %s %j', (kind, data, en, zh) => {
    const inEnglish = english(kind, data) ?? ''
    expect(inEnglish.replace(' Tell the author of the server.', '')).toBe(
      `warning: server "notes": ${en}`,
    )
    const inChinese = chinese(kind, data) ?? ''
    expect(inChinese.replace('请告知服务器的作者。', '')).toBe(`警告：服务器“notes”：${zh}`)
  })

  it('sends to the author once for each server and kind', () => {
    const tell = remarkTeller(noteEn)
    const advised = [
      record('duplicate', { id: 1 }),
      record('duplicate', { id: 2 }),
      record('unknown-id', { id: 9 }),
      record('duplicate', { id: 1, server: 'files' }),
    ].map((one) => tell(one)?.endsWith('ignored. Tell the author of the server.'))
    expect(advised).toEqual([true, false, true, true])
  })

  it('says nothing twice, and of what says nothing new three and that there is more', () => {
    const tell = remarkTeller(noteEn)
    const stray = (text: string) => tell(record('stray', { reason: 'not JSON', text }))
    expect(['a', 'a', 'b', 'c', 'd', 'e'].map(stray)).toEqual([
      expect.stringContaining('"a"'),
      '',
      expect.stringContaining('"b"'),
      expect.stringContaining('"c"'),
      'warning: server "notes": more remarks of this kind are not shown.',
      '',
    ])
    expect(tell(record('stray: more of these are not told', { told: 20 }))).toBe('')
  })

  it('says of each entry of a list what is wrong with it', () => {
    const tell = remarkTeller(noteEn)
    const bad = (index: number) => tell(record('bad-tool', { index, problem: 'it has no name' }))
    const told = Array.from({ length: 20 }, (_, index) => bad(index))
    expect(told.every((line, at) => line?.includes(`tool number ${at + 1} of`))).toBe(true)
    const more = record('bad-tool: more of these are not told', { told: 20 })
    expect([tell(more), tell(more)]).toEqual([
      'warning: server "notes": more remarks of this kind are not shown.',
      '',
    ])
  })

  it('says each time what may be the network, and blames nobody for it', () => {
    const tell = remarkTeller(noteEn)
    const stale = record('stale', { method: 'tools/list' })
    expect(tell(stale)).toBe(tell(stale))
    expect(english('no-listening', { message: 'x' })).not.toContain('author')
    expect(english('stale', { method: 'tools/list' })).not.toContain('author')
  })

  it('shows 80 columns of what a server sent, without its controls', () => {
    const told = english('stray', { text: `\u001b[2J${'界'.repeat(400)}` })
    expect(told).toMatch(/: "\\u001b\[2J界{35}…"\. Tell/)
    expect(english('bad-tool', { index: 0, problem: `its \u001b[2J${'x'.repeat(9000)}` })).toMatch(
      /: its \\u001b\[2Jx{1,400}\. Tell/,
    )
  })

  it('leaves alone what is none, and what it does not know', () => {
    const tell = remarkTeller(noteEn)
    expect(tell({ level: 'debug', module: 'wire', message: 'stray', data: {} })).toBeUndefined()
    expect(tell({ level: 'warn', module: 'server', message: 'stray' })).toBeUndefined()
    expect(tell({ level: 'warn', module: 'wire', message: 'of tomorrow' })).toBeUndefined()
  })
})
