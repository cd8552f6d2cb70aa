import { describe, expect, it } from 'vitest'
import { launchText, type Scope } from './entry.ts'
import { MAX_CONFIG_BYTES } from './document.ts'
import { MAX_SERVERS, parseConfig, type ParsedConfig, type ParseOptions } from './parse.ts'

const read = (text: string, more: Partial<ParseOptions> = {}): Promise<ParsedConfig> =>
  parseConfig(text, { file: 'f.json', scope: 'given', env: { TOKEN: 's3cret-value' }, ...more })

const servers = (inner: string): string => `{"mcpServers":{${inner}}}`

async function kinds(inner: string, more: Partial<ParseOptions> = {}): Promise<readonly string[]> {
  const { problems } = await read(servers(`"a":${inner}`), more)
  return problems.map(({ kind }) => kind)
}

describe('a file', () => {
  it('may be empty, in any format, and then names no server', async () => {
    for (const [file, text] of [
      ['f.json', ''],
      ['f.json', ' \r\n// nothing\n'],
      ['f.yaml', '# nothing\n'],
      ['f.yaml', ''],
      ['f.toml', '# nothing\n'],
    ] as const) {
      const { entries, problems } = await read(text, { file })
      expect(entries).toEqual([])
      expect(problems.map(({ kind }) => kind)).toEqual(['empty'])
    }
  })

  it('is refused with line and column when it is broken, in any format', async () => {
    for (const [file, text, line] of [
      ['f.json', '{\n  "a": 1\n  "b": 2\n}', 3],
      ['f.json', '{"a": "C:\\dir"}', 1],
      ['f.json', '{"a": \'x\'}', 1],
      ['f.json', '{"a":1} x', 1],
      ['f.yaml', 'a:\n  b: 1\n c: 2\n', 3],
      ['f.yaml', 'a: [1, 2\nb: 3\n', 2],
      ['f.yaml', 'a: *nowhere\n', 1],
      ['f.toml', 'a = 1\n[b\nc = 2\n', 2],
      ['f.toml', '[a]\nx = 1\n[a]\n', 3],
    ] as const) {
      const outcome = read(text, { file })
      await expect(outcome, text).rejects.toMatchObject({ code: 'DP_CONFIG', file, line })
    }
  })

  it('shows nothing of its text when it is broken', async () => {
    for (const [file, text] of [
      ['f.toml', 'token = "s3cret-value\n'],
      ['f.yaml', 'token: "s3cret-value\nx: 1\n'],
      ['f.json', '{"token": "s3cret-value'],
    ] as const)
      await expect(read(text, { file })).rejects.not.toThrow('s3cret')
  })

  it('must be an object', async () => {
    await expect(read('[1]')).rejects.toThrow(
      'it must be an object such as {"mcpServers": {…}}, and is a list',
    )
    await expect(read('a b', { file: 'f.yaml' })).rejects.toThrow('it must be an object')
  })

  it('has a limit of size, depth, values and aliases', async () => {
    await expect(read(' '.repeat(MAX_CONFIG_BYTES + 1))).rejects.toThrow('it is larger than')
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    await expect(read(`{"a":${deep}}`)).rejects.toThrow('nested deeper than 64')
    await expect(read(`a: ${deep}`, { file: 'f.yaml' })).rejects.toThrow('nested')
    await expect(read(`a = ${deep}`, { file: 'f.toml' })).rejects.toMatchObject({
      code: 'DP_CONFIG',
    })
    await expect(read(`{"a":[${'1,'.repeat(2_000_000)}1]}`)).rejects.toThrow('more than')
    const lines = ['a0: &a0 [1,1,1,1,1,1,1,1,1,1]']
    for (let at = 1; at < 9; at += 1)
      lines.push(
        `a${at}: &a${at} [${Array(10)
          .fill(`*a${at - 1}`)
          .join(',')}]`,
      )
    await expect(read(lines.join('\n'), { file: 'f.yaml' })).rejects.toThrow('more than')
    await expect(read('a: &a [*a]', { file: 'f.yaml' })).rejects.toMatchObject({
      code: 'DP_CONFIG',
    })
  })

  it('names at most so many servers, and says so', async () => {
    const many = Array.from({ length: MAX_SERVERS + 5 }, (_, at) => `"s${at}":{"command":"x"}`)
    const { entries, problems } = await read(servers(many.join(',')))
    expect(entries).toHaveLength(MAX_SERVERS)
    expect(problems.map(({ kind }) => kind)).toEqual(['too-many-servers'])
  })

  it('may have a key twice: the last one counts and both lines are told', async () => {
    const text = '{\n"mcpServers":{\n"a":{"command":"x"},\n"a":{"command":"y","command":"z"}\n}}'
    const { entries, problems } = await read(text)
    expect(entries).toMatchObject([{ key: 'a', command: 'z' }])
    expect(problems.map(({ message }) => message)).toEqual([
      'f.json:4: "a" stands here twice (lines 3 and 4). The last one counts; remove the other.',
      'f.json:4: server "a": "command" stands here twice (lines 4 and 4). The last one counts; remove the other.',
    ])
  })

  it('may use names that mean something to the language', async () => {
    const text =
      '{"__proto__":{"mcpServers":{"x":{"command":"x"}}},"mcpServers":{"__proto__":{"command":"a","env":{"__proto__":"b","constructor":"c"}},"constructor":{"url":"http://h/"}}}'
    const { entries } = await read(text)
    expect(entries.map(({ key }) => key)).toEqual(['__proto__', 'constructor'])
    expect(Object.entries(Object(entries[0]).env)).toEqual([
      ['__proto__', 'b'],
      ['constructor', 'c'],
    ])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('says what it looked for when it names no servers', async () => {
    const { problems } = await read('{"mcpservers":{}}')
    expect(problems.map(({ kind }) => kind)).toEqual(['no-servers'])
    await expect(read('{"mcpServers":[]}')).resolves.toMatchObject({
      problems: [{ kind: 'not-a-list-of-servers' }],
    })
  })

  it('in TOML may hold what JSON has no word for, which is no text', async () => {
    const text = '[mcp_servers.a]\ncommand = "x"\nenv = { D = 1979-05-27, N = 9007199254740993 }\n'
    const { problems } = await read(text, { file: 'f.toml' })
    expect(problems.map(({ message }) => message)).toEqual([
      'f.toml (/mcp_servers/a/env/D): server "a": "env.D" must be a text, and is a date.',
    ])
  })

  it('in YAML may use aliases and merge keys', async () => {
    const text = `base: &base { command: node, env: { A: "1" } }
mcpServers:
  a: { <<: *base, args: [x.js] }
  b: *base
`
    const { entries } = await read(text, { file: 'f.yaml' })
    expect(entries).toMatchObject([
      { key: 'a', command: 'node', args: ['x.js'], env: { A: '1' } },
      { key: 'b', command: 'node' },
    ])
  })
})

describe('one bad entry', () => {
  it('is told with file, line and server, and leaves the others in', async () => {
    const text =
      '{\n  "mcpServers": {\n    "ok": {"command":"x"},\n    "bad": {"url":"nowhere"}\n  }\n}'
    const { entries, problems } = await read(text)
    expect(entries.map(({ key }) => key)).toEqual(['ok'])
    expect(problems).toMatchObject([
      { severity: 'error', kind: 'bad-url', server: 'bad', place: { line: 4, column: 19 } },
    ])
    expect(problems[0]?.message).toMatch(/^f\.json:4: server "bad": /)
  })

  it('has a name for each thing that can be wrong', async () => {
    const cases: readonly (readonly [string, string])[] = [
      ['null', 'not-an-object'],
      ['[]', 'not-an-object'],
      ['{}', 'no-target'],
      ['{"command":5}', 'wrong-type'],
      ['{"command":""}', 'empty-text'],
      ['{"command":[]}', 'empty-text'],
      ['{"command":"x","args":"a b"}', 'wrong-type'],
      ['{"command":"x","args":[["a"]]}', 'wrong-type'],
      ['{"command":"x","args":["a\\u0000b"]}', 'nul-character'],
      ['{"command":"x","url":"http://h/"}', 'two-targets'],
      ['{"url":"http://h/","baseUrl":"http://i/"}', 'two-spellings'],
      ['{"command":"x","env":["A=1"]}', 'wrong-type'],
      ['{"command":"x","env":{"A=B":"1"}}', 'bad-variable-name'],
      ['{"command":"x","env":{"A":{"b":1}}}', 'wrong-type'],
      ['{"command":"x","type":"http"}', 'unfit-transport'],
      ['{"url":"http://h/","type":"stdio"}', 'unfit-transport'],
      ['{"url":"ws://h/","type":"sse"}', 'unfit-transport'],
      ['{"url":"http://h/","type":"pigeon"}', 'unknown-transport'],
      ['{"url":"file:///etc/passwd"}', 'bad-url'],
      ['{"url":"javascript:alert(1)"}', 'bad-url'],
      ['{"url":"http://u:p@h/"}', 'url-credentials'],
      ['{"url":"http://h/","headers":{"A B":"c"}}', 'bad-header-name'],
      ['{"url":"http://h/","headers":{"A":"b\\nc"}}', 'bad-header-value'],
      ['{"url":"http://h/","headers":{"A":"世"}}', 'bad-header-value'],
      ['{"url":"http://h/","headers":{"A":"1","a":"2"}}', 'two-spellings'],
      ['{"command":"x","timeout":"long"}', 'bad-timer'],
      ['{"command":"x","timeout":-5}', 'bad-timer'],
      ['{"command":"x","timeout":1e99}', 'bad-timer'],
      ['{"command":"x","timeout":30}', 'short-timer'],
      ['{"command":"x","disabled":"yes"}', 'wrong-type'],
      ['{"command":"x","deepPilot":{"start":"soon"}}', 'bad-choice'],
      ['{"command":"x","deepPilot":{"concurrency":0}}', 'bad-number'],
      ['{"command":"x","deepPilot":{"labels":["odd"]}}', 'bad-choice'],
      ['{"command":"x","deepPilot":{"wrong":1}}', 'unknown-setting'],
      ['{"command":"x","deepPilot":5}', 'wrong-type'],
      ['{"command":"x","deepPilot":{"trusted":"yes"}}', 'wrong-type'],
      ['{"command":"x","deepPilot":{"toolLabels":5}}', 'wrong-type'],
      ['{"command":"x","deepPilot":{"startTimeoutMs":0}}', 'bad-timer'],
      ['{"command":"x","deepPilot":{"onlyTools":[1]}}', 'wrong-type'],
      ['{"command":"x","includeTools":[1]}', 'wrong-type'],
      ['{"command":"x","env":5}', 'wrong-type'],
      ['{"command":"x","env_vars":["A=B"]}', 'bad-variable-name'],
      ['{"command":"x","env_vars":"A"}', 'wrong-type'],
      ['{"command":"x","env_keys":["NOPE"]}', 'unset-variable'],
      ['{"command":"x","envFile":"e"}', 'env-file'],
      ['{"command":"x","type":5}', 'wrong-type'],
      ['{"url":"http://h/","headers":[1]}', 'wrong-type'],
      ['{"url":"http://h/","env_http_headers":["A"]}', 'wrong-type'],
      ['{"url":"http://h/","bearer_token_env_var":"NOPE"}', 'unset-variable'],
      ['{"url":"http://h/","bearer_token":5}', 'wrong-type'],
      ['{"url":"unix:/run/x","type":"sse"}', 'unfit-transport'],
      ['{"url":"http://h/","headersHelper":"x"}', 'unsupported'],
      ['{"command":"${NOPE}"}', 'unset-variable'],
      ['{"command":"${not good}"}', 'bad-reference'],
    ]
    for (const [inner, kind] of cases) expect(await kinds(inner), inner).toEqual([kind])
  })

  it('has a name that can be seen', async () => {
    for (const key of ['', ' ', 'a\\u0000b', 'a\\u202eb', 'x'.repeat(129)]) {
      const { entries, problems } = await read(servers(`"${key}":{"command":"x"}`))
      expect(entries).toEqual([])
      expect(problems.map(({ kind }) => kind)).toEqual(['bad-key'])
    }
  })

  it('never shows the value of a secret', async () => {
    const bad = [
      '{"url":"${TOKEN}"}',
      '{"url":"http://u:${TOKEN}@h/"}',
      '{"url":"http://h/?key=${TOKEN}","headers":{"Authorization":"Bearer ${TOKEN}\\n"}}',
      '{"command":"x","env":{"T":"${TOKEN}\\u0000"}}',
      '{"command":"${TOKEN}\\u0000"}',
    ]
    for (const inner of bad) {
      const { entries, problems } = await read(servers(`"a":${inner}`))
      expect(entries, inner).toEqual([])
      expect(JSON.stringify(problems), inner).not.toContain('s3cret')
    }
  })

  it('that is switched off keeps nobody from work: its faults are warnings', async () => {
    const { problems } = await read(servers('"a":{"command":"${NOPE}","disabled":true}'))
    expect(problems).toMatchObject([{ severity: 'warning', kind: 'unset-variable' }])
  })
})

describe('an entry', () => {
  it('takes command and arguments from one list as well', async () => {
    const { entries } = await read(servers('"a":{"command":["node","s.js"],"args":["x"]}'))
    expect(entries).toMatchObject([{ command: 'node', args: ['s.js', 'x'] }])
  })

  it('may be reached at a socket, and with a token that is written out', async () => {
    const inner = '"a":{"url":"unix:/run/x"},"b":{"url":"http://h/","bearer_token":"lit-key-1"}'
    const { entries } = await read(servers(inner))
    expect(entries).toMatchObject([
      { transport: 'auto', url: 'unix:/run/x' },
      { headers: { Authorization: 'Bearer lit-key-1' } },
    ])
    expect(entries[1]?.secrets).toContain('lit-key-1')
  })

  it('takes variables from a file, and says why where it cannot be read', async () => {
    const inner = '"a":{"command":"x","envFile":"e","env":{"B":"own"}}'
    const readFile = async (): Promise<string> => 'A=file-value\nB=lost\n'
    const { entries } = await read(servers(inner), { readFile })
    expect(entries).toMatchObject([{ env: { A: 'file-value', B: 'own' } }])
    const refuse = (): Promise<string> => Promise.reject(new Error('it is gone'))
    const { problems } = await read(servers(inner), { readFile: refuse })
    expect(problems[0]?.message).toContain('"e" cannot be used: it is gone.')
  })

  it('keeps numbers as they are written', async () => {
    const inner = '"a":{"command":"x","args":[1.10,12345678901234567890],"env":{"V":1.0}}'
    const { entries } = await read(servers(inner))
    expect(entries).toMatchObject([{ args: ['1.10', '12345678901234567890'], env: { V: '1.0' } }])
  })

  it('knows its secrets by the names of variables, headers, parameters and options', async () => {
    const inner = `"a":{"command":"x","args":["--api-key","arg-key-1","--token=arg-key-2","plain"],"env":{"DB_PASSWORD":"env-key-1","PORT":"8080"}},
      "b":{"url":"http://h/?api_key=url-key-1&x=y","headers":{"Authorization":"Bearer head-key-1","Accept":"application/json"}}`
    const { entries } = await read(servers(inner))
    expect(entries[0]?.secrets).toEqual(['env-key-1', 'arg-key-1', 'arg-key-2'])
    expect(entries[1]?.secrets).toEqual(['Bearer head-key-1', 'head-key-1', 'url-key-1'])
  })

  it('says where each value came from', async () => {
    const { entries } = await read(
      servers('"a":{"command":"x","env":{"T":"Bearer ${TOKEN}","D":"${NO:-d}"}}'),
    )
    expect(entries[0]?.origins).toMatchObject([
      { name: 'command', raw: 'x', sources: [{ kind: 'literal' }] },
      {
        name: 'env/T',
        raw: 'Bearer ${TOKEN}',
        sources: [{ kind: 'literal' }, { kind: 'variable', name: 'TOKEN' }],
        place: { line: 1, pointer: '/mcpServers/a/env/T' },
      },
      { name: 'env/D', sources: [{ kind: 'default', name: 'NO' }] },
    ])
  })

  it('reads our own settings', async () => {
    const inner = `"a":{"command":"x","deepPilot":{"start":"lazy","trusted":true,"concurrency":2,"queue":0,"idleTimeoutMs":5,"labels":["private-data"],"toolLabels":{"send":["external-sink"]},"onlyTools":["t"]}}`
    const { entries, problems } = await read(servers(inner))
    expect(problems).toEqual([])
    expect(entries[0]).toMatchObject({
      start: 'lazy',
      trusted: true,
      concurrency: 2,
      queue: 0,
      timeouts: { idle: { ms: 5, setBy: 'f.json:1 idleTimeoutMs' } },
      labels: ['private-data'],
      onlyTools: ['t'],
    })
    expect(entries[0]?.toolLabels.get('send')).toEqual(['external-sink'])
  })

  it('of a project cannot trust itself and is not approved by being read', async () => {
    const inner = '"a":{"command":"x","deepPilot":{"trusted":true}}'
    const { entries, problems } = await read(servers(inner), { scope: 'project' })
    expect(entries).toMatchObject([{ trusted: false, approved: false }])
    expect(problems.map(({ kind }) => kind)).toEqual(['project-trust'])
  })

  it('of a project that sets a variable that can run other code is flagged', async () => {
    const inner = '{"command":"x","env":{"NODE_OPTIONS":"-r ./x.js","PORT":"1"}}'
    expect(await kinds(inner, { scope: 'project' })).toEqual(['dangerous-variable'])
    expect(await kinds(inner)).toEqual([])
  })

  it('of an unapproved file asks nobody and reads no file', async () => {
    const text = `{"inputs":[{"id":"k","type":"promptString"}],"servers":{"a":{"command":"x","env":{"K":"\${input:k}"}}}}`
    const refuse = (): never => {
      throw new Error('asked')
    }
    const { problems } = await read(text, { scope: 'project', askInput: refuse })
    expect(problems.map(({ kind }) => kind)).toEqual(['unset-input'])
  })
})

describe('the text that is approved', () => {
  const text = async (inner: string, env = {}, scope: Scope = 'given'): Promise<string> => {
    const { entries } = await read(servers(`"a":${inner}`), { env, scope })
    const [entry] = entries
    return entry === undefined ? '' : launchText(entry)
  }

  it('changes with each part of what starts or reaches a server', async () => {
    const base = '{"command":"x","args":["1"],"env":{"A":"1"},"cwd":"/c"}'
    const others = [
      '{"command":"y","args":["1"],"env":{"A":"1"},"cwd":"/c"}',
      '{"command":"x","args":["2"],"env":{"A":"1"},"cwd":"/c"}',
      '{"command":"x","args":["1"],"env":{"A":"2"},"cwd":"/c"}',
      '{"command":"x","args":["1"],"env":{"B":"1"},"cwd":"/c"}',
      '{"command":"x","args":["1"],"env":{"A":"1"},"cwd":"/d"}',
      '{"command":"x","args":["1"],"env":{"A":"1"},"cwd":"/c","envFile":"/e"}',
      '{"url":"http://h/"}',
      '{"url":"http://h/","type":"sse"}',
      '{"url":"http://h/","headers":{"A":"1"}}',
      '{"url":"http://h/","headers":{"A":"2"}}',
    ]
    const readFile = async (): Promise<string> => ''
    const texts = await Promise.all(
      [base, ...others].map(async (inner) => {
        const { entries } = await read(servers(`"a":${inner}`), { readFile })
        return entries[0] === undefined ? inner : launchText(entries[0])
      }),
    )
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('is the same for another order of keys and other settings', async () => {
    const one = await text('{"command":"x","env":{"A":"1","B":"2"},"timeout":5000}')
    expect(await text('{"env":{"B":"2","A":"1"},"command":"x","disabled":true}')).toBe(one)
  })

  it('holds the command as written and as filled in, and no value of a variable of the environment', async () => {
    const inner = '{"command":"${BIN}","env":{"T":"${TOKEN}"}}'
    const found = await text(inner, { BIN: 'node', TOKEN: 's3cret-value' })
    expect(found).toContain('${BIN}')
    expect(found).toContain('"command":"node"')
    expect(found).not.toContain('s3cret')
    expect(await text(inner, { BIN: 'evil', TOKEN: 'x' })).not.toBe(found)
  })
})

describe('settings of the host', () => {
  it('are read, the policy with its places', async () => {
    const inner =
      '{"deepPilot":{"totalConcurrency":9,"pinning":"first-use","startTimeoutMs":7,\n"policy":{"rules":[{"effect":"deny","tools":"a"}]}}}'
    const { settings, policy, problems } = await read(inner)
    expect(problems).toEqual([])
    expect(settings).toEqual({
      timeouts: { start: { ms: 7, setBy: 'f.json:1 startTimeoutMs' } },
      totalConcurrency: 9,
      pinning: 'first-use',
    })
    expect(policy?.value).toEqual({ rules: [{ effect: 'deny', tools: 'a' }] })
    expect(policy?.places.get('/rules/0/effect')).toMatchObject({ line: 2 })
  })

  it('of a project may ask for more care only', async () => {
    const off = await read('{"deepPilot":{"pinning":"off"}}', { scope: 'project' })
    expect(off.settings.pinning).toBeUndefined()
    expect(off.problems.map(({ kind }) => kind)).toEqual(['project-trust'])
    const frozen = await read('{"deepPilot":{"pinning":"frozen"}}', { scope: 'project' })
    expect(frozen.settings.pinning).toBe('frozen')
  })

  it('must be an object', async () => {
    const { problems } = await read('{"deepPilot":5}')
    expect(problems.map(({ kind }) => kind)).toEqual(['wrong-type'])
  })

  it('that are wrong are told and left out', async () => {
    const inner = '{"deepPilot":{"pinning":"maybe","queue":-1,"odd":1}}'
    const { settings, problems } = await read(inner)
    expect(settings).toEqual({ timeouts: {} })
    expect(problems.map(({ kind }) => kind).toSorted()).toEqual([
      'bad-choice',
      'bad-number',
      'unknown-setting',
    ])
  })
})
