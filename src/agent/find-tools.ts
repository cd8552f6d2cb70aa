/**
 * Many tools for a model that is shown few: beyond a limit it gets those of the program itself and three more, by which it finds,
 * reads up and calls all others. What a request begins with stays the same then, whatever servers come and go.
 *
 * Searching and reading up only tell what the whole list would have told. A call is none of this file's: it is resolved to the
 * tool that is meant, and goes the way of every call.
 */

import { exceedsDepth, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { HostTool, ServerInstructions } from '../host/host-tool.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import type { ModelTraits } from './model.ts'
import { CALL_TOOL, FINDERS, GET_TOOL, SEARCH_TOOLS } from './find-tools-offer.ts'
import { definitionWords, foundWords, serverWords } from './find-tools-words.ts'
import { estimateTokens } from './token-estimate.ts'
import { ToolIndex } from './tool-index.ts'

export interface DiscoveryOptions {
  /** `on` whenever a server has tools, `off` never. Default `auto`: beyond the limits below. */
  readonly mode?: 'auto' | 'on' | 'off'
  /** Most tools of servers that are shown at once. Default 40. */
  readonly maxTools?: number
  /** Largest share of the window that their definitions may take. Default 0.1. */
  readonly maxShare?: number
}

export interface Discovered {
  /** Whether the model has to look for the tools of servers. Once it has to, it has to for good. */
  readonly deferred: boolean
  /** What the model is shown; the same array as long as it holds the same tools. */
  readonly tools: readonly HostTool[]
}

/** What a call comes to. */
export type ResolvedCall =
  /** Another tool is meant; its arguments are as the model wrote them, unchecked. */
  | { readonly kind: 'call'; readonly alias: string; readonly args: JsonObject }
  /** There is nothing to call. */
  | { readonly kind: 'answer'; readonly result: CallToolResult }

const MAX_TOOLS = 40
const MAX_SHARE = 0.1
/** Tools that one search gives, unless it asks for others. */
const USUAL_FOUND = 8
const MAX_FOUND = 25
/** Near names that are told. */
const MAX_NEAR = 3

export class ToolDiscovery {
  readonly #options: Required<DiscoveryOptions>
  readonly #tokens = new WeakMap<HostTool, number>()
  #deferred = false
  #listed: readonly HostTool[] = []
  #instructions: readonly ServerInstructions[] = []
  #byAlias: ReadonlyMap<string, HostTool> = new Map()
  #offered: readonly HostTool[] = []
  /** Made when it is first needed. */
  #index: ToolIndex | undefined

  constructor(options: DiscoveryOptions = {}) {
    const { mode = 'auto', maxTools = MAX_TOOLS, maxShare = MAX_SHARE } = options
    this.#options = { mode, maxTools, maxShare }
  }

  /** Takes in the list of a turn, and gives what of it the model is shown. */
  offer(
    tools: readonly HostTool[],
    traits: Pick<ModelTraits, 'window' | 'maxTools'>,
    { instructions = [] }: { readonly instructions?: readonly ServerInstructions[] } = {},
  ): Discovered {
    this.#deferred ||= this.#isTooMuch(tools, traits)
    if (!this.#deferred) return { deferred: false, tools }
    if (!isSame(tools, this.#listed) || !isSame(instructions, this.#instructions)) {
      this.#listed = tools
      this.#instructions = instructions
      this.#byAlias = new Map(tools.map((tool) => [tool.alias, tool]))
      this.#index = undefined
    }
    const offered = [...tools.filter(({ server }) => server === undefined), ...FINDERS]
    if (!isSame(offered, this.#offered)) this.#offered = offered
    return { deferred: true, tools: this.#offered }
  }

  /** What a call of a model stands for; undefined for one that is what it seems. */
  resolve(name: string, args: JsonObject): ResolvedCall | undefined {
    if (!this.#deferred) return undefined
    if (name === SEARCH_TOOLS) return { kind: 'answer', result: this.#search(args) }
    if (name === GET_TOOL) return { kind: 'answer', result: this.#get(args) }
    if (name === CALL_TOOL) return this.#inner(args)
    // Shown earlier, or read of just now, and called by its own name.
    return this.#byAlias.get(name)?.server === undefined ? undefined : this.#callOf(name, args)
  }

  #isTooMuch(
    tools: readonly HostTool[],
    traits: Pick<ModelTraits, 'window' | 'maxTools'>,
  ): boolean {
    const { mode, maxTools, maxShare } = this.#options
    if (mode === 'off' || tools.some(({ alias }) => isFinder(alias))) return false
    const usable = tools.filter(({ held }) => held === undefined)
    // Those of the program itself are shown either way: only what can be left to be looked for counts.
    const served = usable.filter(({ server }) => server !== undefined)
    if (served.length === 0) return false
    if (mode === 'on' || served.length > maxTools) return true
    if (traits.maxTools !== undefined && usable.length > traits.maxTools) return true
    if (traits.window === undefined) return false
    const tokens = served.reduce((sum, tool) => sum + this.#tokensOf(tool), 0)
    return tokens > traits.window * maxShare
  }

  #tokensOf(tool: HostTool): number {
    let tokens = this.#tokens.get(tool)
    if (tokens === undefined) {
      const { alias, description = '', inputSchema } = tool
      tokens = estimateTokens(alias + description + JSON.stringify(inputSchema))
      this.#tokens.set(tool, tokens)
    }
    return tokens
  }

  #search(args: JsonObject): CallToolResult {
    const { query = '', server, limit = USUAL_FOUND } = args
    if (typeof query !== 'string' || (server !== undefined && typeof server !== 'string'))
      return failure(`${SEARCH_TOOLS} takes texts as query and server.`)
    if (query.trim() === '') {
      return told(serverWords(this.#usable(server), this.#instructions))
    }
    const most = typeof limit === 'number' ? Math.min(MAX_FOUND, Math.max(1, Math.floor(limit))) : 0
    const found = this.#indexed().search(query, { limit: most || USUAL_FOUND, server })
    return told(foundWords(found, { query, all: this.#usable(undefined).length }))
  }

  #get({ name }: JsonObject): CallToolResult {
    if (typeof name !== 'string') return failure(`${GET_TOOL} takes the name of a tool as name.`)
    const tool = this.#byAlias.get(name)
    if (tool === undefined || tool.held !== undefined) return failure(this.#noTool(name))
    return told(definitionWords(tool))
  }

  #inner({ name, arguments: written, ...others }: JsonObject): ResolvedCall {
    if (typeof name !== 'string')
      return answer(failure(`${CALL_TOOL} takes the name of a tool as name.`))
    if (written === undefined && Object.keys(others).length > 0) {
      return answer(
        failure(
          `${CALL_TOOL} takes the arguments of the tool in one object: {"name": …, "arguments": {…}}.`,
        ),
      )
    }
    const args = argumentsIn(written)
    if (args === undefined)
      return answer(
        failure(`The arguments for ${JSON.stringify(name.slice(0, 80))} are no object.`),
      )
    return this.#callOf(name, args)
  }

  #callOf(name: string, args: JsonObject): ResolvedCall {
    const tool = this.#byAlias.get(name)
    const isThere = tool !== undefined && tool.held === undefined
    return isThere ? { kind: 'call', alias: name, args } : answer(failure(this.#noTool(name)))
  }

  #noTool(name: string): string {
    const quoted = JSON.stringify(name.slice(0, 80))
    const held = this.#byAlias.get(name)?.held
    if (held !== undefined) return `The tool ${quoted} cannot be called for now: ${held.reason}`
    const near = this.#indexed().search(name, { limit: MAX_NEAR }).tools
    const instead = near.map(({ alias }) => alias).join(', ')
    const hint = near.length === 0 ? `Look for one with ${SEARCH_TOOLS}.` : `Near: ${instead}.`
    return `There is no tool ${quoted}. ${hint}`
  }

  #indexed(): ToolIndex {
    this.#index ??= new ToolIndex(this.#usable(undefined), this.#instructions)
    return this.#index
  }

  /** Those that the model does not see and may call: of one server, or of all. */
  #usable(wanted: string | undefined): readonly HostTool[] {
    return this.#listed.filter(
      ({ server, held }) =>
        server !== undefined && held === undefined && (wanted === undefined || server === wanted),
    )
  }
}

function isFinder(alias: string): boolean {
  return alias === SEARCH_TOOLS || alias === GET_TOOL || alias === CALL_TOOL
}

/** Arguments as an object, also where a model wrote them as JSON text; none are none. */
function argumentsIn(written: JsonValue | undefined): JsonObject | undefined {
  if (written === undefined || written === null) return {}
  if (isJsonObject(written)) return written
  if (typeof written !== 'string' || exceedsDepth(written)) return undefined
  try {
    const value: unknown = JSON.parse(written)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // the model is told that it is no object
  }
}

function answer(result: CallToolResult): ResolvedCall {
  return { kind: 'answer', result }
}

function told(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

function isSame<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return (
    one === other || (one.length === other.length && one.every((item, at) => item === other[at]))
  )
}
