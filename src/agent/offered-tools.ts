/**
 * The tools of a host as one model is offered them: each projected into the dialect of the model, what cannot be offered left out
 * with a reason. One bad tool never takes the others with it.
 *
 * What was made for a tool is kept as long as the host keeps the tool, so that the same tools give the same array: whoever writes
 * it into requests can do so once, and a provider's cache of the request stays good.
 */

import type { HostTool } from '../host/host-tool.ts'
import type { SchemaDialect } from '../schema/project/dialect.ts'
import { projectSchema, type Loss, type Projection } from '../schema/project/project.ts'
import type { ModelTool, ModelTraits } from './model.ts'
import { estimateTokens } from './token-estimate.ts'

export interface OfferedTool {
  readonly tool: HostTool
  /** As the model gets it. */
  readonly shown: ModelTool
  readonly projection: Projection
  /** What the model does not see of the definition, the description of the tool included. */
  readonly losses: readonly Loss[]
}

export interface LeftOutTool {
  readonly alias: string
  /** An English sentence. It may hold text of a server, shortened and escaped. */
  readonly reason: string
}

export interface OfferedTools {
  /** In the order of the host. The same array, with the same objects in it, for the same tools. */
  readonly tools: readonly ModelTool[]
  readonly byName: ReadonlyMap<string, OfferedTool>
  readonly leftOut: readonly LeftOutTool[]
  /** Where strict schemas were asked for and are not sent: the tools that they would cost something, and what. */
  readonly notStrict: readonly LeftOutTool[]
  /** What the definitions take of every request: an estimate, from a part of them where there are many. */
  readonly tokens: number
}

export interface ToolOfferOptions {
  readonly dialect: SchemaDialect
  readonly traits: Pick<ModelTraits, 'maxTools' | 'maxDescription'>
  /**
   * `auto` has the provider hold the model to the schemas, if every tool of the request can be said without a loss: providers
   * want all or none. Default `off`.
   */
  readonly strict?: 'off' | 'auto'
}

/** Most characters of all definitions of one request, about. */
const MAX_OFFER_UNITS: number = 16 * 1024 * 1024
/** Longest description of a tool where the model's maker names none, in UTF-16 units. */
const MAX_DESCRIPTION = 4_096
/** Dialects and limits for which what is made of tools is kept. */
const MAX_WAYS = 32
/** Tools whose tokens are estimated; the others are taken to be like them. */
const WEIGHED = 250

interface GatherOptions {
  readonly strict?: boolean
  readonly notStrict?: readonly LeftOutTool[]
}

/** What became of one tool. */
type Made =
  | { readonly kind: 'offered'; readonly offered: OfferedTool; readonly units: number }
  | { readonly kind: 'left-out'; readonly reason: string }

/** What was made of each tool that a host still has, by what it was made for: conversations of one model share it. */
const made = new Map<string, WeakMap<HostTool, Made>>()

/** Makes offers for one model. */
export class ToolOffer {
  readonly #options: ToolOfferOptions
  #given: readonly HostTool[] = []
  #last: OfferedTools | undefined

  constructor(options: ToolOfferOptions) {
    this.#options = options
  }

  /** The offer for a list of tools. Tools that are held are left out. Never throws. */
  of(tools: readonly HostTool[]): OfferedTools {
    const before = this.#last
    if (before !== undefined && areSame(this.#given, tools)) {
      this.#given = tools
      return before
    }
    const offer = this.#options.strict === 'auto' ? this.#strictly(tools) : this.#gather(tools)
    this.#given = tools
    this.#last = offer
    return offer
  }

  /** The offer by which a provider holds the model to the schemas, where that is possible with all of them. */
  #strictly(tools: readonly HostTool[]): OfferedTools {
    const offer = this.#gather(tools, { strict: true })
    const notStrict = [...offer.byName].flatMap(([alias, { projection }]) =>
      projection.notStrict === undefined ? [] : [{ alias, reason: projection.notStrict }],
    )
    return notStrict.length === 0 ? offer : this.#gather(tools, { notStrict })
  }

