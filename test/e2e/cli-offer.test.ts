/** Tools as a model gets them and types of them, by the built program and with real servers. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { calculator, HostFolder } from '../support/cli-host.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: HostFolder
beforeEach(() => void (folder = new HostFolder()))
afterEach(() => folder.remove())

const object = { type: 'object' }
const said = {
  tools: [
    {
      name: 'find',
      description: 'Finds.\n*/',
      inputSchema: {
        ...object,
        properties: { text: { type: 'string', minLength: 2, format: 'uri' }, pick: { const: 7 } },
        required: ['text'],
      },
      outputSchema: { ...object, properties: { at: { type: 'number' } }, required: ['at'] },
    },
    { name: 'lost', inputSchema: { ...object, not: {}, allOf: [false] } },
  ],
}

describe('tools --for', () => {
  it('prints the JSON that a request has, and nothing else, as the result', async () => {
    const path = folder.configure({ web: folder.saying('web', said) })
    const { stdout, stderr, code } = await folder.run('tools', '--for', 'gemini', '--config', path)
    expect(code).toBe(0)
    const [{ functionDeclarations }] = JSON.parse(stdout)
    expect(functionDeclarations).toMatchObject([
      { name: 'web__find', parameters: { type: 'object', required: ['text'] } },
    ])
    expect(stderr).toMatch(/^web__find at \/properties\/text: "format" cannot be said there\./m)
    expect(stderr).toMatch(/^web__lost is left out\. Its schema cannot be offered: /m)
    expect(stderr).toMatch(/^1 tool for gemini, about \d+ tokens in each request\.$/m)
  })

  it('names the word of a schema that is lost where the sentence does not', async () => {
    const path = folder.configure({ calculator })
    const { stderr } = await folder.run('tools', '--for', 'gemini', '--config', path)
    expect(stderr).toMatch(/^calculator__calculator: additionalProperties is dropped\. [A-Z]/m)
  })

  it('prints all of it as one object with --json', async () => {
    const path = folder.configure({
      web: folder.saying('web', said),
      gone: { command: 'no-such-command-of-ours' },
    })
    const run = await folder.run('tools', '--for', 'openai', '--strict', '--json', '--config', path)
    const shown = JSON.parse(run.stdout)
    expect(shown).toMatchObject({
      for: 'openai',
      strict: false,
      tools: [{ type: 'function', name: 'web__find', strict: false }],
      leftOut: [{ alias: 'web__lost' }],
      notStrict: [{ alias: 'web__find' }],
      deferred: false,
      notReady: [{ key: 'gone' }],
    })
  })

  it('takes one server too, under its own names', async () => {
    const { stdout, stderr, code } = await folder.run(
      'tools',
      '--for',
      'anthropic',
      ...server(calculator),
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'calculator', input_schema: object }])
    expect(stderr).toContain('These are the names that the server gives.')
  })

  it('goes by the window that is named, or that models.json has for the model', async () => {
    const path = folder.configure({ web: folder.saying('web', said) })
    const models = [{ provider: 'ollama', model: 'small', window: 100 }, { provider: 'ollama' }]
    mkdirSync(join(folder.path, folder.home))
    folder.write(join(folder.home, 'models.json'), { models })
    const shown = async (...words: readonly string[]) => {
      const { stdout, stderr } = await folder.run('tools', '--json', '--config', path, ...words)
      return { deferred: JSON.parse(stdout).deferred, stderr }
    }
    const small = await shown('--for', 'ollama:small')
    expect(small.deferred).toBe(true)
    expect(small.stderr).toContain('models[1] does not count')
    expect((await shown('--for', 'ollama:other')).deferred).toBe(false)
    expect((await shown('--for', 'ollama')).deferred).toBe(false)
    expect((await shown('--for', 'ollama', '--context', '100')).deferred).toBe(true)
    expect((await shown('--for', 'ollama:small', '--context', '100000')).deferred).toBe(false)
  })

  it('takes whole numbers of tokens alone', async () => {
    const bad = await folder.run('tools', '--for', 'plain', '--context', '1k')
    expect(bad.stderr).toContain('--context cannot be "1k". Give a whole number')
    const alone = await folder.run('tools', '--context', '100', ...server(calculator))
    expect(alone.stderr).toContain('Name that with --for.')
    expect([bad.code, alone.code]).toEqual([EXIT.usage, EXIT.usage])
  })

  it('says it in Chinese', async () => {
    const path = folder.configure({ web: folder.saying('web', said) })
    const { stderr } = await folder.runIn('zh', 'tools', '--for', 'llamacpp', '--config', path)
    expect(stderr).toMatch(/^web__find 的 \/properties\/text：format 已去掉。/m)
    expect(stderr).toMatch(/^web__lost 未列入。/m)
    expect(stderr).toMatch(/^llamacpp 可用 1 个工具，/m)
  })

  it('refuses a provider that there is not, and options that mean nothing then', async () => {
    const bad = await folder.run('tools', '--for', 'nobody')
    expect(bad.stderr).toMatch(/^Error: --for cannot be "nobody"\. Use one of: deepseek, openai,/)
    const strict = await folder.run('tools', '--strict', ...server(calculator))
    expect(strict.stderr).toContain('Name that with --for.')
    const schemas = await folder.run('tools', '--for', 'plain', '--schemas')
    expect([bad.code, strict.code, schemas.code]).toEqual([EXIT.usage, EXIT.usage, EXIT.usage])
  })
})

