/**
 * The root of a schema of arguments as every dialect wants it: one object with members, no alternatives.
 *
 * Alternatives become the object that has the members of all of them, and what each needs is told in words.
 */

import { giveUp } from '../meter.ts'
import { neededInWords } from './alternatives.ts'
import type { LossList } from './loss.ts'
import { both, foldAll } from './merge.ts'
import {
  namesOf,
  newPart,
  typesOf,
  withOwn,
  without,
  writePart,
  type Part,
  type Unfolded,
} from './part.ts'
import type { Rules } from './rules.ts'
import { addToDescription } from './told.ts'

/** The root as an object. Throws a `SchemaError` with the reason when no arguments would fit. */
export function rootObject({ root, defs }: Unfolded, rules: Rules, losses: LossList): Part {
  let part = writtenOut(root, defs, losses)
  if (part.never) giveUp('no arguments fit it')
  const types = typesOf(part)
  if (types !== undefined && !types.includes('object'))
    giveUp(`it wants ${types.join(' or ')}, and arguments are always an object`)
  part = withOwn(part, { type: 'object' })
  if (rules.notAtRoot.includes('allOf')) part = foldAll(part, losses)
  for (const keyword of ['anyOf', 'oneOf'])
    if (rules.notAtRoot.includes(keyword)) part = oneObject(part, keyword, losses)
  // Several groups of alternatives met at the root.
  if (rules.notAtRoot.includes('allOf')) part = flattened(part, losses)
  for (const keyword of ['enum', 'const', 'not']) {
    if (!rules.notAtRoot.includes(keyword)) continue
    if (!part.own.has(keyword) && !part.one.has(keyword)) continue
    const message = `"${keyword}" cannot be said of arguments as a whole. It is checked before the call.`
    losses.add({ pointer: part.at, keyword, kind: 'dropped', message })
    part = without(part, [keyword])
  }
  if (part.never) giveUp('no arguments fit it')
  if (part.maps.has('properties')) return part
  return { ...part, maps: new Map([['properties', new Map<string, Part>()], ...part.maps]) }
}

const MAX_ROUNDS = 8

function flattened(part: Part, losses: LossList): Part {
  let whole = part
  for (let round = 0; whole.lists.has('allOf'); round += 1) {
    if (round >= MAX_ROUNDS) return without(whole, ['allOf', 'anyOf', 'oneOf'])
    whole = foldAll(whole, losses)
    for (const keyword of ['anyOf', 'oneOf']) whole = oneObject(whole, keyword, losses)
  }
  return whole
}

/** A root that is only a reference to a definition stands for that. */
function writtenOut(root: Part, defs: Unfolded['defs'], losses: LossList): Part {
  let part = root
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const reference = part.own.get('$ref')
    if (typeof reference !== 'string') return part
    const target = defs.get(reference.slice('#/$defs/'.length))
    const rest = without(part, ['$ref'])
    part = target === undefined ? rest : both(rest, target, losses)
  }
  return without(part, ['$ref'])
}

/** The object that has the members of all alternatives. */
function oneObject(part: Part, keyword: string, losses: LossList): Part {
  const alternatives = part.lists.get(keyword)
  if (alternatives === undefined) return part
  const base = without(part, [keyword])
  const objects = alternatives
    .map((one) => foldAll(one, losses))
    .filter((one) => !one.never && (typesOf(one)?.includes('object') ?? true))
    .map((one) => inner(one, losses))
  if (objects.length === 0) return giveUp('none of its alternatives is an object')
  const message = `Arguments cannot be alternatives: the members of all ${objects.length} are offered, and which go together is checked before the call.`
  losses.add({ pointer: base.at, keyword, kind: 'widened', message })
  const union = objects.length === 1 ? (objects[0] ?? newPart(part.at)) : unionOf(objects, part.at)
  const words = neededInWords(objects)
  const whole = both(base, withOwn(union, { type: undefined, description: undefined }), losses)
  return words === undefined ? whole : addToDescription(whole, [`Needs ${words}`])
}

/** Alternatives inside of an alternative. */
function inner(part: Part, losses: LossList): Part {
  return oneObject(oneObject(part, 'anyOf', losses), 'oneOf', losses)
}

function unionOf(objects: readonly Part[], at: string): Part {
  const members = new Map<string, Part[]>()
  for (const one of objects)
    for (const [name, member] of one.maps.get('properties') ?? [])
      members.set(name, [...(members.get(name) ?? []), member])
  const properties = new Map([...members].map(([name, parts]) => [name, anyOfParts(parts)]))
  const [first = [], ...others] = objects.map((one) => namesOf(one, 'required'))
  const required = first.filter((name) => others.every((names) => names.includes(name)))
  const isClosed = objects.every((one) => one.one.get('additionalProperties')?.never === true)
  const closing = objects[0]?.one.get('additionalProperties')
  return newPart(at, {
    ...(required.length > 0 && { own: new Map([['required', [...required]]]) }),
    ...(isClosed && closing !== undefined && { one: new Map([['additionalProperties', closing]]) }),
    maps: new Map([['properties', properties]]),
  })
}

/** A member that several alternatives have: one of what each says, said once. */
function anyOfParts(parts: readonly Part[]): Part {
  const different = [
    ...new Map(parts.map((part) => [JSON.stringify(writePart(part)), part])).values(),
  ]
  const [first, ...more] = different
  if (first === undefined) return newPart('')
  const merged = more.length === 0 ? first : mergedEnums(different)
  return merged ?? newPart(first.at, { lists: new Map([['anyOf', different]]) })
}

/** Values that tell alternatives apart, as `kind: "a"` and `kind: "b"`, in one list. */
function mergedEnums(parts: readonly Part[]): Part | undefined {
  const [first] = parts
  if (first === undefined) return undefined
  const values = parts.flatMap(({ own }) => {
    const listed = own.get('enum')
    const single = own.get('const')
    return Array.isArray(listed) ? listed : single === undefined ? [] : [single]
  })
  const isPlain = parts.every(
    (part) =>
      part.one.size + part.lists.size + part.maps.size === 0 &&
      (part.own.has('enum') || part.own.has('const')) &&
      [...part.own.keys()].every((keyword) =>
        ['enum', 'const', 'type', 'title', 'description', 'default'].includes(keyword),
      ) &&
      typesOf(part)?.join() === typesOf(first)?.join(),
  )
  if (!isPlain) return undefined
  const different = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
  return withOwn(first, { const: undefined, enum: different, default: undefined })
}
