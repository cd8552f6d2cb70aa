/**
 * What a model is told of a call that came to no result: what failed, whose words that are, and what is to be known before it is made
 * again. Whether the call may be made is not decided here.
 */

import {
  PolicyError,
  SchemaError,
  TimeoutError,
  TransportError,
  UsageError,
} from '../base/errors.ts'
import { markForModel } from '../policy/shown.ts'
import { cutText, type CallPlan } from './call-plan.ts'
import { errorLead } from './results.ts'
import { framedText } from './results-frame.ts'
import { joinLines } from './results-layout.ts'

/** What the model is told of a call that has no result. Errors may quote a server. */
export function failureText(
  error: Error,
  plan: CallPlan,
  { broken, provenance }: { readonly broken: string | undefined; readonly provenance: boolean },
): { readonly text: string; readonly frameMark?: string } {
  const { alias } = plan.call
  const message = cutText(markForModel(error.message))
  if (error instanceof PolicyError) return { text: `${message} ${NO_WAY_AROUND}` }
  if (error instanceof UsageError) return { text: message }
  if (broken !== undefined) return { text: broken }
  const framed = provenance ? framedText(message, giverOf(plan)) : undefined
  const lead = errorLead(alias, framed)
  if (framed === undefined) return { text: `${lead}${message}${doubtOf(error)}` }
  return {
    text: joinLines([`${lead}${framed.text}`, doubtOf(error).trim()]),
    frameMark: framed.mark,
  }
}

/** Behind each refusal: a model that is eager finds another tool for the same. */
const NO_WAY_AROUND = 'Do not try to get around it.'

/** Errors of a connection say it themselves. */
const DOUBT = 'took effect is not known'

/** Whose text a result is: that of a server by its key, or of a tool of the program. What was read is of the server that it was read from. */
export function giverOf(plan: CallPlan): string {
  const { server, alias } = plan.call
  if (plan.kind !== 'run' || plan.tool.readsResources !== true) return server ?? alias
  const { server: asked } = plan.args
  return typeof asked === 'string' ? asked : alias
}

/** What is to be known before a call is made again. */
function doubtOf(error: Error): string {
  if (error instanceof SchemaError || error.message.includes(DOUBT)) return ''
  const sent =
    error instanceof TransportError || error instanceof TimeoutError ? error.sent : undefined
  if (sent === 'no') return ' Nothing was sent.'
  return error instanceof TransportError || error instanceof TimeoutError
    ? ' Whether the call took effect is not known.'
    : ''
}
