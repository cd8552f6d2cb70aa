/**
 * Finds tool calls that a model or its server wrote into the text of a reply instead of its calls.
 *
 * It only finds: what stands in a text may be a quotation, so nothing of it is ever called.
 */

/** How models mark calls in their own token streams. The bar of the first ones is U+FF5C, their low line U+2581. */
const MARKS: readonly string[] = [
  '<\uff5cDSML\uff5c',
  '<|DSML|',
  '<\uff5ctool\u2581calls\u2581begin\uff5c>',
  '<\uff5ctool\u2581call\u2581begin\uff5c>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_begin|>',
  '<|python_tag|>',
  '<tool_call>',
  '<function_calls>',
  '<invoke name=',
  '<function=',
  '[TOOL_CALLS]',
]

export interface LeakedCall {
  /** What gave it away. */
  readonly mark: string
  /** Where it begins, in UTF-16 units. */
  readonly at: number
}

/** The first mark of a call in a text. Linear in it. */
export function leakedCall(text: string): LeakedCall | undefined {
  let first: LeakedCall | undefined
  for (const mark of MARKS) {
    const at = text.indexOf(mark)
    if (at >= 0 && (first === undefined || at < first.at)) first = { mark, at }
  }
  return first
}
