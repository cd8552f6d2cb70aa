/** Over real HTTP: a server that forgets its sessions, that goes away and comes back, and that is another one afterwards. */
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Change } from '../../src/client/change-queue.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { LEGACY_REVISIONS, MODERN_REVISIONS, type Revision } from '../../src/protocol/revision.ts'
import { httpHandler } from '../../src/server/http.ts'
import type { ServerOptions } from '../../src/server/options.ts'
import { Server } from '../../src/server/server.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool } from '../../src/tools/define.ts'
import { http } from '../../src/transport/node/http-client.ts'
import { nodeListener } from '../../src/transport/node/http-listener.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** One address with one server after the other behind it. */
interface Place {
  readonly url: string
  readonly calls: readonly string[]
  /** The server that answers now. */
  readonly server: () => Server
  /** Another server of the same kind takes over, and knows nothing of any session. */
  restart(options?: Partial<ServerOptions>): void
  /** Nobody answers at the address until `back`. */
  away(): Promise<void>
  back(): Promise<void>
}

async function place(options: Partial<ServerOptions> = {}): Promise<Place> {
  const calls: string[] = []
  let generation = 0
  let server: Server
  let listener: RequestListener
  const take = (more: Partial<ServerOptions> = {}): void => {
    generation += 1
    const own = generation
    const act = defineTool({
      name: 'act',
      run() {
        calls.push(`act ${own}`)
        return `done by ${own}`
      },
    })
    server = new Server({ name: 'p', version: '1', tools: [act], ...options, ...more })
    const handler = httpHandler(server)
    closing.push(() => handler.close())
    listener = nodeListener(handler)
  }
  take()
  let carrier: HttpServer
  const listen = (port: number): Promise<number> =>
    new Promise((resolve) => {
      carrier = createServer((request, response) => listener(request, response))
      carrier.listen(port, '127.0.0.1', () => {
        const address = carrier.address() as AddressInfo // it listens on a port
        resolve(address.port)
      })
    })
  const away = (): Promise<void> =>
    new Promise((resolve) => {
      carrier.close(() => resolve())
      carrier.closeAllConnections()
    })
  const port = await listen(0)
  closing.push(away)
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    server: () => server,
    restart: take,
    away,
    back: async () => void (await listen(port)),
  }
}

async function meet(
  { url }: Place,
  revision: Revision,
  options: ClientOptions = {},
): Promise<Client> {
  const client = await connect(http(url), { revisions: [revision], ...options })
  closing.push(() => client.close())
  return client
}

/** Reads changes until there is one of the kind. */
async function changeOf(changes: AsyncIterator<Change>, kind: Change['kind']): Promise<void> {
  for (;;) {
    const { value, done } = await changes.next()
    if (done === true) throw new Error('The changes have ended.')
    if (value.kind === kind) return
  }
}

describe.each(LEGACY_REVISIONS)('a server at %s that forgets its sessions', (revision) => {
  it('is met anew once, and every call is made exactly once [HTTP-32]', async () => {
    const there = await place()
    const client = await meet(there, revision)
    await client.listTools()
    there.restart()
    const results = await Promise.all(Array.from({ length: 10 }, () => client.callTool('act')))
    expect(results.map(resultToText)).toEqual(Array.from({ length: 10 }, () => 'done by 2'))
    expect(there.calls).toHaveLength(10)
    expect(client.server.revision).toBe(revision)
    there.restart()
    expect(resultToText(await client.callTool('act'))).toBe('done by 3')
  })

  it('is heard of by who listens for changes, after the next request as before [SUB-13]', async () => {
    const there = await place()
    const client = await meet(there, revision)
    const changes = client.changes({ tools: true })
    there.restart()
    const told = changeOf(changes, 'tools')
    await client.listTools()
    await told
    const next = changeOf(changes, 'tools')
    // The stream for notices is opened beside the session: a change before it is there is nobody's.
    const timer = setInterval(() => {
      there.server().tools.add(defineTool({ name: `more-${Math.random()}`, run: () => 'x' }))
    }, 20)
    closing.push(() => Promise.resolve(clearInterval(timer)))
    await expect(next).resolves.toBeUndefined()
  })
})

describe.each([...LEGACY_REVISIONS, ...MODERN_REVISIONS])('a server at %s', (revision) => {
  it('that is away for a moment is called again where that is safe, and as the same client', async () => {
    const there = await place()
    const client = await meet(there, revision)
    await client.listTools()
    await there.away()
    const list = client.listTools({ fresh: true })
    await there.back()
    expect(await list).toHaveLength(1)
    expect(resultToText(await client.callTool('act'))).toBe('done by 1')
    expect(there.calls).toEqual(['act 1'])
  })
})

describe.each(MODERN_REVISIONS)('a listen stream at %s', (revision) => {
  it('is opened again after a restart, and tells that anything may have changed [SUB-11, SUB-13]', async () => {
    const there = await place()
    const client = await meet(there, revision)
    const changes = client.changes({ tools: true })
    const first = changeOf(changes, 'tools')
    const timer = setInterval(() => {
      there.server().tools.add(defineTool({ name: `more-${Math.random()}`, run: () => 'x' }))
    }, 20)
    closing.push(() => Promise.resolve(clearInterval(timer)))
    await first
    clearInterval(timer)
    await there.away()
    there.restart()
    await there.back()
    await changeOf(changes, 'tools')
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['act'])
  })
})
