/** A host at servers of a hundred tools, one of which nests deeper than a message may: the others are there and work. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Transport } from '../../src/jsonrpc/link.ts'
import { http } from '../../src/transport/node/http-client.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { hostRoom } from '../support/host-room.ts'
import { smallServer, startEvents } from '../support/http/small-server.ts'

const servers: { close(): unknown }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** The result of `tools/list`: no serialiser would write it. */
function hundredTools(levels: number): string {
  const deep = `${'{"properties":{"a":'.repeat(levels)}{}${'}}'.repeat(levels)}`
  const tools = Array.from(
    { length: 100 },
    (_, at) => `{"name":"t${at}","inputSchema":${at === 57 ? deep : '{"type":"object"}'}}`,
  )
  return `{"tools":[${tools.join()}]}`
}

/** The same server as a program: the answers by method, each as text. */
const PROGRAM = String.raw`
  const answers = {
    initialize: '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}',
    'tools/list': (${hundredTools.toString()})(Number(process.argv[1])),
    'tools/call': '{"content":[{"type":"text","text":"done"}]}',
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (id === undefined) return
    const said = answers[method]
    const tail = said === undefined ? '"error":{"code":-32601,"message":"no"}' : '"result":' + said
    process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',' + tail + '}\n')
  })
`

async function overHttp(levels: number, events: boolean): Promise<Transport> {
  const server = await smallServer(({ message }, response) => {
    if (message?.['method'] !== 'tools/list') return false
    const text = `{"jsonrpc":"2.0","id":${JSON.stringify(message['id'])},"result":${hundredTools(levels)}}`
    if (events) startEvents(response).end(`data: ${text}\n\n`)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    return true
  })
  servers.push(server)
  return http(`${server.url}/mcp`)
}

const CARRIERS: Readonly<Record<string, (levels: number) => Transport | Promise<Transport>>> = {
  'standard input': (levels) =>
    stdio({ command: process.execPath, args: ['-e', PROGRAM, String(levels)] }),
  'HTTP as JSON': (levels) => overHttp(levels, false),
  'HTTP as events': (levels) => overHttp(levels, true),
}

describe.each(Object.keys(CARRIERS))('one poisoned tool among a hundred, over %s', (name) => {
  it.each([62, 100, 10_000])('with a schema of %i properties, leaves 99', async (levels) => {
    const transport = await CARRIERS[name]?.(levels)
    if (transport === undefined) throw new Error(`There is no ${name}.`)
    const { host, events } = await hostRoom({ many: transport }, { replies: [{ kind: 'once' }] })
    expect(host.servers()).toMatchObject([{ key: 'many', state: 'ready' }])
    const names = host.tools().map(({ alias }) => alias)
    expect(names).toHaveLength(99)
    expect(names).not.toContain('many__t57')
    expect(await host.callTool('many__t99', {})).toMatchObject({ content: [{ type: 'text' }] })

    const [told, ...more] = events.flatMap((event) =>
      event.type === 'note' && event.note.kind === 'bad-tool' ? [event.note.data] : [],
    )
    expect(told).toEqual({
      index: 57,
      problem: '"t57" was left out: its definition nests deeper than 125 levels',
    })
    expect(more).toEqual([])
    // The wire shows what came, not what was made of it.
    const list = hundredTools(levels)
    expect(
      events.filter((event) => event.type === 'message' && event.text.includes(list)),
    ).toHaveLength(1)
  })

  it('with a schema of 61, leaves all', async () => {
    const transport = await CARRIERS[name]?.(61)
    const { host } = await hostRoom(transport === undefined ? {} : { many: transport })
    expect(host.tools()).toHaveLength(100)
  })
})
