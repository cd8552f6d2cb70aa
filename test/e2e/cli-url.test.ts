/** Servers at addresses from a shell: every kind of address, who may come in, and that no secret of it is shown. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bearerTokens } from '../../src/server/bearer-tokens.ts'
import { serveHttp } from '../../src/server/node/serve-http.ts'
import type { Server } from '../../src/server/server.ts'
import { serveUnixSocket } from '../../src/transport/node/socket-server.ts'
import { serveWebSocket } from '../../src/transport/node/websocket-server.ts'
import { cli, finished, said, startCli } from '../support/cli.ts'
import { libraryServer } from '../support/library-server.ts'
import { socketPlace } from '../support/sockets/pairs.ts'

vi.setConfig({ testTimeout: 30_000 })

const TOKEN = 'canary-5e1f9ab2-token-of-the-library'
const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-url-'))
const closing: (() => Promise<void>)[] = []
const urls = { http: '', guarded: '', websocket: '', guardedWebSocket: '', unix: '' }
let library: Server
let calls = 0

beforeAll(async () => {
  library = libraryServer()
  const authenticate = bearerTokens({ [TOKEN]: 'reader' })
  const accept = (transport: Parameters<Server['accept']>[0]): Promise<void> =>
    library.accept(transport)
  const place = await socketPlace()
  const http = await serveHttp(library, { legacySse: true })
  const guarded = await serveHttp(library, { authenticate })
  const websocket = await serveWebSocket(accept)
  const guardedWebSocket = await serveWebSocket(accept, { authenticate })
  const unix = await serveUnixSocket(accept, { path: place.path })
  Object.assign(urls, {
    http: http.url,
    guarded: guarded.url,
    websocket: websocket.url,
    guardedWebSocket: guardedWebSocket.url,
    unix: `unix:${unix.path}`,
  })
  const listeners = [http, guarded, websocket, guardedWebSocket, unix]
  closing.push(...listeners.map((one) => () => one.close()), () => place.remove())
})
afterAll(async () => {
  for (const close of closing) await close()
  rmSync(folder, { recursive: true, force: true })
})

const secret = { env: { LIBRARY_TOKEN: TOKEN } }
const bearer = ['-H', 'Authorization: Bearer ${LIBRARY_TOKEN}']

describe.each(['http', 'websocket', 'unix'] as const)('a server at an address of %s', (kind) => {
  it.each(['legacy', 'modern'])('is asked in the era %s', async (era) => {
    const words = ['raw', 'resources/read', '{"uri":"book://dune"}', '--url', urls[kind]]
    const { stdout, stderr, code } = await cli([...words, '--era', era])
    expect(JSON.parse(stdout)).toMatchObject({ contents: [{ uri: 'book://dune' }] })
    expect([stderr, code]).toEqual(['', 0])
  })

  it.each(['legacy', 'modern'])('tells its changes in the era %s until Ctrl-C', async (era) => {
    const words = ['listen', '--uri', 'book://dune', '--json', '--trace', '--url', urls[kind]]
    const child = startCli([...words, '--era', era])
    const run = finished(child)
    // What is sent before the subscription is there is nobody's.
    await said(child, era === 'legacy' ? 'resources/subscribe ok' : 'subscriptions/acknowledged')
    library.resourceUpdated('book://dune')
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill('SIGINT')
    const { stdout, code } = await run
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'resource', uri: 'book://dune' })
    expect(code).toBe(0)
  })
})

describe('a server at an address', () => {
  it('can be spoken to by the old transport', async () => {
    const url = urls.http.replace(/mcp$/, 'sse')
    const words = ['ping', '--transport', 'sse', '--url', url]
    expect((await cli(words)).stdout).toMatch(/^library answered in /)
  })

  it('that is not there is no connection, with exit code 4', async () => {
    for (const url of ['http://127.0.0.1:1/mcp', 'ws://127.0.0.1:1/mcp', 'unix:/no/such.sock']) {
      const { stderr, code } = await cli(['tools', '--url', url])
      expect(stderr).toMatch(/^No connection to the server: /)
      expect(code).toBe(4)
    }
  })

  it('that is no MCP endpoint is said to be none', async () => {
    const { stderr, code } = await cli(['tools', '--url', urls.http.replace(/mcp$/, 'other')])
    expect(stderr).toContain('404')
    expect(code).toBe(4)
  })
})

describe.each(['guarded', 'guardedWebSocket'] as const)(
  'a server that asks who comes (%s)',
  (kind) => {
    it('lets in who sends the token, which a header takes from a variable', async () => {
      const { stdout, code } = await cli(['tools', '--url', urls[kind], ...bearer], secret)
      expect(stdout).toBe('touch  Changes what is listened to\n')
      expect(code).toBe(0)
    })

    it('refuses others, with exit code 3', async () => {
      const { stderr, code } = await cli(['tools', '--url', urls[kind]])
      expect(stderr).toMatch(/^Not authorised: .*401/)
      expect(code).toBe(3)
      const wrong = [
        'tools',
        '--json',
        '--url',
        urls[kind],
        '-H',
        'Authorization: Bearer wrong-canary',
      ]
      const run = await cli(wrong)
      expect(run.code).toBe(3)
      expect(run.stdout + run.stderr).not.toContain('canary')
    })

    it('never has its token shown: not in traces, logs or captures', async () => {
      const file = join(folder, `${kind}.jsonl`)
      const words = [
        'raw',
        'tools/list',
        '--url',
        urls[kind],
        ...bearer,
        '--trace',
        '--capture',
        file,
      ]
      const run = await cli([...words, '--log-level', 'debug'], secret)
      expect(run.code).toBe(0)
      expect(run.stdout + run.stderr + readFileSync(file, 'utf8')).not.toContain('canary')
      expect(readFileSync(file, 'utf8')).toContain('tools/list')
    })
  },
)

describe('secrets of an address', () => {
  it.each([
    [['-H', `X-Api-Key: ${TOKEN}`]],
    [['-H', 'X-Odd: ${LIBRARY_TOKEN}']],
    [['-H', `Cookie: session=${TOKEN}`]],
  ])('are not shown when the server repeats them: %j', async (header) => {
    const run = await repeatedBy(['tools', ...header], '')
    expect(run.stderr).toContain('no: ')
    expect(run.stdout + run.stderr).not.toContain('canary')
  })

  it.each([`user:${TOKEN}@`, `?api_key=${TOKEN}`])('are not shown: %s', async (part) => {
    for (const json of [[], ['--json']]) {
      const run = await repeatedBy(['tools', '--trace', ...json], part)
      expect(run.stdout + run.stderr).not.toContain('canary')
      expect(run.code).toBe(4)
    }
  })

  /** Asks a server that repeats in its refusal everything that it was told. */
  async function repeatedBy(words: readonly string[], part: string): ReturnType<typeof cli> {
    const server = createServer((request, response) => {
      calls += 1
      response.writeHead(400, { 'content-type': 'text/plain' })
      response.end(`no: ${request.url} ${JSON.stringify(request.headers)}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const [before, behind] = part.startsWith('?') ? ['', part] : [part, '']
    const url = `http://${before}127.0.0.1:${port}/mcp${behind}`
    const run = await cli([...words, '--url', url], secret)
    server.closeAllConnections()
    server.close()
    expect(calls).toBeGreaterThan(0)
    return run
  }
})

describe('what was typed wrong about an address', () => {
  it.each([
    [['--url', 'http://a/', '--', 'x'], 'Two servers were named'],
    [['--url', 'localhost:3000/mcp'], '--url must begin with http://'],
    [['--url', 'example.com'], '--url must begin with http://'],
    [['--url', 'http://'], 'is no address that can be reached'],
    [['--url', 'unix:'], 'is no address that can be reached'],
    [
      ['--url', 'http://a/', '--transport', 'ws'],
      '--transport ws does not go with this server. Use one of: auto, http, sse.',
    ],
    [['--url', 'ws://a/', '--transport', 'http'], 'Use one of: auto, ws.'],
    [['--transport', 'http', '--', 'x'], 'Use one of: auto, stdio.'],
    [['--transport', 'quic', '--', 'x'], '--transport cannot be "quic".'],
    [['-H', 'A: b', '--', 'x'], 'Headers (-H) are for addresses'],
    [['--url', 'unix:/x', '-H', 'A: b'], 'Headers (-H) are for addresses'],
    [['--url', 'http://a/', '--env', 'A=b'], '--env is for servers that are started'],
    [['--url', 'http://a/', '--cwd', '/'], '--cwd is for servers that are started'],
    [['--url', 'http://a/', '-H', 'canary'], 'A header (-H) must be written as "Name: value".'],
    [['--url', 'http://a/', '-H', 'Bearer canary: x'], 'must be written as'],
    [['--url', 'http://a/', '-H', 'A: ${UNSET}'], 'The header A needs the variable UNSET'],
    [['--url', 'http://a/', '-H', 'Host: canary'], 'The header "Host" is set by the transport'],
    [['--url', 'ws://a/', '-H', 'A: canary\u0007'], 'has characters that no header can hold'],
    [['--url', 'http://a/', 'extra'], 'Too many words: extra.'],
  ])('is told in one line, with exit code 1: %j', async (words, message) => {
    const { stdout, stderr, code } = await cli(['tools', ...words])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('canary')
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect([stdout, code]).toEqual(['', 1])
  })
})

describe('serve --http', () => {
  it('says where it is, serves both eras, and ends with success by Ctrl-C', async () => {
    const child = startCli(['serve', 'calculator', '--http', '--path', '/calc'])
    const run = finished(child)
    const url = await address(child)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/calc$/)
    for (const era of ['legacy', 'modern']) {
      const words = ['call', 'calculator', 'expr=23*7', '--era', era, '--url', url]
      expect((await cli(words)).stdout).toBe('161\n')
    }
    child.kill('SIGINT')
    const { stdout, code } = await run
    expect([stdout, code]).toEqual(['', 0])
  })

  it('lets in only who has the token of the variable', async () => {
    const child = startCli(['serve', 'weather', '--offline', '--http', '--token-env', 'T'], {
      env: { T: TOKEN },
    })
    const run = finished(child)
    const url = await address(child)
    const words = ['call', 'weather', 'city=Berlin', '--url', url]
    expect((await cli(words)).code).toBe(3)
    expect((await cli([...words, ...bearer], secret)).stdout).toContain('Berlin')
    child.kill('SIGINT')
    expect((await run).stderr).not.toContain('canary')
  })

  it('refuses a token that can be guessed, and a port that is taken', async () => {
    const weak = await cli(['serve', 'calculator', '--http', '--token-env', 'T'], {
      env: { T: 'canary' },
    })
    expect(weak.stderr).toContain('which can be guessed')
    expect(weak.code).toBe(1)
    const { port } = new URL(urls.http)
    const taken = await cli(['serve', 'calculator', '--http', '--port', port])
    expect(taken.stderr).toContain(`Nothing can listen on 127.0.0.1:${port}`)
    expect(taken.code).toBe(4)
  })

  function address(child: ReturnType<typeof startCli>): Promise<string> {
    let text = ''
    return new Promise((resolve) => {
      child.stderr.on('data', (chunk: string | Uint8Array) => {
        text += String(chunk)
        const found = /http:\/\/\S+/.exec(text)?.[0]
        if (found !== undefined) resolve(found)
      })
    })
  }
})
