import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { UsageError } from '../base/errors.ts'
import { createRedactor } from './redact.ts'

const plain = createRedactor()
const clean = (text: string): string => plain.text(text).text
const log = (text: string): string => plain.text(text, { log: true }).text

describe('redaction by name', () => {
  it('replaces only the characters of the value, whatever stands around it', () => {
    const text = '{ "a":1.0,\t"API-Key" : "hunter2" ,"b":"\\u0041\\/", "n":1e3}'
    expect(plain.text(text)).toEqual({
      text: '{ "a":1.0,\t"API-Key" : "‹redacted:key›" ,"b":"\\u0041\\/", "n":1e3}',
      count: 1,
    })
  })

  it('knows the names of secrets in any case and spelling', () => {
    for (const name of [
      'authorization',
      'Authorization',
      'Proxy-Authorization',
      'token',
      'access_token',
      'refreshToken',
      'SECRET',
      'client_secret',
      'password',
      'dbPassword2',
      'api_key',
      'apiKey',
      'X-API-KEY',
      'cookie',
      'Set-Cookie',
      'private_key',
      'Mcp-Session-Id',
      'code_verifier',
      'p\\u0061ssword',
      '密码',
    ]) {
      expect(clean(`{"x":{"${name}":"canary-1"}}`), name).not.toContain('canary-1')
    }
  })

  it('leaves names that only sound like secrets', () => {
    for (const name of [
      'progressToken',
      'maxTokens',
      'nextCursor',
      'tokenizer',
      'keyboard',
      'environment',
      'nextPageToken',
    ]) {
      const text = `{"${name}":"abc","method":"x"}`
      expect(clean(text)).toBe(text)
    }
  })

  it('replaces every leaf below a secret name and keeps the shape', () => {
    expect(clean('{"env":{"A":"one","B":[2,"",null,true,-3.5]}}')).toBe(
      '{"env":{"A":"‹redacted:key›","B":["‹redacted:key›","",null,true,"‹redacted:key›"]}}',
    )
  })

  it('keeps schemas readable but not the defaults and examples of secrets', () => {
    const schema =
      '{"inputSchema":{"type":"object","properties":{"password":{"type":"string","description":"The password","minLength":8},"token":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["password"]}}'
    expect(clean(schema)).toBe(schema)
    const told = clean(
      '{"inputSchema":{"properties":{"password":{"type":"string","default":"canary","examples":["canary"],"enum":["canary"]}}}}',
    )
    expect(told).not.toContain('canary')
    expect(told).toContain('"type":"string"')
  })

  it('does not take arguments that look like a property map for a schema', () => {
    expect(clean('{"arguments":{"properties":{"password":"canary"}}}')).not.toContain('canary')
    expect(clean('{"inputSchema":{"properties":{"password":"canary"}}}')).not.toContain('canary')
  })

  it('replaces the value of a name and value pair, in either order', () => {
    expect(clean('[{"name":"X-Api-Key","value":"canary"}]')).not.toContain('canary')
    expect(clean('[{"value":"canary","name":"X-Api-Key"}]')).not.toContain('canary')
    expect(clean('[{"value":"blue","name":"color"}]')).toContain('blue')
  })

  it('replaces what follows a flag in a list of arguments', () => {
    expect(clean('{"args":["serve","--token","canary","--port","80"]}')).toBe(
      '{"args":["serve","--token","‹redacted:key›","--port","80"]}',
    )
    expect(clean('["--api-key=canary-5"]')).not.toContain('canary')
  })

  it('reads JSON inside of strings and keeps it valid', () => {
    const inner = JSON.stringify({
      password: 'canary "quoted" \\ 中',
      pin: { token: 1234567 },
      ok: 'yes\n',
    })
    const outer = JSON.stringify({ result: { content: [{ type: 'text', text: inner }] } })
    const twice = JSON.stringify({ body: outer })
    for (const text of [outer, twice]) {
      const { text: out, count } = plain.text(text)
      expect(count).toBe(2)
      expect(out).not.toMatch(/canary|1234567/)
      expect(() => JSON.parse(out)).not.toThrow()
    }
    const shown = JSON.parse(clean(outer)) as { result: { content: { text: string }[] } }
    expect(JSON.parse(shown.result.content[0]?.text ?? '')).toEqual({
      password: '‹redacted:key›',
      pin: { token: '‹redacted:key›' },
      ok: 'yes\n',
    })
  })

  it('finds the place of a value behind escapes of every kind', () => {
    expect(clean('{"x":"\\u4e2d\\n\\ud83d\\ude42\\" password=canary99 \\u0041 tail"}')).toBe(
      '{"x":"\\u4e2d\\n\\ud83d\\ude42\\" password=‹redacted:key› \\u0041 tail"}',
    )
    expect(clean('{"x":"\\u0070assword=\\u0063anary99\\u0020tail"}')).toBe(
      '{"x":"\\u0070assword=‹redacted:key›\\u0020tail"}',
    )
  })

  it('takes names added or taken away by the user', () => {
    const own = createRedactor({ keys: ['Kundennummer'], keepKeys: ['env'] })
    expect(own.text('{"kunden-nummer":"4711","env":"prod"}').text).toBe(
      '{"kunden-nummer":"‹redacted:key›","env":"prod"}',
    )
  })

  it('looks into text that is no JSON, or is cut off', () => {
    expect(clean('{"params":{"password":"canary 1","x":')).not.toContain('canary')
    expect(clean('{"a":"{\\"password\\":\\"canary\\"')).not.toContain('canary')
  })
})

