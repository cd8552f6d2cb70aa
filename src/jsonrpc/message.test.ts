import { describe, expect, it } from 'vitest'
import { JsonText } from '../base/json.ts'
import {
  readMessage,
  writeError,
  writeNotification,
  writeRequest,
  writeResult,
  type Reading,
} from './message.ts'

const read = (text: string): Reading => readMessage(JSON.parse(text))

describe('reading a message', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"m"}', 'request'],
    ['{"jsonrpc":"2.0","id":"","method":"m","params":{}}', 'request'],
    ['{"jsonrpc":"2.0","method":"m"}', 'notification'],
    ['{"jsonrpc":"2.0","id":0,"result":{}}', 'result'],
    ['{"jsonrpc":"2.0","id":"1","error":{"code":-1,"message":""}}', 'error'],
  ])('tells what %s is', (text, kind) => {
    expect(read(text).kind).toBe(kind)
  })

  it.each(['null', '5', 'true', '"text"', '[]', '{}', '[null]'])(
    'refuses %s, which is no message [RPC-01]',
    (text) => {
      expect(read(text)).toMatchObject({ kind: 'malformed', code: -32600 })
    },
  )

  it.each([
    '{"jsonrpc":"1.0","id":11,"method":"ping"}',
    '{"id":12,"method":"ping"}',
    '{"jsonrpc":2.0,"id":12,"method":"ping"}',
    '{"JSONRPC":"2.0","id":12,"method":"ping"}',
  ])('refuses %s for its version, and keeps the id to answer with [RPC-01]', (text) => {
    expect(read(text)).toMatchObject({
      kind: 'malformed',
      id: (JSON.parse(text) as { id: number }).id,
    })
  })

  it.each(['null', '1.5', '9007199254740993', '{}', '[]', 'true'])(
    'refuses the id %s [RPC-03]',
    (id) => {
      const reading = read(`{"jsonrpc":"2.0","id":${id},"method":"m"}`)
      expect(reading).toMatchObject({ kind: 'malformed', requirement: 'RPC-03' })
      expect(reading).not.toHaveProperty('id')
    },
  )

  it.each(['0', '-7', '9007199254740991', '""', '"0"', '"__proto__"'])(
    'takes the id %s as it is [RPC-03, RPC-06]',
    (id) => {
      expect(read(`{"jsonrpc":"2.0","id":${id},"method":"m"}`)).toMatchObject({
        kind: 'request',
        message: { id: JSON.parse(id) },
      })
    },
  )

  it('takes null params for none, and refuses any that are no object', () => {
    const reading = read('{"jsonrpc":"2.0","id":1,"method":"m","params":null}')
    expect(reading.kind === 'request' && 'params' in reading.message).toBe(false)
    for (const params of ['"x"', '[]', '1']) {
      expect(read(`{"jsonrpc":"2.0","id":1,"method":"m","params":${params}}`)).toMatchObject({
        kind: 'malformed',
        id: 1,
      })
    }
  })

  it('never takes an answer with both result and error, or with neither [RPC-07]', () => {
    const both = read('{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}')
    expect(both).toMatchObject({ kind: 'malformed', answer: true, id: 1 })
    expect(read('{"jsonrpc":"2.0","id":1}')).toMatchObject({ kind: 'malformed', id: 1 })
  })

  it('takes a null beside the other member for missing [RPC-07]', () => {
    expect(read('{"jsonrpc":"2.0","id":1,"result":{},"error":null}').kind).toBe('result')
    expect(
      read('{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"x"}}').kind,
    ).toBe('error')
  })

  it('takes an error without an id, or with null [RPC-08]', () => {
    expect(read('{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}').kind).toBe('error')
    expect(read('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}').kind).toBe(
      'error',
    )
  })

  it.each([
    '{"message":"x"}',
    '{"code":"1","message":"x"}',
    '{"code":1.5,"message":"x"}',
    '{"code":1}',
    '"x"',
    '[]',
  ])('refuses the error object %s [RPC-09]', (error) => {
    expect(read(`{"jsonrpc":"2.0","id":1,"error":${error}}`)).toMatchObject({
      kind: 'malformed',
      answer: true,
    })
  })

  it('keeps members that nobody knows [RPC-22]', () => {
    expect(read('{"jsonrpc":"2.0","id":1,"method":"m","x":1}')).toMatchObject({ message: { x: 1 } })
  })

  it('leaves prototypes alone', () => {
    read(
      '{"jsonrpc":"2.0","id":1,"method":"m","__proto__":{"polluted":1},"params":{"__proto__":{"polluted":1}}}',
    )
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('writing a message', () => {
  it('puts the version, the id and the params of a request on one line [RPC-01, STDIO-02]', () => {
    const text = writeRequest(7, 'm', { a: 'one\ntwo\r\u2028' })
    expect(text).not.toMatch(/[\n\r]/)
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'm',
      params: { a: 'one\ntwo\r\u2028' },
    })
  })

  it('gives a notification no id [RPC-10]', () => {
    expect(JSON.parse(writeNotification('m'))).toEqual({ jsonrpc: '2.0', method: 'm' })
  })

  it('answers with an id of the same JSON type [RPC-06]', () => {
    expect(writeResult(1, {})).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
    expect(writeResult('1', {})).toBe('{"jsonrpc":"2.0","id":"1","result":{}}')
    expect(JSON.parse(writeResult('a"\n', {}))).toMatchObject({ id: 'a"\n' })
  })

  it('writes text that is JSON already as it stands', () => {
    expect(writeResult(1, new JsonText('{"a":1}'))).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"a":1}}',
    )
    expect(writeRequest(1, 'm', new JsonText('{"a":1}'))).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}',
    )
  })

  it('leaves the id of an unreadable message out, or writes null where that is wanted [RPC-08]', () => {
    const error = { code: -32700, message: 'not JSON' }
    expect(JSON.parse(writeError(undefined, error))).toEqual({ jsonrpc: '2.0', error })
    expect(JSON.parse(writeError(undefined, error, true))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error,
    })
    expect(JSON.parse(writeError(0, error))).toEqual({ jsonrpc: '2.0', id: 0, error })
  })
})