describe('types', () => {
  it('prints a module for a server of the configuration', async () => {
    const path = folder.configure({ web: folder.saying('web', said), calculator })
    const { stdout, code } = await folder.run('types', 'web', '--config', path)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\/\/ Types of the tools of "web"\./)
    expect(stdout).toContain(
      'export type FindArguments = {\n  /** [format "uri"; least length 2] */\n  text: string;\n  pick?: 7;\n};\n',
    )
    expect(stdout).toContain('export type FindResult = {\n  at: number;\n};\n')
    expect(stdout).toContain('   * Finds.\n   * *\\/\n')
    expect(stdout).not.toContain('calculator')
  })

  it('takes a server behind -- as well', async () => {
    const { stdout, code } = await folder.run('types', ...server(calculator))
    expect(code).toBe(0)
    expect(stdout).toContain('  calculator: {\n    arguments: CalculatorArguments;\n')
  })

  it('has the text in one object with --json', async () => {
    const { stdout } = await folder.run('types', '--json', ...server(calculator))
    expect(JSON.parse(stdout)).toMatchObject({
      server: 'calculator',
      declarations: expect.stringContaining('export interface Tools {'),
      remarks: [],
    })
  })

  it('says what to name when no server is, and which there are when it is unknown', async () => {
    const none = await folder.run('types')
    expect(none.stderr).toMatch(/^Error: Name a server of the configuration, or write its command/)
    const path = folder.configure({ web: folder.saying('web', said) })
    const unknown = await folder.run('types', 'wab', '--config', path)
    expect(unknown.stderr).toContain('There is no server "wab". Near to it: "web".')
    expect([none.code, unknown.code]).toEqual([EXIT.usage, EXIT.usage])
    const chinese = await folder.runIn('zh', 'types')
    expect(chinese.stderr).toContain('请写出配置中一个服务器的名称')
  })

  it('fails when the server cannot be asked', async () => {
    const path = folder.configure({ gone: { command: 'no-such-command-of-ours' } })
    const { stdout, stderr, code } = await folder.run('types', 'gone', '--config', path)
    expect(stdout).toBe('')
    expect(stderr).toContain('no-such-command-of-ours')
    expect(code).not.toBe(0)
  })
})

/** The words behind which a server stands that an entry of a configuration starts. */
function server(entry: object): readonly string[] {
  const { command, args } = entry as { readonly command: string; readonly args: readonly string[] } // ours
  return ['--', command, ...args]
}