describe('redaction by look', () => {
  it.each([
    ['a bearer token', 'Authorization: Bearer abc.DEF-123', 'abc.DEF-123'],
    ['basic credentials', 'curl -H "authorization: Basic dXNlcjpwYXNz"', 'dXNlcjpwYXNz'],
    ['a bearer token in JSON', '{"x":"Bearer canary-12345"}', 'canary-12345'],
    ['an sk- key', '{"text":"use sk-proj-abcDEF123456789012"}', 'abcDEF123456789012'],
    ['a GitHub token', 'ghp_0123456789abcdefABCDEF0123456789abcd', '0123456789abcdef'],
    ['a fine-grained GitHub token', 'github_pat_11AAAAAAA0123456789abcdef', '0123456789abcdef'],
    ['a Slack token', 'xoxb-123456789012-abcdef', '123456789012'],
    ['an AWS key id', 'AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7'],
    ['a Google key', 'AIzaSyA0123456789abcdefghijklmnopqrstuv', '0123456789abcdef'],
    ['a JWT', 'x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl y', 'eyJzdWIiOiIxIn0'],
    [
      'a PEM key',
      '{"k":"-----BEGIN PRIVATE KEY-----\\nMIIcanary\\n-----END PRIVATE KEY-----\\n"}',
      'MIIcanary',
    ],
    ['a PEM key that is cut off', '-----BEGIN RSA PRIVATE KEY-----\nMIIcanary', 'MIIcanary'],
    ['a password in an address', 'postgres://app:canary@db/x', 'canary'],
    [
      'a query parameter',
      '{"url":"https://h/cb?state=1&code=canary&access_token=canary#x"}',
      'canary',
    ],
    ['a form body', 'grant_type=refresh_token&refresh_token=canary&client_secret=canary', 'canary'],
    ['a variable', 'export API_KEY=canary; run', 'canary'],
    ['a cookie header', 'Cookie: a=canary; b=canary', 'canary'],
    ['JSON in a log line', 'sent {"password": "canary word"} to it', 'canary'],
    ['escaped JSON in a log line', 'sent "{\\"password\\":\\"canary\\"}"', 'canary'],
  ])('replaces %s', (_, text, secret) => {
    expect(text).toContain(secret)
    expect(clean(text)).not.toContain(secret)
    expect(clean(text)).toContain('‹redacted:')
  })

  it('takes a plain word after "password:" in a log for a secret, and in prose not', () => {
    expect(log('password: letmein')).toBe('password: ‹redacted:key›')
    const prose =
      '{"description":"The token: ask your admin. Bearer authentication is used, see https://a.b/c"}'
    expect(clean(prose)).toBe(prose)
  })

  it('leaves ordinary code and names alone', () => {
    for (const text of [
      'sk-learn-contrib-packages',
      'const token = next()',
      'risk-assessment-of-2024',
      'a http://x.y/z:8080 b',
      'key: value',
    ]) {
      expect(clean(text)).toBe(text)
    }
  })

  it('does not redact twice', () => {
    const once = clean('{"a":"password=hunter22","token":"x","h":"Authorization: Bearer abc123"}')
    expect(plain.text(once)).toEqual({ text: once, count: 0 })
  })

  it('takes linear time on texts made to be slow', () => {
    const bombs = [
      'eyJ',
      'eyJaaaaaaaaaa.',
      '-eyJaaaaaaaaaaaa',
      'sk-',
      'Bearer ',
      'bearer a',
      '://',
      '://a:',
      'password=',
      'cookie={',
      'cookie: a',
      'token="{',
      "secret='",
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY',
      '\\"',
      '{"token":',
      '[',
      '{"a":"\\\\',
      '"\\u0061',
      'a=',
      'cookie: ‹redacted:',
      'authorization=true ',
    ]
    for (const bomb of bombs) {
      const work = (size: number): void => {
        const text = bomb.repeat(size / bomb.length)
        clean(text)
        clean(`{"a":"${text}`)
        clean(JSON.stringify({ a: text }))
      }
      // Linear is 10, square is 100.
      expect(growthOf(work, 20_000, 200_000), bomb).toBeLessThan(40)
    }
  })
})

