/** A client of the official SDK of version 2, in either era: told a revision, it offers that one alone; told `auto`, it finds out. */
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { MESSAGE, takeSteps, wordsOf } from './steps.mjs'

const { way, revision, target } = wordsOf(process.argv.slice(2))
const [first = '', ...rest] = target
const transports = {
  stdio: () => new StdioClientTransport({ command: first, args: rest }),
  http: () => new StreamableHTTPClientTransport(new URL(first)),
  // oxlint-disable-next-line typescript/no-deprecated -- the old transport is what some servers have
  sse: () => new SSEClientTransport(new URL(first)),
}
const modern = revision >= '2026'
const mode = revision === 'auto' ? 'auto' : modern ? { pin: revision } : 'legacy'

await takeSteps(async () => {
  const client = new Client(
    { name: 'sdk2-peer', version: '1.0.0' },
    {
      capabilities: { elicitation: {}, sampling: {} },
      versionNegotiation: { mode },
      ...(mode === 'legacy' ? { supportedProtocolVersions: [revision] } : {}),
    },
  )
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }))
  client.setRequestHandler('sampling/createMessage', () => MESSAGE)
  await client.connect(transports[way]())
  return {
    client,
    revision: client.getNegotiatedProtocolVersion(),
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args }, options),
  }
})
