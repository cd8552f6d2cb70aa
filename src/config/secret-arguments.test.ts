import { describe, expect, it } from 'vitest'
import { secretArguments } from './secret-arguments.ts'

describe('arguments', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['mcp-remote', 'https://h/', '--header', 'X-Thing: plain-key'], ['plain-key']],
    [
      ['-H', 'Authorization:Bearer key-1'],
      ['Bearer key-1', 'key-1'],
    ],
    [['--header=X-Thing: plain-key'], ['plain-key']],
    [['--header', 'Accept: application/json'], []],
    [['run', '-e', 'DB_PASSWORD=plain-key', '-e', 'MODE=ro'], ['plain-key']],
    [['-e', 'TOK=Hn3kT9vQ2xLpR7wZb5YcM8sJd4FgA6eU'], ['Hn3kT9vQ2xLpR7wZb5YcM8sJd4FgA6eU']],
    [
      ['--token', 'plain-key', '--secret=other-key'],
      ['plain-key', 'other-key'],
    ],
    [['--token', '--verbose'], []],
  ])('%j hold %j', (args, secrets) => {
    expect(secretArguments(args)).toEqual(secrets)
  })
})
