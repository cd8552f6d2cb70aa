/** How a dialect says "or null". */

import { newPart, typesOf, withOwn, without, type Part } from './part.ts'
import type { Subset } from './rules.ts'

export function isNull(part: Part): boolean {
  const types = typesOf(part)
  return types?.length === 1 && types[0] === 'null'
}

/** Whether null fits a part that is in the words of the dialect already. */
export function acceptsNull(part: Part): boolean {
  if (part.own.get('nullable') === true || typesOf(part)?.includes('null') === true) return true
  return part.lists.get('anyOf')?.some(acceptsNull) === true
}

/** The part or null; without a part null alone. */
export function orNull(part: Part | undefined, at: string, { nullForm }: Subset): Part {
  const nothing = newPart(at, { own: new Map([['type', 'null']]) })
  if (nullForm === 'nullable') {
    const text = newPart(at, {
      own: new Map([
        ['type', 'string'],
        ['description', '(always null)'],
      ]),
    })
    return nullable(part ?? text)
  }
  if (part === undefined) return nothing
  const types = typesOf(part)
  const values = part.own.get('enum')
  if (nullForm === 'type-list' && types !== undefined)
    return withOwn(part, {
      type: [...types, 'null'],
      ...(Array.isArray(values) && { enum: [...values, null] }),
    })
  const listed = part.lists.get('anyOf')
  if (listed !== undefined)
    return { ...part, lists: new Map([...part.lists, ['anyOf', [...listed, nothing]]]) }
  const description = part.own.get('description')
  return newPart(at, {
    ...(description !== undefined && { own: new Map([['description', description]]) }),
    lists: new Map([['anyOf', [without(part, ['description']), nothing]]]),
  })
}

/** The word means something beside a type only; of alternatives one is enough. */
function nullable(part: Part): Part {
  const [first, ...others] = part.lists.get('anyOf') ?? []
  if (first === undefined || typesOf(part) !== undefined) return withOwn(part, { nullable: true })
  return { ...part, lists: new Map([...part.lists, ['anyOf', [nullable(first), ...others]]]) }
}
