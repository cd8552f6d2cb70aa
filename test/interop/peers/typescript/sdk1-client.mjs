/** A client of the official SDK of version 1. It always offers its newest revision, so that the server decides. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { MESSAGE, takeSteps, wordsOf } from './steps.mjs'

const { way, target } = wordsOf(process.argv.slice(2))
const [first = '', ...rest] = target
const transports = {
  stdio: () => new StdioClientTransport({ command: first, args: rest }),
  http: () => new StreamableHTTPClientTransport(new URL(first)),
  // oxlint-disable-next-line typescript/no-deprecated -- the old transport is what some servers have
  sse: () => new SSEClientTransport(new URL(first)),
}

await takeSteps(async () => {
  const client = new Client(
    { name: 'sdk1-peer', version: '1.0.0' },
    { capabilities: { elicitation: {}, sampling: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }))
  client.setRequestHandler(CreateMessageRequestSchema, () => MESSAGE)
  const transport = transports[way]()
  // The SDK tells the transport the revision and keeps it to itself.
  let revision
  const tell = transport.setProtocolVersion?.bind(transport)
  transport.setProtocolVersion = (version) => {
    revision = version
    tell?.(version)
  }
  await client.connect(transport)
  return {
    client,
    revision,
    listTools: () => pages((cursor) => client.listTools({ cursor })),
    callTool: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args }, undefined, options),
  }
})

/** This version gives one page a call. */
async function pages(list) {
  const all = []
  let cursor
  do {
    const { tools, nextCursor } = await list(cursor)
    all.push(...tools)
    cursor = nextCursor
  } while (cursor !== undefined)
  return all
}
