/** 按英文句子认出来的中文：有些话只有英文的句子，别无依据。 */

type Say = (...values: readonly string[]) => string
/** A sentence as it stands in the code that says it, `*` for what it is filled with; and the Chinese of it, with the same. */
export type Sentence = readonly [english: string, say: Say]

/** Longer ones are looked at by nobody: the names in them are short. */
const MAX_MESSAGE = 2_000

/** 一个英文句子的中文；表里没有时为 undefined。 */
export function said(sentences: readonly Sentence[], message: string): string | undefined {
  if (message.length > MAX_MESSAGE) return undefined
  for (const [english, say] of sentences) {
    const found = patternOf(english).exec(message)
    if (found !== null) return say(...found.slice(1))
  }
  return undefined
}

/** Each blank takes as little as it can: what is filled in first is a name or a number. */
function patternOf(english: string): RegExp {
  const parts = english.split('*').map((part) => part.replaceAll(/[.?()[\]{}|^$+\\/]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.*?)')}$`, 's')
}
