/**
 * A session that is taken up again goes on with the model that it was held with: what is kept of it is filled in, and what is
 * another one than before is told. What is given now wins: an option, or a variable that is another one than it was. Pure.
 */

import { providerOf } from '../agent/provider-table.ts'
import { contextIn } from '../agent/providers.ts'
import { shownAddress } from '../agent/refused-key.ts'
import { MODEL_VARIABLES, type KeptModel, type ModelVariable } from './agent-kept.ts'
import type { AgentCommandOptions } from './agent-options.ts'
import type { SecretMask } from './secrets.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** A session's model: its label, and how it is asked. */
export interface AskedModel {
  /** As `deepseek:deepseek-flash`; empty where it is not known. */
  readonly model: string
  readonly kept: KeptModel | undefined
}

/** An option, by its flag, with its value as it is typed; no value for one that takes none. */
export interface ModelSetting {
  readonly option: string
  readonly value?: string
}

/** An option that is another one than before; undefined where it was not, or is not, given. */
export interface ModelChange {
  readonly option: string
  readonly was: string | undefined
  readonly now: string | undefined
}

/** What a session that is taken up again goes on with. */
export interface ResumedModel {
  /** Options that nobody gave now, the model's name apart. */
  readonly asBefore: readonly ModelSetting[]
  readonly changed: readonly ModelChange[]
}

/** What of these options is kept. */
export function keptModel(
  { baseUrl, insecureHttp, stream, context, effort, maxOutput }: AgentCommandOptions,
  env: Variables,
  mask: Pick<SecretMask, 'text'>,
): KeptModel {
  const address = said(baseUrl) ?? said(env['DEEP_PILOT_BASE_URL'])
  const window = context ?? contextIn(env)
  const set = MODEL_VARIABLES.flatMap((name) => {
    const value = variableOf(name, env)
    return value === undefined ? [] : [[name, mask.text(value)] as const]
  })
  return {
    ...(address !== undefined && keptAddress(address, mask)),
    ...(insecureHttp === true && { insecureHttp }),
    ...(stream === false && { stream }),
    ...(window !== undefined && { context: window }),
    ...(effort !== undefined && { effort }),
    ...(maxOutput !== undefined && { maxOutput }),
    ...(set.length > 0 && { variables: Object.fromEntries(set) }),
  }
}

/** The options with what is kept in place of what nobody gives now. */
export function filledIn(
  options: AgentCommandOptions,
  { model, kept = {} }: AskedModel,
  env: Variables,
): AgentCommandOptions {
  const isGiven = (name: ModelVariable): boolean => {
    const now = variableOf(name, env)
    return now !== undefined && now !== kept.variables?.[name]
  }
  const givenModel =
    said(options.model) ?? (isGiven('DEEP_PILOT_MODEL') ? said(env['DEEP_PILOT_MODEL']) : undefined)
  const spec = givenModel ?? said(model)
  const givenAddress =
    said(options.baseUrl) ??
    (isGiven('DEEP_PILOT_BASE_URL') ? said(env['DEEP_PILOT_BASE_URL']) : undefined)
  const mayFill =
    givenAddress === undefined && kept.isCut !== true && isSamePlace(givenModel, model)
  const baseUrl = mayFill ? kept.baseUrl : undefined
  const address = givenAddress ?? baseUrl
  const isServer =
    address !== undefined && kept.isCut !== true && shownAddress(address) === kept.baseUrl
  const isModel = givenModel === undefined || labels(givenModel).includes(model)
  const { insecureHttp, stream } = isServer ? kept : {}
  const { context, effort, maxOutput } = isModel ? kept : {}
  return {
    ...options,
    ...(options.model === undefined && spec !== undefined && { model: spec }),
    ...(options.baseUrl === undefined && baseUrl !== undefined && { baseUrl }),
    ...(options.insecureHttp === undefined && insecureHttp === true && { insecureHttp }),
    ...(stream === false && { stream }),
    ...(options.context === undefined &&
      !isGiven('DEEP_PILOT_CONTEXT') &&
      context !== undefined && { context }),
    ...(options.effort === undefined && effort !== undefined && { effort }),
    ...(options.maxOutput === undefined && maxOutput !== undefined && { maxOutput }),
  }
}

/** What was filled in, and what is another one than before. */
export function resumedModel(
  given: AgentCommandOptions,
  filled: AgentCommandOptions,
  { before, now }: { readonly before: AskedModel; readonly now: AskedModel },
): ResumedModel {
  const asBefore = SETTINGS.flatMap(({ option, member, valueOf }): readonly ModelSetting[] => {
    if (member === undefined || given[member] === filled[member]) return []
    const value = valueOf(now)
    return [{ option, ...(value !== undefined && value !== '' && { value }) }]
  })
  // Of a session of before there was anything kept, nothing is known to compare with but the name.
  const compared = before.kept === undefined ? SETTINGS.slice(0, 1) : SETTINGS
  const changed = compared.flatMap(({ option, valueOf }): readonly ModelChange[] => {
    const [was, is] = [valueOf(before), valueOf(now)]
    return was === is || before.model === '' ? [] : [{ option, was, now: is }]
  })
  return { asBefore, changed }
}

interface Setting {
  readonly option: string
  /** Undefined for what is told anyway. */
  readonly member?: keyof AgentCommandOptions
  /** Empty for one that takes no value; undefined where it is not given. */
  readonly valueOf: (asked: AskedModel) => string | undefined
}

const SETTINGS: readonly Setting[] = [
  { option: '--model', valueOf: ({ model }) => model },
  { option: '--base-url', member: 'baseUrl', valueOf: ({ kept }) => kept?.baseUrl },
  {
    option: '--insecure-http',
    member: 'insecureHttp',
    valueOf: ({ kept }) => (kept?.insecureHttp === true ? '' : undefined),
  },
  {
    option: '--no-stream',
    member: 'stream',
    valueOf: ({ kept }) => (kept?.stream === false ? '' : undefined),
  },
  { option: '--context', member: 'context', valueOf: ({ kept }) => numberText(kept?.context) },
  { option: '--effort', member: 'effort', valueOf: ({ kept }) => kept?.effort },
  {
    option: '--max-output',
    member: 'maxOutput',
    valueOf: ({ kept }) => numberText(kept?.maxOutput),
  },
]

/** Whether the address of before is one for what is named now: a name alone is one at an address, a provider may have its own. */
function isSamePlace(spec: string | undefined, before: string): boolean {
  const provider = spec === undefined ? undefined : providerOf(firstPart(spec))
  return provider === undefined || provider.name === firstPart(before)
}

/** The labels that words for a model can come to. */
function labels(spec: string): readonly string[] {
  return [spec, `compatible:${spec}`]
}

function firstPart(spec: string): string {
  return spec.split(':', 1)[0] ?? ''
}

function keptAddress(
  address: string,
  mask: Pick<SecretMask, 'text'>,
): Pick<KeptModel, 'baseUrl' | 'isCut'> {
  const baseUrl = mask.text(shownAddress(address))
  const isWhole =
    URL.canParse(address) && new URL(address).href.replace(/\/$/, '') === baseUrl.replace(/\/$/, '')
  return { baseUrl, ...(!isWhole && { isCut: true as const }) }
}

/** As it is compared: an address without what is not kept of it. */
function variableOf(name: ModelVariable, env: Variables): string | undefined {
  const value = said(env[name])
  return value === undefined || name !== 'DEEP_PILOT_BASE_URL' ? value : shownAddress(value)
}

/** Undefined for what is blank: an empty variable says nothing. */
function said(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}

function numberText(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}
