/** A server with something of every kind, for attacks: what runs in it is counted, so that a test can say that nothing ran. */
import type { ServerOptions } from '../../src/server/options.ts'
import { Server } from '../../src/server/server.ts'
import { elicit } from '../../src/tools/context.ts'
import { defineTool } from '../../src/tools/define.ts'
import { definePrompt } from '../../src/tools/prompt.ts'
import { defineResource } from '../../src/tools/resource.ts'
import { defineTemplate } from '../../src/tools/template.ts'
import { echo } from './echo-tool.ts'

export interface Attacked {
  readonly server: Server
  /** What ran in it, by name. */
  readonly ran: readonly string[]
}

/** Whoever makes it closes it. */
export function attackedServer(options: Partial<ServerOptions> = {}): Attacked {
  const ran: string[] = []
  const mine = ({ auth }: { readonly auth: { readonly scopes?: readonly string[] } | undefined }) =>
    auth?.scopes?.includes('secrets') === true
  const server = new Server({
    name: 'attacked',
    version: '1',
    tools: [
      echo(ran),
      defineTool<{ region?: string }>({
        name: 'region',
        input: {
          type: 'object',
          properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        },
        run({ region = 'nowhere' }) {
          ran.push('region')
          return region
        },
      }),
      defineTool<{ what?: string }>({
        name: 'who',
        input: { type: 'object', properties: { what: { type: 'string' } } },
        async run({ what = '' }, context) {
          const form = { message: 'Who?', requestedSchema: FORM } as const
          const { content } = await context.ask('who', elicit(form))
          ran.push('who')
          return `${what} ${String(content?.['name'])}`
        },
      }),
      defineTool({ name: 'secret', visibleTo: mine, run: () => 'the secret' }),
      defineTool({
        name: 'slow',
        task: { support: 'optional', pollIntervalMs: 50 },
        async run(_args, context) {
          ran.push('slow')
          const form = { message: 'Go on?', requestedSchema: FORM } as const
          const { content } = await context.ask('go', elicit(form))
          return `slow for ${context.auth?.principal}, ${String(content?.['name'])}`
        },
      }),
    ],
    resources: [
      defineResource({ uri: 'note://open', name: 'open', read: () => 'open to all' }),
      defineResource({
        uri: 'note://secret',
        name: 'secret',
        visibleTo: mine,
        read: () => 'the secret',
      }),
    ],
    templates: [
      defineTemplate({
        uriTemplate: 'file:///root/{+path}',
        name: 'files',
        complete: { path: (value) => [`${value}.txt`] },
        read(_uri, { path }) {
          ran.push(`file ${String(path)}`)
          return `contents of ${String(path)}`
        },
      }),
      defineTemplate({
        uriTemplate: 'row://{table}/{id}',
        name: 'rows',
        read(_uri, variables) {
          ran.push(`row ${JSON.stringify(variables)}`)
          return JSON.stringify(variables)
        },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'review',
        arguments: [{ name: 'text', complete: (value) => [`${value}!`] }],
        get({ text = '' }) {
          ran.push('review')
          return `Review ${text}`
        },
      }),
    ],
    tasks: true,
    ...options,
  })
  return { server, ran }
}

const FORM = { type: 'object', properties: { name: { type: 'string' } } } as const
