import { describe, expect, it } from 'vitest'
import { ConfigError } from '../base/errors.ts'
import { addServer, removeServer } from './edit.ts'
import type { NewServer } from './new-server.ts'

const files: NewServer = {
  kind: 'stdio',
  command: 'node',
  args: ['files.js', '${ROOT}'],
  env: { LEVEL: '2' },
}
const web: NewServer = { kind: 'url', url: 'http://127.0.0.1:9/mcp', headers: { 'X-A': '${A}' } }
const json = { file: 'servers.json', key: 'files' }

describe('adding a server to a JSON file', () => {
  it('makes a whole file of an empty one', async () => {
    const text = await addServer('', files, json)
    expect(JSON.parse(text)).toEqual({
      mcpServers: {
        files: { command: 'node', args: ['files.js', '${ROOT}'], env: { LEVEL: '2' } },
      },
    })
  })

  it('keeps comments, indentation, line ends and the trailing comma', async () => {
    const before =
      '// team\r\n{\r\n\t"mcpServers": {\r\n\t\t"a": {"command":"x"}, // stays\r\n\t\t// end\r\n\t},\r\n}\r\n'
    const after = await addServer(before, web, { ...json, key: 'b' })
    expect(after).toContain(
      '// team\r\n{\r\n\t"mcpServers": {\r\n\t\t"a": {"command":"x"}, // stays',
    )
    expect(after).toContain('// end\r\n\t\t"b": {\r\n\t\t\t"url": "http://127.0.0.1:9/mcp",\r\n')
    expect(after.endsWith('\t\t},\r\n\t},\r\n}\r\n')).toBe(true)
  })

  it('adds the comma that was not needed before', async () => {
    const after = await addServer('{"mcpServers":{"a":{"command":"x"}}}', web, {
      ...json,
      key: 'b',
    })
    expect(Object.keys(JSON.parse(after)['mcpServers'])).toEqual(['a', 'b'])
  })

  it('fills an empty object and one that is not there', async () => {
    for (const before of ['{"mcpServers":{}}', '{"mcpServers":{ /* none */ }}', '{"x":1}']) {
      const after = await addServer(before, files, json)
      expect(after).toContain('"files": {')
      await expect(removeServer(after, json)).resolves.not.toContain('files')
    }
  })

  it('refuses a name that is taken, and takes it when told to', async () => {
    const before = '{"mcpServers":{"files":{"command":"old"},"z":{"command":"z"}}}'
    await expect(addServer(before, files, json)).rejects.toThrow('is there already')
    const after = await addServer(before, files, { ...json, replace: true })
    expect(JSON.parse(after)['mcpServers']['files']['command']).toBe('node')
    expect(JSON.parse(after)['mcpServers']['z']).toEqual({ command: 'z' })
  })

  it('keeps a byte order mark at the start', async () => {
    const after = await addServer('\ufeff{"mcpServers":{}}', files, json)
    expect(after.startsWith('\ufeff{"mcpServers":{')).toBe(true)
  })

  it('takes a name that means something to the language for a name', async () => {
    const after = await addServer('{}', files, { ...json, key: '__proto__' })
    expect(after).toContain('"__proto__": {')
  })

  it('writes as the host does whose file it is', async () => {
    const spelled = async (file: string, before: string, server: NewServer): Promise<unknown> =>
      JSON.parse(await addServer(before, server, { file, key: 'n' }))
    await expect(spelled('.vscode/mcp.json', '{"servers":{}}', files)).resolves.toMatchObject({
      servers: { n: { type: 'stdio', command: 'node' } },
    })
    await expect(spelled('opencode.json', '{"mcp":{}}', files)).resolves.toMatchObject({
      mcp: {
        n: {
          type: 'local',
          command: ['node', 'files.js', '${ROOT}'],
          environment: { LEVEL: '2' },
        },
      },
    })
    await expect(
      spelled('/h/.codeium/windsurf/mcp_config.json', '{"mcpServers":{}}', web),
    ).resolves.toMatchObject({ mcpServers: { n: { serverUrl: 'http://127.0.0.1:9/mcp' } } })
  })

  it('refuses a file that is broken', async () => {
    await expect(addServer('{"mcpServers":{', files, json)).rejects.toThrow(ConfigError)
  })
})

describe('removing a server from a JSON file', () => {
  const before =
    '{\n  "mcpServers": {\n    "a": {"command":"1"},\n    // about b\n    "b": {"command":"2"},\n    "c": {"command":"3"}\n  }\n}\n'

  it('takes the first, a middle and the last with the comma that is no longer needed', async () => {
    for (const key of ['a', 'b', 'c']) {
      const after = await removeServer(before, { ...json, key })
      const left = JSON.parse(after.replace('// about b', ''))
      expect(Object.keys(left['mcpServers'])).toEqual(['a', 'b', 'c'].filter((one) => one !== key))
      expect(after).toContain('// about b')
    }
  })

  it('leaves an empty object of the only one', async () => {
    const after = await removeServer('{"mcpServers":{"files":{"command":"x"},},}', json)
    expect(after).toBe('{"mcpServers":{},}')
  })

  it('says so when it is not there', async () => {
    await expect(removeServer(before, { ...json, key: 'd' })).rejects.toThrow('is not there')
  })
})

describe('editing YAML', () => {
  const yaml = { file: 'librechat.yaml', key: 'new' }
  const before = '# top\nmcpServers:\n  old: # first\n    command: x\nversion: 1.2\n'

  it('adds and removes and keeps comments and the rest', async () => {
    const after = await addServer(before, files, yaml)
    for (const kept of ['# top\nmcpServers:\n  old:', '# first', '  new:\n', '    command: x'])
      expect(after).toContain(kept)
    expect(after).toContain('version: 1.2')
    const removed = await removeServer(after, yaml)
    expect(removed).toContain('# first')
    expect(removed).not.toContain('new')
  })

  it('makes a whole file of an empty one', async () => {
    await expect(addServer('', files, yaml)).resolves.toContain('mcpServers:\n  new:\n')
  })
})

describe('editing TOML', () => {
  const toml = { file: 'config.toml', key: 'new' }
  const before =
    '# top\nmodel = "m"\n\n[mcp_servers.old]\ncommand = "x"\nargs = ["""\n[mcp_servers.new]\n"""]\n\n[other]\na = 1\n'

  it('appends tables and removes them whole, texts that look like headers left alone', async () => {
    const after = await addServer(before, files, toml)
    expect(after).toBe(
      `${before}\n[mcp_servers.new]\ncommand = "node"\nargs = [ "files.js", "\${ROOT}" ]\n\n[mcp_servers.new.env]\nLEVEL = "2"\n`,
    )
    const removed = await removeServer(after, toml)
    expect(removed.trimEnd()).toBe(before.trimEnd())
    await expect(removeServer(after, { ...toml, key: 'old' })).resolves.toContain('[other]\na = 1')
  })

  it('refuses what does not stand in tables of its own', async () => {
    const inline = 'mcp_servers = { new = { command = "x" } }\n'
    await expect(removeServer(inline, toml)).rejects.toThrow('Change it in an editor')
    await expect(addServer(inline, files, { ...toml, key: 'b' })).rejects.toThrow(
      'Change it in an editor',
    )
  })

  it('quotes a name that is no bare key', async () => {
    const after = await addServer('', web, { ...toml, key: 'a b' })
    expect(after).toContain('[mcp_servers."a b"]\nurl = "http://127.0.0.1:9/mcp"')
    expect(after).toContain('[mcp_servers."a b".http_headers]')
  })
})
