import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { isJsonObject } from '../base/json.ts'
import { parseConfig } from './parse.ts'
import { secretArguments } from './secret-arguments.ts'
import { secretsIn, secretsOfAddress } from './secret-values.ts'

/** Values of chance, made once. */
const RANDOM: readonly string[] = [
  'q7Zr2LkP9xVb4TnW8sYd', // 20 letters and digits
  'Hn3kT9vQ2xLpR7wZb5YcM8sJd4FgA6eU', // 32
  'x8f2kq9zv4m1tj7rw5yp3nb6hd0c', // small letters and digits
  'V4t-9Qm_Kz7rPw2LxN8cYb5HsT3dJf6GqE1aRu0ZoXi', // base64url
  'wJ4rXUtnF3MI/K7MDENG/bPx9RfiCY2EXtMPLE8KEY', // Base64 with slashes
  '123456789:AAF3kQz8vTn2LxPw7RbY5cHs9JdM4gE6uZo', // a bot's
]

/** What stands in configurations and is no secret. */
const ORDINARY: readonly string[] = [
  '',
  'true',
  '8080',
  'production',
  '@modelcontextprotocol/server-filesystem@2025.8.21',
  'ghcr.io/github/github-mcp-server:v0.20.1',
  '/home/ada/Library/Application Support/Code/User/globalStorage',
  '/home/ada/.cache/uv/archive-v0/kD8sdf7SDF9sdf8SDFsd/bin/python3',
  'C:\\Users\\Ada\\AppData\\Roaming\\npm\\node_modules\\server\\dist\\index.js',
  './build/index.js',
  'archive/kD8sdf7SDF9sdf8SDFsd/data',
  '~/notes/2026-12-02/Meeting1.md',
  '550e8400-e29b-41d4-a716-446655440000',
  '550E8400-E29B-41D4-A716-446655440000',
  'd6cd1e2bd19e03a81132a23b2025920577f84e37', // a commit
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'sha512-4eTzDvOYz0a0Pz8kqJt2nYDW1gS9X0Hn3kT9vQ2xLpR7wZb5YcM8sJd4FgA6eU==',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'git+https://github.com/oraios/serena@d6cd1e2bd19e03a81132a23b2025920577f84e37',
  'https://mcp.example.com/v1/mcp?workspace=team-a&mode=read-only',
  'https://abc123def4.execute-api.us-east-1.amazonaws.com/Prod/mcp',
  'http://127.0.0.1:9/mcp//x',
  'MyServerNameV2ForTeamA1',
  'GitHubMcpServerV2Beta1',
  'GoogleCloudPlatformServer1',
  'stgmycompany2023prodweu01',
  'DISABLE_TELEMETRY_FOR_ALL_SERVERS_2026',
  'claude-opus-4-20250514',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV', // an ordered id
  '2026-12-02T10:15:30.123456789Z',
  'arn:aws:iam::123456789012:role/McpServerRole',
  '*/15 8-18 * * 1-5',
  '--max-old-space-size=4096',
  '${workspaceFolder}/server',
  '你好，这是一个没有任何密钥的普通说明文字',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  'postgres://localhost:5432/app?sslmode=require',
  '{"logLevel":"debug","features":{"search":true},"limit":100}',
]

