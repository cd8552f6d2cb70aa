/**
 * The tools of one turn: what the host has, what of it the model is offered and how, and which tool a name of the model means. What is
 * made for one turn is kept for the next ones of the same conversation.
 */

import type { HostTool, ToolChanges } from '../host/host-tool.ts'
import type { AgentOptions } from './loop-options.ts'
import type { Model } from './model.ts'
import { ToolOffer, type OfferedTool, type OfferedTools } from './plain-offer.ts'

/** What a turn knows of tools. It stays as it is for the whole turn. */
export interface TurnTools {
  readonly changes: ToolChanges
  readonly offered: OfferedTools
  /** A tool of the host by its alias, offered or not. */
  find(alias: string): HostTool | undefined
  /** As the model was offered it. */
  offer(name: string): OfferedTool | undefined
  /** All names that can be called. */
  names(): Iterable<string>
}

/** Lives as long as a conversation. */
export class ToolMemory {
  readonly #offers = new WeakMap<Model, ToolOffer>()
  #listed: readonly HostTool[] | undefined
  #byAlias: ReadonlyMap<string, HostTool> = new Map()

  /** Takes in what has changed in the host. */
  turn({ host, model }: Pick<AgentOptions, 'host' | 'model'>): TurnTools {
    const changes = host.turn()
    const tools = host.tools()
    const byAlias = this.#lookup(tools)
    const offered = this.#offerFor(model).of(tools)
    return {
      changes,
      offered,
      find: (alias) => byAlias.get(alias),
      offer: (name) => offered.byName.get(name),
      names: () => offered.byName.keys(),
    }
  }

  #offerFor(model: Model): ToolOffer {
    const before = this.#offers.get(model)
    if (before !== undefined) return before
    const offer = new ToolOffer({ dialect: model.dialect, traits: model.traits })
    this.#offers.set(model, offer)
    return offer
  }

  #lookup(tools: readonly HostTool[]): ReadonlyMap<string, HostTool> {
    if (this.#listed !== tools) {
      this.#listed = tools
      this.#byAlias = new Map(tools.map((tool) => [tool.alias, tool]))
    }
    return this.#byAlias
  }
}
