import { describe, expect, it } from 'vitest'
import { checkSocketPath } from './socket-options.ts'
import { freshPath, isCode } from './socket-path.ts'

describe.runIf(process.platform !== 'win32')('a path of a socket', () => {
  it('is counted in bytes', () => {
    expect(() => checkSocketPath(`/${'é'.repeat(45)}`)).not.toThrow()
    expect(() => checkSocketPath(`/${'é'.repeat(60)}`)).toThrow('121')
  })

  it('has names beside it that nobody can guess, and that are no longer than most', () => {
    const names = new Set(Array.from({ length: 100 }, () => freshPath('/run/me/mcp.sock')))
    expect(names.size).toBe(100)
    for (const name of names) expect(name).toMatch(/^\/run\/me\/\.[\w-]{6}$/)
  })

  it('tells errors of the system by their code', () => {
    const error = Object.assign(new Error('x'), { code: 'ENOENT' })
    expect(isCode(error, 'EEXIST', 'ENOENT')).toBe(true)
    expect(isCode(error, 'EEXIST')).toBe(false)
    expect(isCode('ENOENT', 'ENOENT')).toBe(false)
  })
})
