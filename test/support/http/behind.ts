/** A server with a few tools behind HTTP without a network, closed by itself after each test. */
import { afterEach } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../src/base/json.ts'
import type { HttpServerOptions } from '../../../src/server/http.ts'
import type { ServerOptions } from '../../../src/server/options.ts'
import { Server } from '../../../src/server/server.ts'
import { elicit, sample } from '../../../src/tools/context.ts'
import { defineTool } from '../../../src/tools/define.ts'
import { request, type FakeReply } from '../fake-http.ts'
import { handled, type Handled } from './handled.ts'

export const text = (message: string): JsonObject => ({
  content: [{ type: 'text', text: message }],
})

const echo = defineTool<{ text: string }>({
  name: 'echo',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: (args) => args.text,
})
const region = defineTool<{ region?: string }>({
  name: 'region',
  input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  run: ({ region: where = 'nowhere' }) => where,
})
const steps = defineTool({
  name: 'steps',
  async run(_args, context) {
    context.progress({ progress: 1 })
    await Promise.resolve()
    return 'done'
  },
})
const who = defineTool({
  name: 'who',
  async run(_args, context) {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const
    const answer = await context.ask('who', elicit({ message: 'Who?', requestedSchema }))
    return JSON.stringify(answer)
  },
})
const model = defineTool({
  name: 'model',
  run: async (_args, context) =>
    JSON.stringify(await context.ask('m', sample({ messages: [], maxTokens: 1 }))),
})
const caller = defineTool({ name: 'caller', run: (_args, { auth }) => auth?.principal ?? 'nobody' })

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

export interface Behind extends Handled {
  readonly server: Server
}

export function behind(options: Partial<ServerOptions> = {}, http: HttpServerOptions = {}): Behind {
  const server = new Server({
    name: 's',
    version: '1',
    tools: [echo, region, steps, who, model, caller],
    ...options,
  })
  servers.push(server)
  return { ...handled(server, http), server }
}

export function codeOf(reply: FakeReply): unknown {
  const { error } = reply.json
  return isJsonObject(error) ? error['code'] : undefined
}

export function call(
  id: string | number,
  name: string,
  args: JsonObject = {},
  meta?: JsonObject,
): JsonObject {
  return request(id, 'tools/call', {
    name,
    arguments: args,
    ...(meta === undefined ? {} : { _meta: meta }),
  })
}
