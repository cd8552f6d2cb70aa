import { expect, it } from 'vitest'
import { lastWords } from './stderr-lines.ts'

it('says what a Node that crashed says of it, not which Node it was', () => {
  const stderr = [
    'node:internal/modules/cjs/loader:1228',
    '  throw err;',
    '  ^',
    '',
    "Error: Cannot find module '/p/server.js'",
    '    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)',
    '    at node:internal/main/run_main_module:36:49 {',
    "  code: 'MODULE_NOT_FOUND',",
    '  requireStack: []',
    '}',
    '',
    'Node.js v20.20.2',
    '',
  ].join('\n')
  expect(lastWords(stderr)).toBe(
    "Its last words on stderr: Error: Cannot find module '/p/server.js'",
  )
})

it('says the exception at the end of the trace of a Python', () => {
  const stderr =
    'Traceback (most recent call last):\n  File "s.py", line 1\nModuleNotFoundError: No module named mcp\n'
  expect(lastWords(stderr)).toContain(': ModuleNotFoundError: No module named mcp')
})

it('says the last lines where none says that it is an error', () => {
  const stderr = 'one\ntwo\n\nusage: server FOLDER\n  FOLDER is missing\nsee --help\n'
  expect(lastWords(stderr)).toBe(
    'Its last words on stderr: usage: server FOLDER / FOLDER is missing / see --help',
  )
})

it('says a warning of long ago no more than the lines at the end', () => {
  const stderr = `TypeError: old\n${'    at x\n'.repeat(100)}done\n`
  expect(lastWords(stderr)).not.toContain('old')
})

it('stays short whatever was written', () => {
  expect(lastWords(`Error: ${'x'.repeat(100_000)}`).length).toBeLessThan(400)
  expect(lastWords(`${'x'.repeat(100_000)}\n`.repeat(9)).length).toBeLessThan(400)
})
