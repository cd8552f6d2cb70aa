/**
 * The five faults that the guide names, each beside what the library does with the same server. The servers are
 * scripts of a few lines, each of which is allowed to do what it does.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { NextLineClient } from '../../examples/next-line-client.ts'
import { RpcError, TransportError } from '../../src/base/errors.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import { resultToText } from '../../src/tools/content.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

describe('a server that speaks between question and answer', () => {
  const server = serverScript(`
    say({ method: 'notifications/tools/list_changed' })
    answer({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] })`)

  it('is misread by the next line', async () => {
    const client = nextLine(server)
    await client.initialize()
    expect(await client.sendRequest('tools/list', {})).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
    })
  })

  it('is understood by the id', async () => {
    const client = await ours(server)
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['a'])
  })
})

describe('a server that logs more than a pipe holds', () => {
  // Written by a thread of its own, so that the server can answer pings while the pipe is full.
  const server = serverScript(`
    if (message.method === 'ping') return answer({})
    require('node:fs').write(2, 'x'.repeat(4 * 1024 * 1024), () =>
      answer({ content: [{ type: 'text', text: 'said it all' }] }))`)

  it('never finishes its call when nobody reads stderr', async () => {
    const client = nextLine(server)
    await client.initialize() // id 1
    let waiting = client.sendRequest('tools/call', { name: 'any' }) // id 2
    const ids: unknown[] = []
    for (let ping = 0; ping < 20; ping += 1) {
      const next = client.sendRequest('ping', {})
      ids.push((await waiting).id)
      waiting = next
    }
    expect(ids).not.toContain(2)
  })

  it('finishes when stderr is read', async () => {
    const client = await ours(server)
    expect(resultToText(await client.callTool('any'))).toBe('said it all')
  })
})

describe('a tool that fails', () => {
  const server = serverScript(
    `answer({ content: [{ type: 'text', text: 'Access denied' }], isError: true })`,
  )

  it('looks like content when isError is not read', async () => {
    const client = nextLine(server)
    await client.initialize()
    expect(await client.callTool('read', {})).toBe('Access denied')
  })

  it('is told apart', async () => {
    const client = await ours(server)
    expect(await client.callTool('read')).toMatchObject({ isError: true })
  })
})

describe('a list in pages', () => {
  const server = serverScript(`
    const page = message.params?.cursor === undefined
    const tools = [{ name: page ? 'a' : 'b', inputSchema: { type: 'object' } }]
    answer(page ? { tools, nextCursor: '2' } : { tools })`)

  it('is cut short when the cursor is not followed', async () => {
    const client = nextLine(server)
    await client.initialize()
    expect(await client.listTools()).toHaveLength(1)
  })

  it('is read to its end', async () => {
    const client = await ours(server)
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['a', 'b'])
  })
})

describe('a server that refuses the handshake', () => {
  const server = serverScript('', `refuse({ code: -32602, message: 'Not with you' })`)

  it('ends in a mistake of our own language when the answer is not checked', async () => {
    await expect(nextLine(server).initialize()).rejects.toThrow(TypeError)
  })

  it('is quoted', async () => {
    await expect(ours(server)).rejects.toThrow(RpcError)
    await expect(ours(server)).rejects.toThrow('Not with you')
  })
})

describe('a server that dies', () => {
  const server = serverScript(`process.stderr.write('out of cheese'); process.exit(3)`)

  it('looks like an empty answer when the end is read as a line', async () => {
    const client = nextLine(server)
    await client.initialize()
    expect(await client.sendRequest('ping', {})).toEqual({})
  })

  it('rejects what waits, with its exit code and its last words', async () => {
    const client = await ours(server)
    const error: unknown = await client.request('ping').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_EXIT', exitCode: 3, stderr: 'out of cheese' })
  })
})

/** A server whose answer to everything but the handshake is `body`; it may use `message`, `answer`, `say` and `refuse`. */
function serverScript(body: string, handshake = WELCOME): string {
  return `
    const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line)
      if (message.id === undefined) return
      const answer = (result) => write({ id: message.id, result })
      const refuse = (error) => write({ id: message.id, error })
      const say = write
      if (message.method === 'initialize') { ${handshake} }
      else { ${body} }
    })`
}

const WELCOME = `answer({
  protocolVersion: message.params.protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: 'script', version: '1' },
})`

function nextLine(script: string): NextLineClient {
  const client = new NextLineClient(process.execPath, ['-e', script])
  open.push(client)
  return client
}

async function ours(script: string): Promise<Client> {
  const client = await connect(stdio({ command: process.execPath, args: ['-e', script] }), {
    era: 'legacy',
  })
  open.push(client)
  return client
}
