/**
 * M + N in place of M × N: one server that nobody wrote twice, and hosts that know nothing of one another. Two hosts of
 * ours and one by another maker call the same tool over HTTP at the same time, each in the revision that it speaks; then
 * one of our hosts calls a server by another maker with the very same code.
 */
import { Client as ForeignClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { connect, defineTool, resultToText, Server } from '../src/index.ts'
import type { Transport } from '../src/index.ts'
import { http, serveHttp, stdio } from '../src/node/index.ts'

// N: a server. It is written once, and speaks every revision.
const calls: string[] = []
const server = new Server({
  name: 'echo-house',
  version: '1.0.0',
  tools: [
    defineTool<{ text: string }>({
      name: 'echo',
      description: 'Says it back.',
      input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      run({ text }, ctx) {
        calls.push(`${ctx.client.info?.name} speaks ${ctx.client.revision}`)
        return text
      },
    }),
  ],
})
const served = await serveHttp(server)

// M: hosts. Each is written once, and can use every server.
async function host(name: string, transport: Transport, era: 'auto' | 'legacy'): Promise<string> {
  await using client = await connect(transport, { name, era })
  return resultToText(await client.callTool('echo', { text: `hello from ${name}` }))
}

async function foreignHost(name: string): Promise<string> {
  const client = new ForeignClient({ name, version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(served.url))
  await client.connect(transport)
  const result = await client.callTool({ name: 'echo', arguments: { text: `hello from ${name}` } })
  await client.close()
  return (result.content as { text: string }[])[0]?.text ?? ''
}

try {
  console.log('Three hosts, one server:')
  const answers = await Promise.all([
    host('new-host', http(served.url), 'auto'),
    host('old-host', http(served.url), 'legacy'),
    foreignHost('foreign-host'),
  ])
  for (const answer of answers) console.log(`  ${answer}`)
  for (const call of calls.toSorted()) console.log(`  seen by the server: ${call}`)

  console.log('The same host, a server by another maker:')
  const args = [process.argv[2] ?? '@modelcontextprotocol/server-everything', 'stdio']
  const command = process.argv[2] === undefined ? 'npx' : process.execPath
  await using client = await connect(stdio({ command, args }), { name: 'new-host' })
  console.log(`  ${resultToText(await client.callTool('echo', { message: 'hello' }))}`)
} finally {
  await served.close()
}
