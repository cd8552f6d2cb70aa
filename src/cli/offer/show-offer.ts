/** Shows tools as one kind of provider gets them: the JSON of the request as the result, what was lost on the way beside it. */

import { contextIn } from '../../agent/providers.ts'
import {
  TOOL_FORMS,
  toolRequest,
  type ToolForm,
  type ToolRequest,
} from '../../agent/tool-requests.ts'
import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { HostTool } from '../../host/host-tool.ts'
import type { ServerStatus } from '../../host/state.ts'
import type { Invocation } from '../invocation.ts'
import type { OfferWords } from '../messages/offer-words.ts'
import { statusRecord } from '../status-lines.ts'

export interface OfferOptions {
  /** One of `TOOL_FORMS`, as typed. */
  readonly for?: string
  readonly strict?: boolean
  readonly schemas?: boolean
}

export interface OfferWish {
  readonly form: ToolForm
  readonly strict: boolean
}

/** Losses that are told of one tool on a terminal, and tools of which any are told. */
const TOLD_LOSSES = 5
const TOLD_TOOLS = 40

/** What was asked for; nothing where the tools are just to be listed. Throws `UsageError`. */
export function offerWishOf(
  { messages }: Invocation,
  { for: form, strict = false, schemas }: OfferOptions,
  words: OfferWords,
): OfferWish | undefined {
  if (form === undefined) {
    if (strict) throw new UsageError(words.onlyWithFor('--strict'))
    return undefined
  }
  const known = TOOL_FORMS.find((one) => one === form)
  if (known === undefined)
    throw new UsageError(messages.faults.badChoice('--for', terminalText(form), TOOL_FORMS))
  if (schemas === true) throw new UsageError(words.notWithFor('--schemas'))
  return { form: known, strict }
}

export interface Offer {
  readonly tools: readonly HostTool[]
  readonly wish: OfferWish
  readonly words: OfferWords
  /** Servers that could not be asked. */
  readonly away?: readonly ServerStatus[]
}

export function showOffer(invocation: Invocation, { tools, wish, words, away }: Offer): void {
  const { output, json, mask, env } = invocation
  const request = toolRequest(tools, wish.form, { strict: wish.strict, window: contextIn(env) })
  if (json) {
    output.json(
      mask.json({ ...recordOf(request, wish), ...(away && { notReady: away.map(statusRecord) }) }),
    )
    return
  }
  if (request.tools !== undefined) output.json(mask.json(request.tools))
  for (const line of remarks(request, wish, words)) output.note(mask.text(line))
}

function recordOf(
  { offered, tools, strict, notStrict, deferred }: ToolRequest,
  { form }: OfferWish,
): object {
  const losses = [...offered.byName].flatMap(([alias, one]) =>
    one.losses.map((loss) => ({ alias, ...loss })),
  )
  return {
    for: form,
    tools: tools ?? [],
    strict,
    tokens: offered.tokens,
    losses,
    leftOut: offered.leftOut,
    notStrict,
    deferred,
  }
}

function remarks(request: ToolRequest, { form }: OfferWish, words: OfferWords): readonly string[] {
  const { offered, strict, notStrict, deferred } = request
  const lossy = [...offered.byName].filter(([, { losses }]) => losses.length > 0)
  const lost = lossy.slice(0, TOLD_TOOLS).flatMap(([alias, { losses }]) => {
    const shown = terminalText(alias)
    const told = losses.slice(0, TOLD_LOSSES).map((loss) => {
      const [pointer, keyword, message] = [loss.pointer, loss.keyword, loss.message].map(
        terminalText,
      )
      return words.lost(shown, {
        kind: loss.kind,
        pointer: pointer ?? '',
        keyword: keyword ?? '',
        message: message ?? '',
      })
    })
    const more = losses.length - told.length
    return more > 0 ? [...told, words.moreLost(shown, more)] : told
  })
  const others = lossy.length - TOLD_TOOLS
  const [first] = notStrict
  return [
    ...lost,
    ...(others > 0 ? [words.moreTools(others)] : []),
    ...offered.leftOut.map(({ alias, reason }) =>
      words.leftOut(terminalText(alias), terminalText(reason)),
    ),
    ...(first === undefined
      ? []
      : [words.notStrict(terminalText(first.alias), terminalText(first.reason))]),
    words.offered(offered.tools.length, form, offered.tokens),
    ...(strict ? [words.isStrict] : []),
    ...(deferred ? [words.deferred] : []),
  ]
}
