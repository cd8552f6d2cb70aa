/** Types as text put together to larger ones, with parentheses where they are needed. */

/** A type and how its text is held together. */
export interface TypeText {
  readonly text: string
  readonly joint: 'none' | 'or' | 'and'
}

export const UNKNOWN: TypeText = { text: 'unknown', joint: 'none' }
export const NEVER: TypeText = { text: 'never', joint: 'none' }

export function simple(text: string): TypeText {
  return { text, joint: 'none' }
}

/** Either of them. Of none, no value is. */
export function union(types: readonly TypeText[]): TypeText {
  if (types.some(({ text }) => text === UNKNOWN.text)) return UNKNOWN
  const texts = new Map(types.map((type) => [type.text, type]))
  texts.delete(NEVER.text)
  const [first] = texts.values()
  if (first === undefined) return NEVER
  return texts.size === 1 ? first : { text: [...texts.keys()].join(' | '), joint: 'or' }
}

/** All of them at once. Of none, any value is. */
export function intersection(types: readonly TypeText[]): TypeText {
  if (types.some(({ text }) => text === NEVER.text)) return NEVER
  const texts = new Map(types.map((type) => [type.text, type]))
  texts.delete(UNKNOWN.text)
  const [first] = texts.values()
  if (first === undefined) return UNKNOWN
  if (texts.size === 1) return first
  const parts = [...texts.values()].map((type) =>
    type.joint === 'or' ? enclosed(type) : type.text,
  )
  return { text: parts.join(' & '), joint: 'and' }
}

/** The text where something is written right behind it. */
export function enclosed({ text, joint }: TypeText): string {
  return joint === 'none' ? text : `(${text})`
}
