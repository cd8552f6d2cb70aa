/** Shows tools as one kind of provider gets them: the JSON of the request as the result, what was lost on the way beside it. */

import type { ModelFactTable } from '../../agent/model-facts.ts'
import { modelFactsOf } from '../../agent/node/models.ts'
import { contextIn, tokensIn } from '../../agent/providers.ts'
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
  /** One of `TOOL_FORMS`, perhaps with the name of a model behind a colon, as typed. */
  readonly for?: string
  /** As typed. */
  readonly context?: string
  readonly strict?: boolean
  readonly schemas?: boolean
}

export interface OfferWish {
  readonly form: ToolForm
  /** As the provider calls it; undefined for the one that is meant by the provider alone. */
  readonly model: string | undefined
  readonly strict: boolean
  /** Of the model, where somebody names it. */
  readonly window: number | undefined
  readonly facts: ModelFactTable
}

/** Losses that are told of one tool on a terminal, and tools of which any are told. */
const TOLD_LOSSES = 5
const TOLD_TOOLS = 40

/**
 * What was asked for, with what is known of models, as `chat` and `run` read it; nothing where the tools are just to be listed. Rejects
 * with a `UsageError`.
 */
export async function offerWishOf(
  invocation: Invocation,
  { for: typed, context, strict = false, schemas }: OfferOptions,
  words: OfferWords,
): Promise<OfferWish | undefined> {
  const { messages, env } = invocation
  if (typed === undefined) {
    if (strict) throw new UsageError(words.onlyWithFor('--strict'))
    if (context !== undefined) throw new UsageError(words.onlyWithFor('--context'))
    return undefined
  }
  const colon = typed.indexOf(':')
  const form = TOOL_FORMS.find((one) => one === (colon < 0 ? typed : typed.slice(0, colon)))
  if (form === undefined)
    throw new UsageError(messages.faults.badChoice('--for', terminalText(typed), TOOL_FORMS))
  if (schemas === true) throw new UsageError(words.notWithFor('--schemas'))
  const model = colon < 0 ? '' : typed.slice(colon + 1).trim()
  return {
    form,
    model: model === '' ? undefined : model,
    strict,
    window: context === undefined ? contextIn(env) : await tokensOf(invocation, context),
    facts: await factsOf(invocation),
  }
}

async function tokensOf({ messages }: Invocation, context: string): Promise<number> {
  const tokens = tokensIn(context)
  if (tokens !== undefined) return tokens
  const { faults } = await messages.agent()
  throw new UsageError(faults.badWhole('--context', terminalText(context.slice(0, 100))))
}

/** What is known of models, that of the user first. What of it does not count is told. */
async function factsOf({ messages, env, output, mask }: Invocation): Promise<ModelFactTable> {
  const { facts, file, problems, faults } = await modelFactsOf(env)
  if (faults.length === 0) return facts
  const words = await messages.agent()
  for (const [at, fault] of faults.entries())
    output.note(mask.text(terminalText(words.faults.modelFact(file, fault, problems[at] ?? ''))))
  return facts
}

export interface Offer {
  readonly tools: readonly HostTool[]
  readonly wish: OfferWish
  readonly words: OfferWords
  /** Servers that could not be asked. */
  readonly away?: readonly ServerStatus[]
}

export function showOffer(invocation: Invocation, { tools, wish, words, away }: Offer): void {
  const { output, json, mask } = invocation
  const request = toolRequest(tools, wish.form, wish)
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
