/**
 * How many tokens a text will have, about: no tokenizer, only the rates that providers publish. Good enough to plan with; what was
 * really used, the provider tells.
 */

/** Tokens for one character of ASCII, and of anything else. */
const ASCII = 0.3
const OTHER = 0.6
/** Texts longer than this are judged by samples of it. */
const SAMPLED = 65_536

/** An estimate, rounded up; 0 for an empty text. Costs the same for any text beyond 64 Ki characters. */
export function estimateTokens(text: string): number {
  if (text.length <= SAMPLED) return Math.ceil(weigh(text))
  const half = SAMPLED / 2
  const sample = weigh(text.slice(0, half)) + weigh(text.slice(text.length - half))
  return Math.ceil((sample / SAMPLED) * text.length)
}

function weigh(text: string): number {
  let others = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > 127) others += 1
  }
  return (text.length - others) * ASCII + others * OTHER
}
