/**
 * The three tools that stand for all that are not shown. They name no tool and no server and never change: what a provider
 * has cached of a request stays good.
 */

import type { JsonObject } from '../base/json.ts'
import type { HostTool } from '../host/host-tool.ts'
import type { ToolHints } from '../tools/display.ts'

export const SEARCH_TOOLS = 'search_tools'
export const GET_TOOL = 'get_tool'
export const CALL_TOOL = 'call_tool'

const READS: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
/** The worst, because any tool may be behind it; what is judged is that one. */
const CALLS: ToolHints = { readOnly: false, destructive: true, idempotent: false, openWorld: true }

/** In the order in which a model uses them. */
export const FINDERS: readonly HostTool[] = [
  finder(SEARCH_TOOLS, {
    description:
      'Finds tools by words. There are more tools than are shown here: look for one before you say that you have none. Gives names, parameters and a line about each, best first. Without a query it gives the servers and what they are for.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What the tool should do, in a few words.' },
        server: { type: 'string', description: 'Only tools of this server.' },
        limit: { type: 'integer', minimum: 1, maximum: 25, description: 'Default 8.' },
      },
    },
    hints: READS,
  }),
  finder(GET_TOOL, {
    description: 'Gives the whole definition of a tool that was found, with its schemas.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Its name, as search_tools gives it.' } },
      required: ['name'],
    },
    hints: READS,
  }),
  finder(CALL_TOOL, {
    description: 'Calls a tool that was found, and gives its result.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Its name, as search_tools gives it.' },
        arguments: { type: 'object', description: 'Its arguments, by its own schema.' },
      },
      required: ['name', 'arguments'],
    },
    hints: CALLS,
  }),
]

function finder(
  name: string,
  tool: {
    readonly description: string
    readonly inputSchema: JsonObject
    readonly hints: ToolHints
  },
): HostTool {
  return { server: undefined, name, alias: name, ...tool, trusted: true, warnings: [] }
}
