/** The official SDK of version 2 over HTTP in both eras, through its handler on `node:http`. */
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { announce } from './http-start.mjs'
import { TOOLS, textResult, zodShape } from './workload.mjs'

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'sdk2', version: '1.0.0' })
  for (const { name, description, fields, run } of TOOLS) {
    const config = { description, inputSchema: z.object(zodShape(z, fields)) }
    server.registerTool(name, config, async (args) => textResult(await run(args)))
  }
  return server
})

announce(
  createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const request = new Request(new URL(url, `http://${headers.host}`), {
      method,
      headers: Object.entries(headers),
      body: method === 'POST' ? Readable.toWeb(incoming) : null,
      duplex: 'half',
    })
    const response = await handler.fetch(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body === null) outgoing.end()
    else Readable.fromWeb(response.body).pipe(outgoing)
  }),
)
