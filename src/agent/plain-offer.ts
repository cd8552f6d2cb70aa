/** Tools as they are, without any projection. */

import type { HostTool } from '../host/host-tool.ts'
import type { SchemaDialect } from '../schema/project/dialect.ts'
import type { Projection } from '../schema/project/project.ts'
import type { ModelTool, ModelTraits } from './model.ts'

export interface OfferedTool {
  readonly tool: HostTool
  readonly projection: Pick<Projection, 'nulls'>
}
export interface OfferedTools {
  readonly tools: readonly ModelTool[]
  readonly byName: ReadonlyMap<string, OfferedTool>
  readonly leftOut: readonly { readonly alias: string; readonly reason: string }[]
  readonly tokens: number
}

export class ToolOffer {
  #last: { readonly of: readonly HostTool[]; readonly offered: OfferedTools } | undefined
  readonly options: { readonly dialect: SchemaDialect; readonly traits: ModelTraits }
  constructor(options: { readonly dialect: SchemaDialect; readonly traits: ModelTraits }) {
    this.options = options
  }
  of(tools: readonly HostTool[]): OfferedTools {
    if (this.#last?.of === tools) return this.#last.offered
    const free = tools.filter(({ held }) => held === undefined)
    const offered = {
      tools: free.map(({ alias, description, inputSchema }) => ({
        name: alias,
        ...(description !== undefined && { description }),
        parameters: inputSchema,
      })),
      byName: new Map(free.map((tool) => [tool.alias, { tool, projection: { nulls: [] } }])),
      leftOut: [],
      tokens: free.length * 100,
    }
    this.#last = { of: tools, offered }
    return offered
  }
}
