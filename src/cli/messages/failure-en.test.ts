import { describe, expect, it } from 'vitest'
import {
  HttpError,
  ProtocolError,
  RpcError,
  TimeoutError,
  TransportError,
  type TimerName,
} from '../../base/errors.ts'
import { tellEn } from './failure-en.ts'
import { tellZh } from './failure-zh.ts'

const late = (timer: TimerName, setBy: string, method: string): TimeoutError =>
  new TimeoutError('x', { timer, ms: 700, setBy, method, server: 'fs', id: 1, sent: 'yes' })

describe('an error of the server', () => {
  it('is told with what its code means and which request it answers', () => {
    const where = { method: 'tools/call' }
    expect(tellEn(new RpcError(-32601, 'Method not found', where))).toBe(
      'It does not know tools/call, and may be too old. It says: Method not found',
    )
    expect(tellEn(new RpcError(-32602, '', where))).toBe(
      'The arguments of tools/call are wrong. Correct them.',
    )
  })

  it('of a code of its own is told in its words', () => {
    expect(tellEn(new RpcError(-32001, 'not today'))).toBe('not today')
    expect(tellEn(new RpcError(-32001, ''))).toBe('It gave no reason.')
  })
})

describe('an answer that does not come', () => {
  it.each([
    ['start', '--start-timeout'],
    ['idle', '--timeout'],
    ['total', '--total-timeout'],
  ] as const)('is told with the option that widens the limit: %s', (timer, option) => {
    for (const tell of [tellEn, tellZh]) {
      expect(tell(late(timer, 'default', 'tools/call'))).toContain(` ${option}`)
      expect(tell(late(timer, '/p/mcp.json:9 timeout', 'tools/call'))).not.toContain(option)
    }
  })

  it('is told with the place where the limit was set, less what was waited before', () => {
    const error = late('total', '/p/mcp.json:9 timeout, less 40 ms of waiting', 'tools/call')
    expect(tellEn(error)).toBe(
      'The server "fs": tools/call was not done within 700 ms. The limit stands in /p/mcp.json:9 timeout, where it can be widened. Whether it took effect is not known.',
    )
    expect(tellZh(error)).toContain('时限写在 /p/mcp.json:9 timeout，可以在那里放宽。')
  })

  it('leaves no doubt over what only asks', () => {
    expect(tellEn(late('idle', 'default', 'tools/list'))).toBe(
      'The server "fs": nothing happened for 700 ms, and tools/list was not answered. Widen the limit with --timeout.',
    )
    const lost = new TransportError(
      'DP_TRANSPORT_CLOSED',
      'tools/list got no answer: It is gone. Whether it took effect is not known.',
      { method: 'tools/list', server: 'fs', id: 1, sent: 'yes' },
    )
    expect(tellEn(lost)).toBe('tools/list got no answer: It is gone.')
  })

  it('after words that are no message is told with them', () => {
    const detail = { kind: 'no-mcp', why: 'silent', output: 'hello' } as const
    const error = new TimeoutError('x', {
      timer: 'start',
      ms: 9,
      setBy: 'default',
      method: 'initialize',
      detail,
    })
    expect(tellEn(error)).toContain(' What it wrote to its output is no MCP message: "hello".')
  })
})

describe('advice', () => {
  it('follows a message that has none', () => {
    const away = new TransportError('DP_TRANSPORT_CONNECT', 'http://h was not reached: no', {
      detail: { kind: 'not-reached', address: 'http://h' },
    })
    expect(tellEn(away)).toBe(
      'http://h was not reached: no. Check that it runs and that the address is right.',
    )
    expect(tellEn(away, { advice: false })).toBe('http://h was not reached: no')
    expect(tellEn(new ProtocolError('DP_PROTOCOL_RESULT', 'It is odd.'))).toBe(
      'It is odd. Tell the author of the server.',
    )
    const gone = new HttpError('DP_TRANSPORT_SESSION', 'It does not know this session.', {
      status: 404,
      detail: { kind: 'session-gone', address: 'http://h' },
    })
    expect(tellEn(gone)).toBe('It does not know this session. Connect again.')
  })
})
