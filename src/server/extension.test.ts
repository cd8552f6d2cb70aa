import { expect, it } from 'vitest'
import { RpcRefusal, UsageError } from '../base/errors.ts'
import type { Extension } from '../protocol/extension.ts'
import { inEras, withExtensions, type ServerExtension } from './extension.ts'
import type { MethodContext } from './method.ts'

const extension: Extension = { id: 'com.example/echo', eras: ['modern'], methods: new Map() }
const echo: ServerExtension = { extension, settings: { loud: true }, methods: new Map() }
// The one member that is looked at.
const context = (era: 'legacy' | 'modern'): MethodContext => ({ client: { era } }) as MethodContext

it('declares each extension with its settings, beside what was declared by hand [EXT-01]', () => {
  const declared = withExtensions({ logging: {}, extensions: { 'com.example/other': {} } }, [echo])
  expect(declared).toEqual({
    logging: {},
    extensions: { 'com.example/other': {}, 'com.example/echo': { loud: true } },
  })
})

it('declares nothing where there is no extension [EXT-03]', () => {
  expect(withExtensions({ logging: {} }, [])).toEqual({ logging: {} })
})

it('refuses an extension that is there already', () => {
  expect(() => withExtensions({}, [echo, echo])).toThrow(UsageError)
  expect(() => withExtensions({ extensions: { 'com.example/echo': {} } }, [echo])).toThrow(
    'com.example/echo already',
  )
})

it('answers in the eras of the extension and in no other', () => {
  const answer = inEras(extension, 'echo/say', (params) => params)
  expect(answer({ text: 'a' }, context('modern'))).toEqual({ text: 'a' })
  expect(() => answer({}, context('legacy'))).toThrow(RpcRefusal)
})
