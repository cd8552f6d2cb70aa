/**
 * Runs the clients and the server under `examples/` against real peers, and pins down the very line
 * at which the next-line client goes wrong.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { MinimalClient } from '../../examples/minimal-client.ts'
import { NextLineClient } from '../../examples/next-line-client.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-examples-'))
writeFileSync(join(folder, 'greeting.txt'), '你好, world\n')
const filesystem = [official('server-filesystem'), folder]
const everything = [official('server-everything')]
const python = spawnSync('python3', ['--version']).status === 0
if (!python) console.log('There is no python3: the tests with text-b-server.py are left out.')

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('minimal client', () => {
  it('fits on one screen of 80 lines', () => {
    const text = readFileSync(join(root, 'examples/minimal-client.ts'), 'utf8')
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(80)
  })

  it('shakes hands with the filesystem server and lists its tools', async () => {
    const client = minimal(filesystem)
    expect(await client.initialize()).toMatchObject({ name: 'secure-filesystem-server' })
    const names = (await client.listTools()).map((tool) => tool.name)
    expect(names).toHaveLength(14)
    expect(names).toContain('read_text_file')
  })

  it('reads a file with characters of several bytes through the filesystem server', async () => {
    const client = minimal(filesystem)
    await client.initialize()
    const path = join(folder, 'greeting.txt')
    expect(await client.callTool('read_text_file', { path })).toEqual({
      text: '你好, world\n',
      isError: false,
    })
  })

  it('tells a failed tool from a text', async () => {
    const client = minimal(filesystem)
    await client.initialize()
    const reply = await client.callTool('read_text_file', { path: '/etc/hostname' })
    expect(reply.isError).toBe(true)
    expect(reply.text).toContain('Access denied')
  })

  it('matches answers by id when the everything server speaks unasked', async () => {
    const client = minimal(everything)
    await client.initialize()
    const names = (await client.listTools()).map((tool) => tool.name)
    expect(names).toContain('echo')
    expect(await client.callTool('echo', { message: '你好' })).toEqual({
      text: 'Echo: 你好',
      isError: false,
    })
  })

  it('answers the everything server when it asks for the roots', async () => {
    const roots = [{ uri: 'file:///answered', name: 'answered' }]
    const client = minimal(everything, { 'roots/list': { roots } })
    await client.initialize({ roots: {} })
    // The server offers this tool only to clients with roots, and its answer waits for theirs.
    const reply = await client.callTool('get-roots-list', {})
    expect(reply.text).toContain('file:///answered')
  })

  it('keeps many calls in flight at once', async () => {
    const client = minimal(everything)
    await client.initialize()
    const words = Array.from({ length: 50 }, (_, index) => `word ${index}`)
    const replies = await Promise.all(words.map((message) => client.callTool('echo', { message })))
    expect(replies.map((reply) => reply.text)).toEqual(words.map((word) => `Echo: ${word}`))
  })

  it('reads every page of a list', async () => {
    const client = minimal(script(PAGES))
    expect(await client.listTools()).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  })

  it('drains stderr, so that a talkative server does not stand still', async () => {
    const client = minimal(script(TALKATIVE))
    expect(await client.callTool('any', {})).toEqual({ text: 'after 1 MiB', isError: false })
  })

  it('rejects what is pending, with the end of stderr, when the server ends', async () => {
    const client = minimal(script(`process.stderr.write('out of cheese'); process.exitCode = 3`))
    await expect(client.initialize()).rejects.toThrow(/ended with code 3.*out of cheese/)
    await expect(client.listTools()).rejects.toThrow(/gone/)
  })

  it('says so when the program cannot be started', async () => {
    const client = new MinimalClient(join(folder, 'no-such-program'), [])
    await expect(client.initialize()).rejects.toThrow(/no-such-program is gone: .*ENOENT/)
    await client.close()
  })
})

describe('next-line client', () => {
  it('works with the filesystem server, which speaks only when asked', async () => {
    const client = nextLine(filesystem)
    expect(await client.initialize()).toMatchObject({ name: 'secure-filesystem-server' })
    expect(await client.listTools()).toHaveLength(14)
    const path = join(folder, 'greeting.txt')
    expect(await client.callTool('read_text_file', { path })).toBe('你好, world\n')
  })

  it('hands a failed tool on as if it were the content of the file', async () => {
    const client = nextLine(filesystem)
    await client.initialize()
    const text = await client.callTool('read_text_file', { path: '/etc/hostname' })
    expect(text).toContain('Access denied')
  })

  it('takes a notification of the everything server for the list of tools', async () => {
    const client = nextLine(everything)
    await client.initialize({ roots: {} }) // the handshake alone still works
    expect(await client.sendRequest('tools/list', {})).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
    })
  })

  it('throws in listTools, because a notification has no result', async () => {
    const client = nextLine(everything)
    await client.initialize({ roots: {} })
    await expect(client.listTools()).rejects.toThrow(
      /Cannot read properties of undefined \(reading 'tools'\)/,
    )
  })

  it('is out of step from then on: the list arrives as the answer to a later call', async () => {
    const client = nextLine(everything)
    await client.initialize({ roots: {} })
    const taken = [await client.sendRequest('tools/list', {})]
    while (taken.at(-1).result?.tools === undefined)
      taken.push(await client.sendRequest('ping', {}))
    expect(taken.length).toBeGreaterThan(1)
    expect(taken.at(-1).id).toBe(2) // the id of tools/list, though the last request had a higher one
  })

  it("takes the server's own request, id 0, for an answer when it declared roots", async () => {
    const client = nextLine(everything)
    await client.initialize({ roots: {} })
    let taken = await client.sendRequest('tools/list', {})
    while (taken.method !== 'roots/list') taken = await client.sendRequest('ping', {})
    expect(taken).toEqual({ jsonrpc: '2.0', id: 0, method: 'roots/list' })
  })
})

describe.runIf(python)('text-b server', () => {
  it('computes, and tells the weather in Chinese', async () => {
    const client = textB()
    expect(await client.initialize()).toEqual({ name: 'text-b-server', version: '1.0.0' })
    const names = (await client.listTools()).map((tool) => tool.name)
    expect(names).toEqual(['calculator', 'weather'])
    expect(await client.callTool('calculator', { expr: '23*7' })).toEqual(ok('161'))
    expect(await client.callTool('weather', { city: '北京' })).toEqual(
      ok('北京 今天晴，25℃（mock）'),
    )
  })

  it.each([
    ['(1+2)/4', '0.75'],
    ['-6/3', '-2'],
    ['2*-(3-5)', '4'],
  ])('computes %s', async (expr, value) => {
    expect(await textB().callTool('calculator', { expr })).toEqual(ok(value))
  })

  it.each([
    ['1/0'],
    ['9**9**9**9'],
    ['__import__("os").getcwd()'],
    ['1 if 1 else 2'],
    ['True+1'],
    ['1e308*10'],
    [''],
    [`${'('.repeat(99)}1${')'.repeat(99)}+`],
    ['1'.repeat(201)],
  ])('refuses to compute %s, as a failed tool', async (expr) => {
    const reply = await textB().callTool('calculator', { expr })
    expect(reply.isError).toBe(true)
  })

  it('answers a missing argument as a failed tool that names it', async () => {
    const reply = await textB().callTool('weather', {})
    expect(reply).toEqual({ text: 'weather needs "city", a string.', isError: true })
  })

  it('refuses an unknown tool and answers before any handshake', async () => {
    await expect(textB().callTool('constructor', {})).rejects.toThrow('Unknown tool: constructor')
  })

  it('answers each line that deserves it, once, with its own id and code', () => {
    const { stdout, status } = spawnSync('python3', ['examples/text-b-server.py'], {
      cwd: root,
      input: LINES.join('\n'),
      env: { ...process.env, PYTHONIOENCODING: 'ascii' },
    })
    const answers = stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map((answer) => [answer.id, answer.error?.code ?? 'result'])).toEqual([
      [null, -32700],
      [null, -32600],
      ['x', -32601],
      [7, -32600],
      [null, -32600],
      [8, -32602],
      ['未', 'result'],
    ])
    expect(status).toBe(0)
  })
})

const LINES = [
  '{"jsonrpc":"2.0",',
  '[]',
  '',
  '{"jsonrpc":"2.0","id":"x","method":"no/such"}',
  '{"jsonrpc":"2.0","method":"no/such"}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"id":7,"method":"ping"}',
  '{"jsonrpc":"2.0","id":true,"method":"ping"}',
  '{"jsonrpc":"2.0","id":8,"method":"ping","params":[]}',
  '{"jsonrpc":"2.0","id":"未","method":"ping"}\r',
]

/** Answers `tools/list` in three pages. */
const PAGES = serverScript(`
  const pages = { undefined: ['a', '1'], 1: ['b', '2'], 2: ['c'] }
  const [name, nextCursor] = pages[message.params.cursor]
  return { tools: [{ name }], nextCursor }`)

/** Writes 1 MiB to stderr, waits until all of it is taken, and answers only then. */
const TALKATIVE = serverScript(`
  await new Promise((taken) => process.stderr.write('x'.repeat(1024 * 1024), taken))
  return { content: [{ type: 'text', text: 'after 1 MiB' }] }`)

function serverScript(body: string): string {
  return `
    const answer = async (message) => {${body}}
    require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
      const message = JSON.parse(line)
      const result = await answer(message)
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }) + '\\n')
    })`
}

function script(text: string): string[] {
  return ['-e', text]
}

function ok(text: string): { text: string; isError: boolean } {
  return { text, isError: false }
}

function official(name: string): string {
  return join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js')
}

function minimal(args: string[], answers?: Record<string, unknown>): MinimalClient {
  const client = new MinimalClient(process.execPath, args, answers)
  open.push(client)
  return client
}

function textB(): MinimalClient {
  const client = new MinimalClient('python3', [join(root, 'examples/text-b-server.py')])
  open.push(client)
  return client
}

function nextLine(args: string[]): NextLineClient {
  const client = new NextLineClient(process.execPath, args)
  open.push(client)
  return client
}
