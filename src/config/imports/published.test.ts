import { describe, expect, it } from 'vitest'
import type { Scope, ServerEntry } from '../entry.ts'
import { parseConfig, type ParsedConfig } from '../parse.ts'

const env = { API_TOKEN: 'tok-123456', FIGMA_TOKEN: 'fig-123456', HOME: '/home/zoe', REGION: 'eu' }

async function read(
  file: string,
  text: string,
  more: { readonly scope?: Scope; readonly folder?: string } = {},
): Promise<ParsedConfig> {
  return parseConfig(text, { file, scope: 'user', env, ...more })
}

function byKey({ entries, problems }: ParsedConfig): Readonly<Record<string, ServerEntry>> {
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return Object.fromEntries(entries.map((entry) => [entry.key, entry]))
}

describe('the file of', () => {
  it('Claude Code: three transports, defaults of variables, waits in milliseconds', async () => {
    const text = `{ "mcpServers": {
      "notes": { "type": "stdio", "command": "\${HOME}/bin/notes", "args": ["--region", "\${REGION:-us}"], "env": { "LOG": "\${LOG_LEVEL:-warn}" }, "timeout": 90000 },
      "issues": { "type": "http", "url": "https://issues.example/mcp", "headers": { "Authorization": "Bearer \${API_TOKEN}" } },
      "old": { "type": "sse", "url": "https://old.example/sse" },
      "live": { "type": "ws", "url": "wss://live.example/mcp" } } }`
    const servers = byKey(await read('/p/.mcp.json', text))
    expect(servers['notes']).toMatchObject({
      transport: 'stdio',
      command: '/home/zoe/bin/notes',
      args: ['--region', 'eu'],
      env: { LOG: 'warn' },
      timeouts: { total: { ms: 90_000, setBy: '/p/.mcp.json:2 timeout' } },
    })
    expect(servers['issues']).toMatchObject({
      transport: 'streamable-http',
      headers: { Authorization: 'Bearer tok-123456' },
    })
    expect(servers['old']?.transport).toBe('sse')
    expect(servers['live']?.transport).toBe('websocket')
  })

  it('Claude Code for all projects: its own servers and those of this project', async () => {
    const text = `{ "numStartups": 3, "mcpServers": { "all": { "command": "a" } },
      "projects": { "/work/x": { "mcpServers": { "here": { "command": "b" } } }, "/work/y": { "mcpServers": { "there": { "command": "c" } } } } }`
    const parsed = await read('/home/zoe/.claude.json', text, { folder: '/work/x' })
    expect(Object.keys(byKey(parsed))).toEqual(['all', 'here'])
  })

  it('Claude Desktop: processes with arguments and environment', async () => {
    const text = `{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/home/zoe/Desktop"], "env": { "X": "1" } } } }`
    const parsed = await read('/x/Claude/claude_desktop_config.json', text)
    expect(byKey(parsed)['files']).toMatchObject({ shape: 'claude-desktop', command: 'npx' })
    expect(parsed.problems).toEqual([])
  })

  it('VS Code: inputs asked for once each, folders, files of variables', async () => {
    const text = `{
      "inputs": [ { "type": "promptString", "id": "key", "description": "API key", "password": true } ],
      // comments are allowed
      "servers": {
        "search": { "type": "stdio", "command": "uvx", "args": ["search==1.0"], "cwd": "\${workspaceFolder}", "env": { "KEY": "\${input:key}" }, "envFile": "\${workspaceFolder}/.env" },
        "hub": { "type": "http", "url": "https://hub.example/mcp", "headers": { "X-Key": "\${input:key}", "X-Who": "\${env:REGION}" } },
      } }`
    const asked: string[] = []
    const parsed = await parseConfig(text, {
      file: '/work/x/.vscode/mcp.json',
      scope: 'user',
      env,
      folder: '/work/x',
      readFile: async (path) => `# of ${path}\nexport MODE="fast" # why\nKEY=lost\n`,
      askInput: async ({ id, secret }) => {
        asked.push(`${id} ${secret}`)
        return 'in-123456'
      },
    })
    expect(asked).toEqual(['key true'])
    const servers = byKey(parsed)
    expect(servers['search']).toMatchObject({
      shape: 'vscode',
      cwd: '/work/x',
      env: { MODE: 'fast', KEY: 'in-123456' },
    })
    expect(servers['hub']).toMatchObject({ headers: { 'X-Key': 'in-123456', 'X-Who': 'eu' } })
    expect(servers['hub']?.secrets).toContain('in-123456')
  })

  it('VS Code inside its settings', async () => {
    const parsed = await read('settings.json', '{"mcp":{"servers":{"a":{"command":"node"}}}}')
    expect(byKey(parsed)['a']?.shape).toBe('vscode')
  })

  it('Cursor: an address without a type', async () => {
    const text = `{ "mcpServers": { "web": { "url": "http://localhost:3000/mcp", "headers": { "API_KEY": "\${env:API_TOKEN}" } } } }`
    const parsed = await read('/p/.cursor/mcp.json', text)
    expect(byKey(parsed)['web']).toMatchObject({
      shape: 'cursor',
      transport: 'auto',
      headers: { API_KEY: 'tok-123456' },
    })
  })

  it('Codex: tables of TOML, waits in seconds, secrets by name', async () => {
    const text = `model = "m"
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-server@1.2.3"]
env_vars = ["REGION", "NOT_THERE"]
cwd = "/srv"
startup_timeout_sec = 20
tool_timeout_sec = 45.5
required = true
enabled_tools = ["search"]
[mcp_servers.docs.env]
LEVEL = "2"
[mcp_servers.figma]
url = "https://figma.example/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Region" = "us" }
env_http_headers = { "X-Token" = "API_TOKEN" }
enabled = false
disabled_tools = ["drop"]
`
    const servers = byKey(await read('/home/zoe/.codex/config.toml', text))
    expect(servers['docs']).toMatchObject({
      shape: 'codex',
      cwd: '/srv',
      env: { REGION: 'eu', LEVEL: '2' },
      start: 'required',
      onlyTools: ['search'],
      timeouts: { start: { ms: 20_000 }, total: { ms: 45_500 } },
    })
    expect(servers['docs']?.place).toEqual({
      file: '/home/zoe/.codex/config.toml',
      pointer: '/mcp_servers/docs',
    })
    expect(servers['figma']).toMatchObject({
      disabled: true,
      headers: { 'X-Region': 'us', Authorization: 'Bearer fig-123456', 'X-Token': 'tok-123456' },
      withoutTools: ['drop'],
    })
  })

  it('opencode, first version: the command as a list, servers right below mcp', async () => {
    const text = `{ "$schema": "https://opencode.example/config.json", "mcp": {
      "local": { "type": "local", "command": ["bun", "x", "tool@1.0.0"], "enabled": true, "environment": { "A": "{env:REGION}" }, "timeout": 7000 },
      "far": { "type": "remote", "url": "https://far.example", "headers": { "Authorization": "Bearer {env:API_TOKEN}" }, "enabled": false },
      "org": { "enabled": true } } }`
    const servers = byKey(await read('/p/opencode.json', text))
    expect(servers['local']).toMatchObject({
      shape: 'opencode',
      command: 'bun',
      args: ['x', 'tool@1.0.0'],
      env: { A: 'eu' },
      timeouts: { start: { ms: 7000 } },
    })
    expect(servers['far']).toMatchObject({
      transport: 'auto',
      disabled: true,
      headers: { Authorization: 'Bearer tok-123456' },
    })
    expect(servers['org']).toBeUndefined()
  })

  it('opencode, second version: servers below mcp.servers, two waits', async () => {
    const text = `{ "mcp": { "servers": { "a": { "type": "local", "command": ["x"], "disabled": true, "timeout": { "startup": 5000, "request": 60000 } } } } }`
    const servers = byKey(await read('/p/opencode.jsonc', text))
    expect(servers['a']).toMatchObject({
      shape: 'opencode',
      disabled: true,
      timeouts: { start: { ms: 5000 }, idle: { ms: 60_000 }, total: { ms: 60_000 } },
    })
  })

  it('goose: cmd, envs, keys by name, seconds; what is built in is left out', async () => {
    const text = `GOOSE_MODEL: m
extensions:
  developer: { bundled: true, enabled: true, name: developer, type: builtin, timeout: 300 }
  github:
    name: GitHub
    type: stdio
    cmd: npx
    args: [-y, "github-server@1.0.0", 8080]
    enabled: true
    envs: { "GITHUB_HOST": "h.example" }
    env_keys: [API_TOKEN]
    timeout: 120
  web:
    type: streamable_http
    uri: https://web.example/mcp
    headers: { X-A: b }
    enabled: false
  older:
    enabled: true
    config: { type: stdio, cmd: node, args: [a.js] }
`
    const parsed = await read('/home/zoe/.config/goose/config.yaml', text)
    const servers = byKey(parsed)
    expect(Object.keys(servers)).toEqual(['github', 'web', 'older'])
    expect(servers['github']).toMatchObject({
      shape: 'goose',
      args: ['-y', 'github-server@1.0.0', '8080'],
      env: { GITHUB_HOST: 'h.example', API_TOKEN: 'tok-123456' },
      timeouts: { total: { ms: 120_000 } },
    })
    expect(servers['web']).toMatchObject({ transport: 'streamable-http', disabled: true })
    expect(servers['older']).toMatchObject({ command: 'node', args: ['a.js'] })
    expect(parsed.problems.map(({ kind }) => kind)).toEqual(['not-mcp'])
  })

  it('Cline: waits in seconds; tools that pass unasked there are asked for here', async () => {
    const text = `{ "mcpServers": { "a": { "command": "node", "args": ["/s.js"], "disabled": false, "autoApprove": ["read"], "timeout": 60 },
      "b": { "type": "streamableHttp", "url": "https://b.example/mcp", "alwaysAllow": [] } } }`
    const parsed = await read('/x/settings/cline_mcp_settings.json', text)
    const servers = byKey(parsed)
    expect(servers['a']).toMatchObject({ shape: 'cline', timeouts: { idle: { ms: 60_000 } } })
    expect(servers['b']?.transport).toBe('streamable-http')
    expect(parsed.problems.map(({ kind, server }) => `${kind} ${server}`)).toEqual(['not-taken a'])
  })

  it('LibreChat: YAML, milliseconds; what only it can fill in is an error of that server', async () => {
    const text = `version: 1.3.1
mcpServers:
  everything:
    url: http://localhost:3001/sse
    timeout: 60000
    initTimeout: 10000
  sheets:
    type: sse
    url: https://sheets.example/x
    headers: { X-User-ID: "{{LIBRECHAT_USER_ID}}", X-Key: "\${API_TOKEN}" }
    serverInstructions: true
  lazy: { type: websocket, url: "ws://localhost:1/x", startup: false }
`
    const parsed = await read('librechat.yaml', text)
    expect(parsed.entries.map(({ key }) => key)).toEqual(['everything', 'lazy'])
    expect(parsed.entries[0]).toMatchObject({
      shape: 'librechat',
      transport: 'auto',
      timeouts: { start: { ms: 10_000 }, total: { ms: 60_000 } },
    })
    expect(parsed.entries[1]).toMatchObject({ start: 'lazy', transport: 'websocket' })
    expect(parsed.problems).toMatchObject([{ kind: 'placeholder', server: 'sheets' }])
    expect(parsed.problems[0]?.message).toContain('librechat.yaml:10: server "sheets": ')
  })

  it('Windsurf: addresses as serverUrl', async () => {
    const text = `{ "mcpServers": { "far": { "serverUrl": "https://far.example/mcp", "headers": { "API_KEY": "Bearer \${env:API_TOKEN}" }, "disabledTools": ["x"] } } }`
    const parsed = await read('/home/zoe/.codeium/windsurf/mcp_config.json', text)
    expect(byKey(parsed)['far']).toMatchObject({
      shape: 'windsurf',
      url: 'https://far.example/mcp',
      withoutTools: ['x'],
    })
  })

  it('Gemini CLI: httpUrl first, $NAME, lists of servers, milliseconds', async () => {
    const text = `{ "mcp": { "allowed": ["web", "py"], "excluded": ["py"] }, "mcpServers": {
      "web": { "httpUrl": "https://web.example/mcp", "url": "https://web.example/sse", "headers": { "Authorization": "Bearer $API_TOKEN" }, "timeout": 5000, "trust": true },
      "py": { "command": "python", "args": ["-m", "s", "costs $5 or $NOTHING"], "cwd": "./s", "includeTools": ["a"], "excludeTools": ["b"] },
      "other": { "url": "https://other.example/sse" } } }`
    const parsed = await read('/home/zoe/.gemini/settings.json', text)
    const servers = byKey(parsed)
    expect(servers['web']).toMatchObject({
      shape: 'gemini-cli',
      url: 'https://web.example/mcp',
      transport: 'streamable-http',
      headers: { Authorization: 'Bearer tok-123456' },
      disabled: false,
      trusted: false,
    })
    expect(servers['py']).toMatchObject({
      disabled: true,
      args: ['-m', 's', 'costs $5 or $NOTHING'],
      onlyTools: ['a'],
      withoutTools: ['b'],
    })
    expect(servers['other']?.disabled).toBe(true)
    expect(parsed.problems.map(({ kind }) => kind)).toEqual(['not-taken'])
  })
})