describe('redaction of known secrets', () => {
  const secret = 'p"a\\ss/wörd\n1'
  const known = createRedactor({ secrets: [secret] })

  it('finds them wherever and however they are written', () => {
    const nested = JSON.stringify({ t: JSON.stringify({ t: JSON.stringify([secret]) }) })
    const places = [
      secret,
      JSON.stringify({ [secret]: secret }),
      nested,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`,
      '{"x":"p\\u0022a\\\\ss\\/w\\u00f6rd\\n1"}',
      '{"x":"\\u0070\\u0022\\u0061\\\\ss/wörd\\u000a1"}',
      `torn {"x":"${JSON.stringify(secret).slice(1, -1)}`,
    ]
    for (const place of places) expect(known.text(place).count, place).toBeGreaterThan(0)
    expect(JSON.parse(known.text(nested).text)).toEqual({
      t: JSON.stringify({ t: '["‹redacted:secret›"]' }),
    })
  })

  it('finds them in bytes that are no UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(secret),
      Buffer.from([0x80]),
    ])
    const out = known.bytes(bytes)
    expect(out.count).toBe(1)
    expect(Buffer.from(out.bytes)).toEqual(
      Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        Buffer.from('‹redacted:secret›'),
        Buffer.from([0x80]),
      ]),
    )
  })

  it('refuses secrets that would black out ordinary text, and too many', () => {
    expect(() => createRedactor({ secrets: ['abc'] })).toThrow(UsageError)
    expect(() =>
      createRedactor({ secrets: Array.from({ length: 1001 }, (_, n) => `secret${n}`) }),
    ).toThrow(UsageError)
  })
})

describe('redaction of any JSON', () => {
  it('keeps it valid, hides all canaries and changes nothing else', () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
    )
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('any')),
        fc.dictionary(fc.string(), tie('any')),
      ),
    })).any
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (inner, space) => {
        const canary = { password: 'CANARY"\\\n中', list: [{ 'x-api-key': ['CANARY', 12345] }] }
        const text = JSON.stringify(
          { before: inner, canary, text: JSON.stringify(canary), after: inner },
          null,
          space,
        )
        const { text: out, count } = plain.text(text)
        expect(out).not.toContain('CANARY')
        expect(count).toBeGreaterThanOrEqual(6)
        const read = JSON.parse(out) as { canary: unknown }
        expect(read.canary).toEqual({
          password: '‹redacted:key›',
          list: [{ 'x-api-key': ['‹redacted:key›', '‹redacted:key›'] }],
        })
      }),
      { seed: 20261201, numRuns: 500 },
    )
  })
})
