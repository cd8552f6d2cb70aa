/**
 * Version 0.8 against the text that it began with: one test for each of its items 2 to 38 on the wire and in the
 * library. Those about tools and the command line are in `parity-tools.test.ts` and `parity-cli.test.ts`.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { PilotError, RpcError, TransportError } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { connect } from '../../src/client/connect.ts'
import { PRODUCT } from '../../src/client/options.ts'
import { Channel } from '../../src/jsonrpc/channel.ts'
import type { Transport } from '../../src/jsonrpc/link.ts'
import { Peer } from '../../src/jsonrpc/peer.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { calculatorServer } from '../../src/servers/demo-servers.ts'
import { resultToText } from '../../src/tools/content.ts'
import { memoryPair } from '../../src/transport/memory.ts'
import { childEnvironment, startTimeoutFor } from '../../src/transport/node/process.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { shellServer } from '../support/cli.ts'
import { kinds, messages, scripted, shell, withShell } from '../support/parity.ts'
import { shakesHands, type FarSide } from '../support/scripted-far-side.ts'

// Some tests start a process, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const [command] = shellServer

describe('the layers', () => {
  it('are a transport, a peer, a client and a result as text, each usable alone (item 2)', async () => {
    const [near, far] = memoryPair()
    void calculatorServer({ version: '1' }).accept(far)
    const peer = new Peer(await Channel.open(near), { onRequest: () => ({}) })
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: PRODUCT }
    const opened = await peer.request('initialize', { ...hello }).result
    expect(opened['serverInfo']).toMatchObject({ name: 'calculator' })
    await peer.close()
    await withShell([], async (client) => {
      expect(resultToText(await client.callTool('echo', { text: 'all four' }))).toBe('all four')
    })
  })

  it('let the wire be heard whole: messages of both sides, stray text and stderr (item 3)', async () => {
    await withShell(['--banner'], async (client, events) => {
      const gaveUp = new AbortController()
      const options = { signal: gaveUp.signal, onProgress: () => gaveUp.abort() }
      await client.callTool('hang', {}, options).catch(() => undefined)
      await vi.waitFor(() => expect(kinds(events)).toContain('stderr'), { timeout: 30_000 })
      expect(messages(events, 'out').map(({ method }) => method)).toEqual(
        expect.arrayContaining([
          'initialize',
          'notifications/initialized',
          'notifications/cancelled',
        ]),
      )
      expect(messages(events, 'in').some(({ method }) => method === 'notifications/progress')).toBe(
        true,
      )
      expect(kinds(events)).toEqual(expect.arrayContaining(['spawn', 'stray']))
      expect(
        events.every(({ at, wall, transport }) => at >= 0 && wall > 0 && transport !== ''),
      ).toBe(true)
    })
  })

  it('show the text that crossed and not one written anew (item 4)', async () => {
    const odd = '{ "result" : {"tools":[]} ,"id":2, "jsonrpc":"2.0" }'
    const texts: string[] = []
    const hear = shakesHands(({ method }, { say }) => void (method === 'tools/list' && say(odd)))
    const client = await scripted(hear, {
      wire: (event) => void (event.type === 'message' && texts.push(event.text)),
    })
    expect(await client.listTools()).toEqual([])
    expect(texts).toContain(odd)
    await client.close()
  })

  it('say with each error what failed, where, and the last words of the server (item 5)', async () => {
    const error = await withShell([], (client) =>
      client.callTool('exit', { code: 3 }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
    )
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({ family: 'transport', method: 'tools/call', exitCode: 3 })
    expect(error).toMatchObject({ stderr: 'first words\nlast words\n', server: command })
  })

  it('fit in few lines when nothing may go wrong: the example does (item 6)', () => {
    const lines = readFileSync('examples/minimal-client.ts', 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(80)
  })

  it('take any transport of three members, beside those that come along (item 7)', async () => {
    const [near, far] = memoryPair()
    void calculatorServer({ version: '1' }).accept(far)
    const own: Transport = { name: 'mine', open: (port, signal) => near.open(port, signal) }
    await using client = await connect(own)
    expect(resultToText(await client.callTool('calculator', { expr: '1+1' }))).toContain('2')
  })
})

describe('the process', () => {
  it('is started without a shell and with a short list of variables (item 8)', async () => {
    const odd = ['$HOME', '; true', '`id`', 'a  b']
    await withShell(odd, async (client) => {
      expect(JSON.parse(resultToText(await client.callTool('words')))).toEqual(odd)
      expect(resultToText(await client.callTool('variable', { name: 'PATH' }))).not.toBe('(unset)')
    })
    expect(childEnvironment({ PATH: '/bin', API_KEY: 'x' }, { A: '1' }, 'linux')).toEqual({
      PATH: '/bin',
      A: '1',
    })
  })

  it('has longer to start when it may have to be downloaded (item 9)', () => {
    expect(startTimeoutFor('npx', ['-y', 'server'])).toBeGreaterThan(
      startTimeoutFor('node', ['x.js']),
    )
  })

  it('may fill stderr as it likes (item 10)', async () => {
    await withShell(['--talkative'], async (client) => {
      expect(resultToText(await client.callTool('echo', { text: 'after 1 MiB' }))).toBe(
        'after 1 MiB',
      )
    })
  })

  it('may cut characters into bytes (item 11)', async () => {
    await withShell(['--bytewise'], async (client) => {
      expect(resultToText(await client.callTool('echo', { text: '中文 🙂' }))).toBe('中文 🙂')
    })
  })

  it('may write blank lines, CR and banners; we write one line a message (item 12)', async () => {
    await withShell(['--blanks', '--banner'], async (client, events) => {
      expect(resultToText(await client.callTool('echo', { text: 'a\nb\r\nc' }))).toBe('a\nb\r\nc')
      const sent = events.flatMap((event) =>
        event.type === 'message' && event.direction === 'out' ? [event.text] : [],
      )
      expect(sent.filter((text) => /[\r\n]/.test(text))).toEqual([])
    })
  })

  it('may be gone in the middle of a write, which is an error of the transport (item 13)', async () => {
    const outcome = await withShell([], async (client) => {
      const ending = client.callTool('exit').catch(() => undefined)
      const big = client.callTool('echo', { text: 'x'.repeat(8 << 20) })
      const error = await big.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      await ending
      return error
    })
    expect(outcome).toBeInstanceOf(TransportError)
  })

  it('is asked to end by the end of its input, and everything pending fails (item 31)', async () => {
    const events: WireEvent[] = []
    const client = await connect(shell(), {
      era: 'legacy',
      wire: (event) => void events.push(event),
    })
    const pending = client.callTool('hang').then(
      () => undefined,
      (error: unknown) => error,
    )
    await Promise.all([client.close(), client.close()])
    await client.close()
    expect(await pending).toBeInstanceOf(PilotError)
    const exit = events.flatMap((event) =>
      event.type === 'note' && event.note.kind === 'exit' ? [event.note.data] : [],
    )
    expect(exit).toEqual([expect.objectContaining({ exitCode: 0 })])
    expect(kinds(events)).not.toContain('stop')
  })
})

describe('requests and answers', () => {
  it('are matched by id, in whatever order they come, also too late (item 14)', async () => {
    await withShell([], async (client, events) => {
      const later = client.callTool('later')
      const now = client.callTool('now')
      expect(resultToText(await now)).toBe('now')
      expect(resultToText(await later)).toBe('later')
      await client.callTool('later', {}, { timeoutMs: 100 }).catch(() => undefined)
      await client.callTool('now')
      await client.callTool('echo', { text: 'x' })
      expect(kinds(events)).toContain('late')
    })
  })

  it('have ids that count up, and take those of the server as they are (item 15)', async () => {
    let answered: JsonObject | undefined
    const client = await scripted(
      shakesHands((message, { say, answer }) => {
        if (message['id'] === 'ask-1') answered = message
        if (message['method'] === 'tools/list') {
          say('{"jsonrpc":"2.0","id":"ask-1","method":"ping"}')
          answer({ tools: [], asked: message['id'] })
        }
      }),
    )
    const ids = [await client.request('tools/list'), await client.request('tools/list')]
    expect(ids.map(({ asked }) => asked)).toEqual([2, 3])
    expect(answered).toEqual({ jsonrpc: '2.0', id: 'ask-1', result: {} })
    await client.close()
  })

  it('are answered with the right codes when they are wrong (item 16)', async () => {
    const [near, far] = memoryPair()
    void calculatorServer({ version: '1' }).accept(far)
    const heard: JsonObject[] = []
    const heardThree = new Promise<void>((settle) => {
      void near
        .open({
          maxMessageBytes: 1000,
          text: (text) => void (heard.push(JSON.parse(text) as JsonObject) === 3 && settle()),
          note() {},
          unreadable() {},
          failed() {},
          closed() {},
        })
        .then((link) => {
          link.write({
            text: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
          })
          link.write({ text: '{"jsonrpc":"2.0","id":2,"method":"no/such"}' })
          link.write({ text: '{nonsense' })
        })
    })
    await heardThree
    const codes = heard.map(({ error }) => Object(error).code as unknown)
    expect(new Set(codes)).toEqual(new Set([-32601, -32700, undefined]))
  })

  it('are one for each request, and none for a notification (item 38)', async () => {
    const [near, far] = memoryPair()
    void calculatorServer({ version: '1' }).accept(far)
    const events: WireEvent[] = []
    await using client = await connect(near, {
      era: 'legacy',
      wire: (event) => void events.push(event),
    })
    client.notify('notifications/unknown', { a: 1 })
    await client.request('nothing/here').catch(() => undefined)
    await client.listTools()
    const asked = messages(events, 'out').filter(({ id }) => id !== undefined)
    expect(messages(events, 'in').map(({ id }) => id)).toEqual(asked.map(({ id }) => id))
  })
})

describe('the handshake', () => {
  it('offers the newest handshake revision, takes an older one, and refuses a foreign one (item 17)', async () => {
    let offered: unknown
    const answering =
      (protocolVersion: string): FarSide =>
      (message, { answer }) => {
        if (message['method'] !== 'initialize') return
        offered = message['params']
        answer({ protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } })
      }
    const client = await scripted(answering('2024-11-05'))
    expect(offered).toMatchObject({ protocolVersion: '2025-11-25' })
    expect(client.server.revision).toBe('2024-11-05')
    await client.close()
    await expect(scripted(answering('1999-01-01'))).rejects.toMatchObject({
      code: 'DP_PROTOCOL_VERSION',
    })
    const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(offered).toMatchObject({
      clientInfo: { name: 'deep-pilot', version: Object(manifest).version },
    })
  })

  it('ends with one notification before any other request, and is not there in the new era (item 18)', async () => {
    await withShell([], async (client, events) => {
      await client.listTools()
      const sent = messages(events, 'out').map(({ method, id }) => [method, id !== undefined])
      expect(sent).toEqual([
        ['initialize', true],
        ['notifications/initialized', false],
        ['tools/list', true],
      ])
    })
    const [near, far] = memoryPair()
    void calculatorServer({ version: '1' }).accept(far)
    const events: WireEvent[] = []
    await using modern = await connect(near, {
      era: 'modern',
      wire: (event) => void events.push(event),
    })
    await modern.listTools()
    expect(messages(events, 'out').map(({ method }) => method)).toEqual([
      'server/discover',
      'tools/list',
    ])
  })

  it('leaves what the server said of itself (item 19)', async () => {
    await withShell([], async ({ server }) => {
      expect(server).toMatchObject({
        info: { name: 'shell', title: 'Shell', version: '1.2.3' },
        capabilities: { tools: {} },
        instructions: 'Be kind.',
        revision: '2025-11-25',
        era: 'legacy',
      })
      await Promise.resolve()
    })
  })

  it('that fails is an error of its kind, and leaves no process behind (item 20)', async () => {
    const refusing: FarSide = ({ id }, { say }) =>
      say(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'go away' } }))
    const error = await scripted(refusing).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ rpcCode: -32000, message: 'go away', method: 'initialize' })
    const events: WireEvent[] = []
    const silent = stdio({ command, args: ['-e', 'process.stdin.resume()'] })
    const late = connect(silent, {
      timeouts: { startMs: 300 },
      era: 'legacy',
      wire: (event) => void events.push(event),
    })
    await expect(late).rejects.toMatchObject({ code: 'DP_TIMEOUT', timer: 'start' })
    expect(kinds(events)).toContain('exit')
  })
})
