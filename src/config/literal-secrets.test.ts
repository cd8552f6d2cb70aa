import { describe, expect, it } from 'vitest'
import { literalSecrets } from './literal-secrets.ts'
import type { NewServer } from './new-server.ts'

const KEY = 'ghp_0123456789abcdefABCDEF0123456789abcd'
const RANDOM = 'Hn3kT9vQ2xLpR7wZb5YcM8sJd4FgA6eU'

function stdio(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  command = 'x',
): NewServer {
  return { kind: 'stdio', command, args, env }
}

function web(url: string, headers: Readonly<Record<string, string>> = {}): NewServer {
  return { kind: 'url', url, headers }
}

describe('what is written out and looks like a secret', () => {
  it.each<[string, NewServer, readonly string[]]>([
    ['a variable of such a name', stdio([], { API_TOKEN: 'abc' }), ['env/API_TOKEN']],
    ['a key under any name', stdio([], { TOK: KEY, MODE: RANDOM }), ['env/TOK', 'env/MODE']],
    ['an argument behind its option', stdio(['--token', 'abc']), ['args/1']],
    ['an argument with its option', stdio(['-v', '--api-key=abc']), ['args/1']],
    ['a variable among arguments', stdio(['-e', 'DB_PASSWORD=abc']), ['args/1']],
    [
      'a header among arguments',
      stdio(['-H', 'X-Team: abc', '--header=X-Team:abc']),
      ['args/1', 'args/2'],
    ],
    ['a key among arguments', stdio(['--with', KEY, `TOK=${RANDOM}`]), ['args/1', 'args/2']],
    ['a key in a command of the shell', stdio(['-c', `TOK=${KEY} server`]), ['args/1']],
    ['an address among arguments', stdio(['https://h/mcp?api_key=abc']), ['args/0']],
    ['a password in an address', stdio(['postgres://zoe:abc-1234@db/x']), ['args/0']],
    ['a key in the command', stdio([], {}, `/opt/${KEY}/run`), ['command']],
    ['a parameter of such a name', web('https://h/mcp?api_key=abc'), ['url']],
    ['a key in a parameter', web(`https://h/mcp?p=${KEY}`), ['url']],
    ['a key in a path', web(`https://h/s/${RANDOM}/mcp`), ['url']],
    ['a key behind a host that is a reference', web('https://${HOST}/mcp?token=abc'), ['url']],
    ['a header', web('https://h/', { 'X-Team': 'abc' }), ['headers/X-Team']],
    ['a key in a harmless header', web('https://h/', { Accept: KEY }), ['headers/Accept']],
    ['what is taken without a variable', stdio([], { A_KEY: '${X:-abc}' }), ['env/A_KEY']],
    ['what stands beside a reference', stdio([], { A_TOKEN: '${X}abc' }), ['env/A_TOKEN']],
  ])('is named: %s', (_, server, names) => {
    expect(literalSecrets(server)).toEqual(names)
  })

  it.each<[string, NewServer]>([
    ['references', stdio(['--token', '${T}', '--key=${K}'], { API_TOKEN: '${T}', B: '${env:B}' })],
    ['references in an address', web('${BASE}/mcp?key=${KEY}')],
    ['a reference behind its scheme', web('https://h/', { Authorization: 'Bearer ${T}' })],
    ['a header that is harmless', web('https://h/', { Accept: 'text/html' })],
    ['what says where a secret is', stdio(['--key-file', '/k'], { SSH_KEY_PATH: '/k' })],
    ['options behind options', stdio(['--token', '--verbose'])],
    [
      'an ordinary server',
      stdio(['-y', '@scope/server@1.2.3', '/home/zoe'], { LEVEL: '2' }, 'npx'),
    ],
    ['the path of a socket', web(`unix:/run/${RANDOM}/s`)],
  ])('nothing is said of %s', (_, server) => {
    expect(literalSecrets(server)).toEqual([])
  })
})
