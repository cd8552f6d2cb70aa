import { describe, expect, it } from 'vitest'
import { addServer } from './edit.ts'
import type { ServerEntry } from './entry.ts'
import { serverToWrite } from './import-entry.ts'
import type { NewServer } from './new-server.ts'
import { parseConfig } from './parse.ts'

const env = { A: 'one', TOKEN: 'tok-123456' }

async function entriesOf(text: string, file: string): Promise<readonly ServerEntry[]> {
  const { entries, problems } = await parseConfig(text, {
    file,
    scope: 'user',
    env,
    askInput: async () => 'typed',
    readFile: async () => '',
  })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return entries
}

/** What starts or reaches a server, whatever host's file it stands in. */
function launchOf(entry: ServerEntry | undefined): unknown {
  if (entry?.transport === 'stdio')
    return [entry.command, entry.args, entry.env, entry.cwd, entry.disabled]
  return [entry?.url, entry?.headers, entry?.disabled]
}

/** Files of each host without a server, and how they are named. */
const empty: readonly (readonly [string, string])[] = [
  ['.mcp.json', '{"mcpServers":{}}'],
  ['/h/.claude.json', '{"mcpServers":{}}'],
  ['claude_desktop_config.json', '{"mcpServers":{}}'],
  ['/p/.vscode/mcp.json', '{"servers":{}}'],
  ['/p/.vscode/settings.json', '{"mcp":{"servers":{}}}'],
  ['/p/.cursor/mcp.json', '{"mcpServers":{}}'],
  ['/h/.codex/config.toml', ''],
  ['opencode.json', '{"mcp":{}}'],
  ['opencode.jsonc', '{"mcp":{"servers":{}}}'],
  ['/h/goose/config.yaml', 'extensions: {}\n'],
  ['cline_mcp_settings.json', '{"mcpServers":{}}'],
  ['librechat.yaml', 'mcpServers: {}\n'],
  ['/h/windsurf/mcp_config.json', '{"mcpServers":{}}'],
  ['/h/.gemini/settings.json', '{"mcpServers":{}}'],
  ['deep-pilot.jsonc', ''],
]

describe('a server that is written into the file of any host', () => {
  const stdio: NewServer = {
    kind: 'stdio',
    command: 'node',
    args: ['${A}', 'two words', ''],
    env: { T: '${TOKEN}' },
  }
  const url: NewServer = {
    kind: 'url',
    url: 'https://h.example/${A}',
    headers: { Authorization: 'Bearer ${TOKEN}' },
  }

  it('is read from there as it was meant', async () => {
    for (const [file, before] of empty) {
      const one = await addServer(before, stdio, { file, key: 's' })
      const both = await addServer(one, url, { file, key: 'u' })
      const [s, u] = await entriesOf(both, file)
      const started = ['node', ['one', 'two words', ''], { T: 'tok-123456' }, undefined, false]
      expect(launchOf(s), file).toEqual(started)
      const headers = { Authorization: 'Bearer tok-123456' }
      expect(launchOf(u), file).toEqual(['https://h.example/one', headers, false])
    }
  })

  it('says how to reach an address where the file can say it', async () => {
    for (const [transport, want] of [
      ['http', 'streamable-http'],
      ['sse', 'sse'],
    ] as const) {
      for (const file of ['.mcp.json', '/p/.vscode/mcp.json']) {
        const text = await addServer('', { ...url, transport }, { file, key: 'u' })
        await expect(entriesOf(text, file)).resolves.toMatchObject([{ transport: want }])
      }
    }
    const file = '/h/.gemini/settings.json'
    const text = await addServer(
      '{"mcpServers":{}}',
      { ...url, transport: 'sse' },
      { file, key: 'u' },
    )
    await expect(entriesOf(text, file)).resolves.toMatchObject([{ transport: 'auto' }])
  })
})

describe('a server taken over from another host', () => {
  const sources: readonly (readonly [string, string])[] = [
    [
      'opencode.json',
      '{"mcp":{"a":{"type":"local","command":["node","{env:A}"],"environment":{"T":"{env:TOKEN}"},"enabled":false,"timeout":9000}}}',
    ],
    [
      '/h/.gemini/settings.json',
      '{"mcpServers":{"a":{"command":"node","args":["$A costs $5"],"env":{"T":"x$TOKEN"},"cwd":"/c","includeTools":["t"]},"b":{"httpUrl":"http://h/$A"}}}',
    ],
    [
      'config.toml',
      '[mcp_servers.a]\nurl = "http://h/"\nbearer_token_env_var = "TOKEN"\nstartup_timeout_sec = 5\nrequired = true\ndisabled_tools = ["x"]\n',
    ],
    [
      '/h/goose/config.yaml',
      'extensions:\n  a: { type: stdio, cmd: x, args: [1.10], env_keys: [TOKEN] }\n  b: { type: sse, uri: "http://h/" }\n',
    ],
    ['.mcp.json', '{"mcpServers":{"a":{"command":"x","envFile":"/e"},"b":{"url":"ws://h/"}}}'],
  ]

  it('starts, reaches and waits as it did there, its secrets still in their variables', async () => {
    for (const [file, text] of sources) {
      for (const entry of await entriesOf(text, file)) {
        const written = await addServer('', serverToWrite(entry), {
          file: 'f.json',
          key: entry.key,
        })
        expect(written).not.toContain('tok-123456')
        const [again] = await entriesOf(written, 'f.json')
        expect(launchOf(again), file).toEqual(launchOf(entry))
        expect(again?.transport).toBe(entry.transport)
        const { start, onlyTools, withoutTools } = entry
        expect([again?.start, again?.onlyTools, again?.withoutTools]).toEqual([
          start,
          onlyTools,
          withoutTools,
        ])
        const waits = (one: ServerEntry | undefined): unknown =>
          Object.entries(one?.timeouts ?? {}).map(([name, { ms }]) => [name, ms])
        expect(waits(again), file).toEqual(waits(entry))
      }
    }
  })

  it('has variables of a name where the other host asked for inputs', async () => {
    const text =
      '{"inputs":[{"id":"api-key","type":"promptString"}],"servers":{"a":{"command":"x","env":{"K":"${input:api-key}"}}}}'
    const [entry] = await entriesOf(text, '.vscode/mcp.json')
    expect(entry === undefined ? {} : serverToWrite(entry)).toMatchObject({
      env: { K: '${API_KEY}' },
    })
  })
})
