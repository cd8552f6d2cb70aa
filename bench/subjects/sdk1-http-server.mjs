/** The official SDK of version 1 over HTTP, with sessions and answers of JSON. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'
import { announce } from './http-start.mjs'
import { TOOLS, textResult, zodShape } from './workload.mjs'

const sessions = new Map()

async function openSession() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  const server = new McpServer({ name: 'sdk1', version: '1.0.0' })
  for (const { name, description, fields, run } of TOOLS) {
    const config = { description, inputSchema: zodShape(z, fields) }
    server.registerTool(name, config, async (args) => textResult(await run(args)))
  }
  await server.connect(transport)
  return transport
}

announce(
  createServer(async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id'])
    await (known ?? (await openSession())).handleRequest(request, response)
  }),
)
