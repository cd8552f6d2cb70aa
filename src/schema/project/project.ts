/**
 * The schema of a tool's arguments as a model's provider takes it. Pure: no network, no clock, nothing kept.
 *
 * A projection is what the model sees. What it then writes is checked against the schema of the server, so that a condition that
 * is lost here is still kept. Texts are taken as they are: whoever shows them to a model has cleaned them before.
 */

import type { JsonObject } from '../../base/json.ts'
import { reasonOf } from '../reason.ts'
import { asIs } from './as-is.ts'
import type { SchemaDialect } from './dialect.ts'
import { giveUp } from '../meter.ts'
import { isLongerThan, MAX_BYTES } from './limits.ts'
import { lowerSchema } from './lower.ts'
import { LossList, type Loss } from './loss.ts'
import { NullPaths, withoutNulls } from './null-paths.ts'
import { fromEntries, writePart, type Part, type Unfolded } from './part.ts'
import { rootObject } from './root.ts'
import { rulesOf, strictRulesOf, type Rules } from './rules.ts'
import { hasTypedAlternatives, isWithinStrictLimits } from './strict-limits.ts'
import { tidy } from './tidy.ts'
import { unfold } from './unfold.ts'

export type { Loss } from './loss.ts'

export interface Projection {
  /** An object schema in the words of JSON Schema 2020-12. At most 64 KiB as JSON. */
  readonly parameters: JsonObject
  /** At most 100, the first ones. */
  readonly losses: readonly Loss[]
  /** The provider can hold the model to it, and the same arguments fit as before. Only where that was asked for. */
  readonly strict: boolean
  /** Why it is not `strict` though that was asked for. */
  readonly notStrict?: string
  /** Paths where null was added and means that the member is left out; `*` stands for every item. Empty unless `strict`. */
  readonly nulls: readonly (readonly string[])[]
  /** How long the parameters are as JSON, about. */
  readonly units: number
}

export type Projected =
  | { readonly kind: 'projection'; readonly projection: Projection }
  /** No useful schema can be made. `reason` completes "the schema cannot be offered: …" and may hold its text, escaped. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface ProjectOptions {
  /** Whether the provider is to hold the model to the schema, if that changes nothing of what fits. Default false. */
  readonly strict?: boolean
}

/**
 * Projects a schema. Never throws, whatever the schema is, and never follows a reference out of it. The result may share parts
 * with the schema: neither may be changed afterwards.
 */
export function projectSchema(
  schema: unknown,
  dialect: SchemaDialect,
  options: ProjectOptions = {},
): Projected {
  try {
    const rules = rulesOf(dialect)
    if (options.strict !== true) return { kind: 'projection', projection: project(schema, rules) }
    const strict = projectStrictly(schema, dialect)
    if (typeof strict !== 'string') return { kind: 'projection', projection: strict }
    return { kind: 'projection', projection: { ...project(schema, rules), notStrict: strict } }
  } catch (error) {
    return { kind: 'refused', reason: reasonOf(error) }
  }
}

/**
 * The arguments as the server is to get them: without the nulls that stand for members left out. The same object where there is
 * none of them.
 */
export function withoutSyntheticNulls(
  args: JsonObject,
  { nulls }: Pick<Projection, 'nulls'>,
): JsonObject {
  return nulls.length === 0 ? args : withoutNulls(args, nulls)
}

const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} }

const NONE: readonly never[] = []

function project(schema: unknown, rules: Rules): Projection {
  // No schema at all asks for nothing.
  const same = asIs(schema, rules)
  if (same === undefined) return projectSlowly(schema ?? true, rules).projection
  const { parameters, units } = same
  return { parameters, losses: NONE, strict: false, nulls: NONE, units }
}

interface Slowly {
  readonly projection: Projection
  /** The same arguments fit as before. */
  readonly isExact: boolean
}

function projectSlowly(schema: unknown, rules: Rules): Slowly {
  const losses = new LossList()
  const { subset } = rules
  const unfolded = unfold(schema, { losses, refs: rules.refs })
  const root = rootObject(unfolded, rules, losses)
  const nulls = new NullPaths()
  const found =
    subset === undefined
      ? tidied({ root, defs: unfolded.defs }, rules, losses)
      : lowerSchema({ root, defs: unfolded.defs }, { rules, subset, losses, nulls })
  const parameters = written(found.root, found.defs)
  const text = JSON.stringify(parameters)
  if (isLongerThan(text, MAX_BYTES)) giveUp('it is longer than 64 KiB')
  const units = text.length
  return {
    projection: { parameters, losses: losses.all, strict: false, nulls: nulls.added, units },
    isExact: losses.isExact,
  }
}

/** The projection to which the provider can hold a model, or why there is none. */
function projectStrictly(schema: unknown, dialect: SchemaDialect): Projection | string {
  const rules = strictRulesOf(dialect)
  if (rules === undefined) return 'For its provider there is no strict form of schemas here.'
  const { projection, isExact } = projectSlowly(schema ?? true, rules)
  if (isExact) {
    if (!isWithinStrictLimits(projection.parameters)) return 'It is too large.'
    const isTyped = rules.subset?.typedAlternatives !== true
    if (isTyped || hasTypedAlternatives(projection.parameters))
      return { ...projection, strict: true }
    return 'A part that contains itself is one of several alternatives, which cannot be said there.'
  }
  const { losses } = projection
  const loss = losses.find(({ kind }) => kind !== 'changed') ?? losses.at(0)
  const where =
    loss === undefined || loss.pointer === ''
      ? ''
      : `At ${JSON.stringify(loss.pointer.slice(0, 200))}: `
  return `${where}${loss?.message ?? 'Not all of it can be said.'}`
}

function tidied({ root, defs }: Unfolded, rules: Rules, losses: LossList): Unfolded {
  return {
    root: tidy(root, rules, losses),
    defs: new Map([...defs].map(([name, part]) => [name, tidy(part, rules, losses)])),
  }
}

function written(root: Part | undefined, defs: ReadonlyMap<string, Part>): JsonObject {
  if (root === undefined) return giveUp('no arguments fit it')
  // An object is written as one; the root was made one.
  const schema = { ...NO_ARGUMENTS, ...(writePart(root) as JsonObject) }
  if (defs.size === 0) return schema
  return { ...schema, $defs: fromEntries([...defs].map(([name, part]) => [name, writePart(part)])) }
}