describe('a value whose name says nothing', () => {
  it.each(RANDOM)('is a secret when only chance would write it: %s', (value) => {
    expect(secretsIn('TOK', value)).toEqual([value])
    expect(secretsIn('SETTINGS', JSON.stringify({ a: value }))).toEqual([value])
  })

  it.each(ORDINARY)('is none when it is a path, a name, a hash or a number: %s', (value) => {
    expect(secretsIn('THING', value)).toEqual([])
    expect(secretArguments(['run', value])).toEqual([])
    expect(secretsOfAddress(value)).toEqual([])
  })

  it('is a secret by its beginning, without the words around it', () => {
    expect(secretsIn('TOK', 'sk-proj-abcDEF123456789012')).toEqual(['sk-proj-abcDEF123456789012'])
    expect(secretsIn('H', 'Bearer abc.DEF-123')).toEqual(['abc.DEF-123'])
  })

  it('is none by chance alone when it is called an id or a hash', () => {
    const sheet = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'
    for (const name of ['SHEET_ID', 'sheet-id', 'sheetId', 'CHECKSUM'])
      expect(secretsIn(name, sheet)).toEqual([])
    expect(secretArguments(['--sheet-id', sheet, `--folder-id=${sheet}`])).toEqual([])
    expect(secretsIn('GRID', sheet)).toEqual([sheet])
    expect(secretsIn('SHEET_ID', 'ghp_0123456789abcdefABCDEF0123456789abcd')).toHaveLength(1)
  })

  it('has a password with its user, and alone where that is no word of other texts', () => {
    expect(secretsIn('PG', 'postgres://app:hunter2hunter2@db/x')).toEqual([
      'app:hunter2hunter2',
      'hunter2hunter2',
    ])
    expect(secretsIn('PG', 'postgres://postgres:password@db/x')).toEqual(['postgres:password'])
  })

  it('is looked at in linear time', () => {
    for (const piece of ['a1B', 'a1B2/', 'a=', '//a:', 'x1y2z3w4 ', 'a-', "'a1B2c3D4"])
      expect(
        growthOf((size) => void secretsIn('X', piece.repeat(size / piece.length)), 12_000, 120_000),
        piece,
      ).toBeLessThan(40) // linear is 10, square is 100
  })
})

describe('an address', () => {
  it('has secrets in its path and its parameters', () => {
    const key = 'Hn3kT9vQ2xLpR7wZb5YcM8sJd4FgA6eU'
    expect(secretsOfAddress(`https://h.example/api/mcp/s/${key}/mcp`)).toEqual([key])
    expect(secretsOfAddress(`https://h.example/mcp?profile=${key}`)).toEqual([key])
    expect(secretsOfAddress('https://h.example/?api_key=plain-key')).toEqual(['plain-key'])
    expect(secretsOfAddress('https://h.example/mcp?c=sk-proj-abcDEF123456789012')).toEqual([
      'sk-proj-abcDEF123456789012',
    ])
  })
})

describe('an entry', () => {
  const KEY = 'ghp_0123456789abcdefABCDEF0123456789abcd'
  const secretsOf = async (inner: object): Promise<readonly string[]> => {
    const text = JSON.stringify({ mcpServers: { a: inner } })
    const { entries } = await parseConfig(text, { file: 'f.json', scope: 'given', env: { V: KEY } })
    return entries[0]?.secrets ?? ['no entry']
  }

  it.each<[string, object]>([
    ['a variable', { command: 'x', env: { TOK: KEY } }],
    ['a variable of ours', { command: 'x', env: { TOK: '${V}' } }],
    ['an argument', { command: 'x', args: ['--with', KEY] }],
    ['an argument within another', { command: 'sh', args: ['-c', `TOK=${KEY} server`] }],
    ['a header that is harmless', { url: 'https://h/', headers: { 'User-Agent': `x ${KEY}` } }],
    ['an address', { url: `https://h/?x=${KEY}` }],
  ])('knows a key under an ordinary name in %s', async (_, inner) => {
    expect(await secretsOf(inner)).toContain(KEY)
  })
})

/** Cases that lie beside the project where it is developed. */
const file = new URL('../../../shared/cases/data/config.json', import.meta.url)

if (!existsSync(file)) process.stdout.write('ordinary values: not at hand, skipped\n')

it.skipIf(!existsSync(file))(
  'no value of the list of configuration cases looks like a secret',
  () => {
    const texts = new Set<string>()
    gather(JSON.parse(readFileSync(file, 'utf8')), texts)
    expect(texts.size).toBeGreaterThan(100)
    for (const text of texts) expect(secretsIn('', text), text).toEqual([])
  },
)

/** All texts, those in texts of JSON too. */
function gather(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') {
    texts.add(value)
    for (const [, inner = ''] of value.matchAll(/"((?:[^"\\]|\\.)*)"/g)) texts.add(inner)
  } else if (Array.isArray(value)) for (const one of value) gather(one, texts)
  else if (isJsonObject(value)) for (const one of Object.values(value)) gather(one, texts)
}
