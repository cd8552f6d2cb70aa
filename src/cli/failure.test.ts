import { describe, expect, it } from 'vitest'
import {
  BugError,
  CancelledError,
  CapabilityError,
  ProtocolError,
  RpcError,
  SchemaError,
  TimeoutError,
  TransportError,
  UsageError,
} from '../base/errors.ts'
import { exitCodeOf } from './exit-codes.ts'
import { failureLines, failureRecord } from './failure.ts'
import { listenForInterrupt } from './interrupt.ts'
import { en } from './messages/en.ts'
import { zh } from './messages/zh.ts'

describe('exit codes', () => {
  it.each([
    [1, new UsageError('x')],
    [1, new SchemaError('DP_SCHEMA_ARGUMENTS', 'x')],
    [4, new TransportError('DP_TRANSPORT_EXIT', 'x')],
    [7, new TimeoutError('x', { timer: 'idle', ms: 1, setBy: 'client' })],
    [8, new RpcError(-32603, 'x')],
    [8, new ProtocolError('DP_PROTOCOL_VERSION', 'x')],
    [8, new CapabilityError('DP_CAPABILITY_MISSING', 'x')],
    [70, new BugError('x')],
    [70, new TypeError('x')],
    [70, 'a string'],
    [130, new CancelledError('x')],
  ])('are %i for %s', (code, error) => {
    expect(exitCodeOf(error)).toBe(code)
  })
})

describe('a failure', () => {
  it('says where it comes from, in both languages', () => {
    const error = new RpcError(-32603, 'oh\u001b[2J')
    expect(failureLines(error, en)).toEqual([
      'The server answered with an error (-32603): It had an internal error over the request. It says: oh\\u001b[2J',
    ])
    expect(failureLines(error, zh)[0]).toBe(
      '服务器返回错误（-32603）：它在处理这个请求时出了内部错误。它说：oh\\u001b[2J',
    )
  })

  it('shows the last lines of stderr, safe ones and not too many', () => {
    const stderr = [...Array(50).keys()].map((n) => `line ${n}\u0007`).join('\n')
    const error = new TransportError('DP_TRANSPORT_EXIT', 'gone', { stderr })
    const lines = failureLines(error, en)
    expect(lines).toHaveLength(22)
    expect(lines.slice(1, 3)).toEqual(['The server said on stderr:', '  line 30\\u0007'])
  })

  it('of ours is told with its stack, as something to report', () => {
    expect(failureLines(new TypeError('x is not a function'), en).slice(0, 2)).toEqual([
      `Internal error: ${en.notes.bug}`,
      'TypeError: x is not a function',
    ])
  })

  it('is one record for programs', () => {
    const error = new TransportError('DP_TRANSPORT_EXIT', 'gone', { exitCode: 3, server: 's' })
    expect(failureRecord(error)).toEqual({
      error: expect.objectContaining({
        family: 'transport',
        code: 'DP_TRANSPORT_EXIT',
        message: 'gone',
        exitCode: 4,
        server: 's',
        serverExitCode: 3,
      }),
    })
    const rpc = new RpcError(-32000, 'no', { data: { a: 1 } })
    expect(failureRecord(rpc)).toMatchObject({ error: { rpcCode: -32000, data: { a: 1 } } })
  })
})

describe('an interrupt', () => {
  it('gives up at the first signal and ends the process at the second', () => {
    const listeners = new Map<string, () => void>()
    const exits: number[] = []
    let told = 0
    const source = {
      on: (name: string, listener: () => void) => listeners.set(name, listener),
      off: (name: string) => listeners.delete(name),
      exit: (code: number) => void exits.push(code),
    }
    const interrupt = listenForInterrupt(source, () => (told += 1))
    expect(interrupt.exitCode()).toBeUndefined()
    listeners.get('SIGTERM')?.()
    expect([interrupt.signal.aborted, interrupt.exitCode(), told, exits]).toEqual([
      true,
      143,
      1,
      [],
    ])
    listeners.get('SIGINT')?.()
    expect([interrupt.exitCode(), told, exits]).toEqual([143, 1, [130]])
    interrupt.release()
    expect(listeners.size).toBe(0)
  })

  it('by a key that was read is that of the signal', () => {
    let told = 0
    const source = { on: () => {}, off: () => {}, exit: () => {} }
    const interrupt = listenForInterrupt(source, () => (told += 1))
    interrupt.interrupt()
    expect([interrupt.signal.aborted, interrupt.exitCode(), told]).toEqual([true, 130, 1])
  })
})
