/**
 * Whether the text of a reply is a call that a model or its server wrote there instead of making it. What stands as code is taken for a
 * quotation, so that a model may explain how calls are written. Pure; linear in the text.
 */

import { leakedCall, type LeakedCall } from './models/leaked-calls.ts'

/** A fence, also one without an end, and what stands in backticks on a line. */
const CODE = /```[\s\S]*?(?:```|$)|`{1,2}[^`\n]+`{1,2}/g

/** The first mark of a call that is not quoted. */
export function textLeak(text: string): LeakedCall | undefined {
  if (leakedCall(text) === undefined) return undefined
  return leakedCall(text.replace(CODE, (code) => ' '.repeat(code.length)))
}
