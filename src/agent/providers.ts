/**
 * From a few words, as `deepseek` or `ollama:qwen3:8b`, and the environment to a model that is ready to be asked.
 *
 * A key goes to the provider that it is for and to nobody else: an address of one's own gets the key that was given for it, or
 * none. Nothing here reads a file or opens a connection.
 */

import type { Clock, Random } from '../base/clock.ts'
import { ModelError, UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { HttpExchange } from '../transport/http/exchange.ts'
import type { Model } from './model.ts'
import { MODEL_FACTS } from './model-data.ts'
import { knownOf, usualModelOf, type KnownModel, type ModelFactTable } from './model-facts.ts'
import type { LearnedWindow } from './models/asked-window.ts'
import { modelAt, type ModelLimits } from './models/post.ts'
import { PROVIDER_NAMES, providerOf, type Provider } from './provider-table.ts'
import { namingItsKey, shownAddress } from './refused-key.ts'

/** The model, when none is named. */
const MODEL_VARIABLE = 'DEEP_PILOT_MODEL'
/** The address, for whatever model is named. */
const BASE_URL_VARIABLE = 'DEEP_PILOT_BASE_URL'
/** The key for that address. */
const KEY_VARIABLE = 'DEEP_PILOT_API_KEY'
/** The window of the model in tokens, whichever it is. */
const CONTEXT_VARIABLE = 'DEEP_PILOT_CONTEXT'
/** The provider when nothing is said. */
const USUAL_PROVIDER = 'deepseek'
/** The provider at an address of which only the model is named. */
const ADDRESS_PROVIDER = 'compatible'

export interface ModelOptions {
  /** Variables of the environment: keys, and what stands for options that are not given. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly exchange: HttpExchange
  /** Goes before `DEEP_PILOT_BASE_URL`. Default: the provider's own. */
  readonly baseUrl?: string | undefined
  /** Allows an address of plain `http:` beyond this machine, where anybody on the way reads the key and all that is said. Default false. */
  readonly insecureHttp?: boolean
  /**
   * The window of the model in tokens, prompt and reply together. Ollama is asked for one of this size, others are not sent more.
   * Default: what `DEEP_PILOT_CONTEXT` says, else what is known.
   */
  readonly contextTokens?: number | undefined
  /** What is known of models. Default: the table of the program. */
  readonly facts?: ModelFactTable
  readonly limits?: Partial<ModelLimits>
  readonly clock?: Clock
  readonly random?: Random
}

export interface FoundModel {
  readonly model: Model
  /** Keys that are in use: no output may hold them. */
  readonly secrets: readonly string[]
  /** The variable that the key came from; undefined where there is none. */
  readonly keyVariable: string | undefined
  /** Whether it is on this machine. */
  readonly local: boolean
}

/** Where a model is, and who is asked for it. No secrets. */
export interface ModelPlace {
  readonly provider: string
  readonly name: string
  readonly baseUrl: string
  /** The variables of which one must hold the key; empty where none is needed. */
  readonly keyVariables: readonly string[]
}

/**
 * The model that `spec` names: a provider, `provider:NAME`, or at an address of one's own just `NAME`. Default: what
 * `DEEP_PILOT_MODEL` says, else DeepSeek's usual one. Throws `UsageError` for words that name nothing and addresses that are
 * not allowed, and `DP_MODEL_KEY` naming the variables where a key is missing.
 */
export function modelOf(spec: string | undefined, options: ModelOptions): FoundModel {
  const { env, exchange, limits, clock, random } = options
  const { provider, name, baseUrl, keyVariables } = find(spec, options)
  const window = options.contextTokens ?? contextIn(env)
  const inTable = knownOf({ provider: provider.name, name }, options.facts ?? MODEL_FACTS)
  const learned: LearnedWindow = { tokens: window ?? inTable.window }
  const known: KnownModel = {
    ...inTable,
    get window() {
      return learned.tokens
    },
  }
  const { windowWays: ways, cutsSilently = false } = provider
  const keyVariable = keyVariables.find((variable) => said(env[variable]) !== undefined)
  const key = keyVariable === undefined ? undefined : said(env[keyVariable])
  if (key === undefined && isKeyNeeded(provider, baseUrl)) throw noKey(provider, keyVariables)
  const model = modelAt(
    {
      provider: provider.name,
      baseUrl,
      key,
      keyHeader: key === undefined ? 'none' : provider.keyHeader,
      ...(provider.headers !== undefined && { headers: provider.headers }),
      codec: provider.codec(name, known, baseUrl),
      exchange,
      ...(limits !== undefined && { limits }),
      ...(clock !== undefined && { clock }),
      ...(random !== undefined && { random }),
    },
    {
      name,
      dialect: provider.dialect,
      traits: {
        ...provider.traits(name, known),
        get window() {
          return learned.tokens
        },
      },
      namesPath: provider.namesPath,
      ...(ways !== undefined && { window: { learned, ways, cutsSilently } }),
    },
  )
  const [variable = KEY_VARIABLE] = keyVariables
  return {
    model: namingItsKey(model, {
      address: baseUrl === provider.baseUrl ? undefined : shownAddress(baseUrl),
      variable: keyVariable ?? variable,
      sent: key !== undefined,
    }),
    secrets: key === undefined ? [] : [key],
    keyVariable,
    local: URL.canParse(baseUrl) && isThisMachine(new URL(baseUrl).hostname),
  }
}

/** The same, without the key being there, for people: what would be asked, and which variables would have the key. */
export function placeOf(spec: string | undefined, options: PlaceOptions): ModelPlace {
  const { provider, name, baseUrl, keyVariables } = find(spec, options)
  return {
    provider: provider.name,
    name,
    baseUrl,
    keyVariables: isKeyNeeded(provider, baseUrl) ? keyVariables : [],
  }
}

/** The window that the environment names for whatever model is asked. Throws `UsageError` for what is no number of tokens. */
export function contextIn(env: ModelOptions['env']): number | undefined {
  const words = said(env[CONTEXT_VARIABLE])
  if (words === undefined) return undefined
  const tokens = tokensIn(words)
  if (tokens !== undefined) return tokens
  const value = words.slice(0, 100)
  throw new UsageError(
    `${CONTEXT_VARIABLE} cannot be "${terminalText(value)}". Give the window of the model as a whole number of tokens, as in 32768.`,
    { detail: { kind: 'model-bad-context', variable: CONTEXT_VARIABLE, value } },
  )
}

/** A number of tokens as it is written, from 1; undefined for anything else. */
export function tokensIn(words: string): number | undefined {
  const tokens = /^\d{1,12}$/.test(words) ? Number(words) : 0
  return tokens > 0 ? tokens : undefined
}

type PlaceOptions = Pick<ModelOptions, 'env' | 'baseUrl' | 'insecureHttp' | 'facts'>

interface Found {
  readonly provider: Provider
  readonly name: string
  readonly baseUrl: string
  /** Where the key for this address may stand, the first that is set counts. */
  readonly keyVariables: readonly string[]
}

function find(spec: string | undefined, options: PlaceOptions): Found {
  const { env } = options
  const given = said(options.baseUrl) ?? said(env[BASE_URL_VARIABLE])
  const words = said(spec) ?? said(env[MODEL_VARIABLE]) ?? USUAL_PROVIDER
  const { provider, name } = named(words, given !== undefined, options.facts ?? MODEL_FACTS)
  const baseUrl = given ?? provider.baseUrl
  if (baseUrl === undefined)
    throw new UsageError(
      `"${provider.name}" is no place: give its address with --base-url or ${BASE_URL_VARIABLE}.`,
      {
        detail: { kind: 'model-no-place', provider: provider.name, variable: BASE_URL_VARIABLE },
      },
    )
  checkScheme(baseUrl, options.insecureHttp === true)
  return { provider, name, baseUrl, keyVariables: keyVariablesOf(provider, baseUrl) }
}

/** A part before the first colon that is no provider belongs to the name, as in `qwen3:8b`. */
function named(
  words: string,
  hasAddress: boolean,
  facts: ModelFactTable,
): { provider: Provider; name: string } {
  const colon = words.indexOf(':')
  const first = colon < 0 ? words : words.slice(0, colon)
  const known = providerOf(first)
  if (known === undefined) {
    const provider = hasAddress ? providerOf(ADDRESS_PROVIDER) : undefined
    if (provider !== undefined) return { provider, name: words }
    throw new UsageError(
      `"${terminalText(words.slice(0, 100))}" names no model. Write one of ${PROVIDER_NAMES.join(', ')} with a colon and the name of the model behind it, as in "openai:NAME"; "deepseek" alone will do; or give the address of a server with --base-url.`,
      {
        detail: { kind: 'model-unknown', words: words.slice(0, 100), providers: PROVIDER_NAMES },
      },
    )
  }
  const name = colon < 0 ? usualModelOf(known.name, facts) : said(words.slice(colon + 1))
  if (name === undefined)
    throw new UsageError(
      `"${known.name}" is a provider and no model: write "${known.name}:NAME" with the name of the model.`,
      { detail: { kind: 'model-unnamed', provider: known.name } },
    )
  return { provider: known, name }
}

/** A variable for one provider is not read for another place. */
function keyVariablesOf(provider: Provider, baseUrl: string): readonly string[] {
  const own = provider.keyVariable
  const isHome = own !== undefined && isSameOrigin(baseUrl, provider.baseUrl)
  return isHome ? [own] : [KEY_VARIABLE]
}

function isKeyNeeded(provider: Provider, baseUrl: string): boolean {
  return provider.keyVariable !== undefined && isSameOrigin(baseUrl, provider.baseUrl)
}

function isSameOrigin(one: string, other: string | undefined): boolean {
  if (other === undefined || !URL.canParse(one)) return false
  return new URL(one).origin === new URL(other).origin
}

/** What is no URL at all is told where it is used. */
function checkScheme(baseUrl: string, insecureHttp: boolean): void {
  if (insecureHttp || !URL.canParse(baseUrl)) return
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol !== 'http:' || isThisMachine(hostname)) return
  throw new UsageError(
    `The base URL of the model is plain http: to ${hostname}: anybody on the way could read and change all that is said. Use https:, or allow it with --insecure-http.`,
    { detail: { kind: 'model-plain-http', host: hostname } },
  )
}

/** Names and numbers that never leave the machine. RFC 6761 §6.3, RFC 1122 §3.2.1.3 */
function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]') return true
  return /^127\.\d+\.\d+\.\d+$/.test(host)
}

function noKey({ name }: Provider, variables: readonly string[]): ModelError {
  return new ModelError(
    'DP_MODEL_KEY',
    `There is no key for ${name}. Put it into the variable ${variables.join(' or ')}.`,
    { provider: name, detail: { kind: 'model-no-key', variables } },
  )
}

/** Undefined for what is blank: an empty variable says nothing. */
function said(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}