  #gather(
    tools: readonly HostTool[],
    { strict = false, notStrict = [] }: GatherOptions = {},
  ): OfferedTools {
    const ways = madeFor(keyOf(this.#options, strict))
    const shown: ModelTool[] = []
    const byName = new Map<string, OfferedTool>()
    const leftOut: LeftOutTool[] = []
    let units = 0
    for (const tool of tools) {
      const { alias } = tool
      const one = madeOf(tool, ways, () => makeOne(tool, this.#options, strict))
      const reason = byName.has(alias)
        ? 'Another tool has its name.'
        : this.#whyNot(one, shown.length, units)
      if (one.kind === 'left-out' || reason !== undefined) {
        leftOut.push({ alias, reason: reason ?? '' })
        continue
      }
      units += one.units
      shown.push(one.offered.shown)
      byName.set(alias, one.offered)
    }
    return offerOf(shown, { byName, leftOut, notStrict })
  }

  /** Why a tool has no place behind so many others. */
  #whyNot(made: Made, count: number, units: number): string | undefined {
    if (made.kind === 'left-out') return made.reason
    const { maxTools } = this.#options.traits
    if (maxTools !== undefined && count >= maxTools)
      return `The model takes at most ${maxTools} tools.`
    const isFull = units + made.units > MAX_OFFER_UNITS
    return isFull ? 'The definitions before it fill the request.' : undefined
  }
}

function keyOf(
  { dialect, traits: { maxDescription = MAX_DESCRIPTION } }: ToolOfferOptions,
  strict: boolean,
): string {
  return `${dialect} ${maxDescription} ${strict}`
}

/** What becomes of a tool, taken from before where it was made for the same. */
function madeOf(tool: HostTool, ways: WeakMap<HostTool, Made>, make: () => Made): Made {
  const known = ways.get(tool)
  if (known !== undefined) return known
  const one = make()
  ways.set(tool, one)
  return one
}

/** What was made for the same models. They are few: more than that is somebody's loop, and nothing is kept for it. */
function madeFor(key: string): WeakMap<HostTool, Made> {
  const known = made.get(key)
  if (known !== undefined) return known
  const ways = new WeakMap<HostTool, Made>()
  if (made.size < MAX_WAYS) made.set(key, ways)
  return ways
}

function areSame(before: readonly HostTool[], now: readonly HostTool[]): boolean {
  if (before === now) return true
  return before.length === now.length && now.every((tool, at) => tool === before[at])
}

function offerOf(
  tools: readonly ModelTool[],
  facts: Pick<OfferedTools, 'byName' | 'leftOut' | 'notStrict'>,
): OfferedTools {
  let tokens: number | undefined
  return {
    tools,
    ...facts,
    get tokens() {
      tokens ??= tokensOf(tools)
      return tokens
    },
  }
}

function tokensOf(tools: readonly ModelTool[]): number {
  const step = Math.max(1, Math.ceil(tools.length / WEIGHED))
  const weighed = tools.filter((_, at) => at % step === 0)
  const tokens = weighed.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool)), 0)
  return weighed.length === 0 ? 0 : Math.ceil((tokens / weighed.length) * tools.length)
}

function makeOne(tool: HostTool, { dialect, traits }: ToolOfferOptions, strict: boolean): Made {
  if (tool.held !== undefined)
    return { kind: 'left-out', reason: `It is held back: ${tool.held.reason}` }
  if (!isName(tool.alias, dialect))
    return { kind: 'left-out', reason: 'The model takes no tool of this name.' }
  const projected = projectSchema(tool.inputSchema, dialect, { strict })
  if (projected.kind === 'refused')
    return { kind: 'left-out', reason: `Its schema cannot be offered: ${projected.reason}.` }
  const { projection } = projected
  const description = toldOf(tool)
  const most = Math.min(traits.maxDescription ?? MAX_DESCRIPTION, MAX_DESCRIPTION)
  const isCut = description !== undefined && description.length > most
  const shown = modelTool(tool.alias, isCut ? cut(description, most) : description, projection)
  const losses = isCut
    ? [cutLoss(description.length, most), ...projection.losses]
    : projection.losses
  const units = Math.min(description?.length ?? 0, most) + projection.units
  return { kind: 'offered', offered: { tool, shown, projection, losses }, units }
}

function modelTool(
  name: string,
  description: string | undefined,
  { parameters, strict }: Projection,
): ModelTool {
  const shown = description === undefined ? { name, parameters } : { name, description, parameters }
  return strict ? { ...shown, strict } : shown
}

/** What a tool says of itself; its title where it says nothing. */
function toldOf({ description, title }: HostTool): string | undefined {
  return description === undefined || description.trim() === '' ? title : description
}

function cut(text: string, most: number): string {
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function cutLoss(length: number, most: number): Loss {
  const message = `The description of the tool has ${length} characters and is cut to ${most}.`
  return { pointer: '', keyword: 'description', kind: 'cut', message }
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const GEMINI_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

function isName(alias: string, dialect: SchemaDialect): boolean {
  return (dialect === 'gemini' ? GEMINI_NAME : NAME).test(alias)
}
