/**
 * `completion/complete`: suggestions for one argument of a prompt, or one variable of a template.
 */

import { RpcRefusal, UsageError } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonText, type JsonValue } from '../base/json.ts'
import { INTERNAL_ERROR } from '../jsonrpc/message.ts'
import { invalidParams } from '../protocol/errors.ts'
import { MAX_COMPLETION_VALUES } from '../protocol/types/completion.ts'
import type { Completer, CompletionContext, Completions, RequestFacts } from '../tools/context.ts'
import { CallContext, NO_ANSWERS } from './context.ts'
import { isVisible } from './list.ts'
import type { Dispatched, Served } from './served.ts'
import { refuseAfterThrow } from './throws.ts'

/** Longest value that is completed, and longest decided argument, in characters. */
const MAX_VALUE = 8192
/** Most decided arguments. */
const MAX_ARGUMENTS = 256

/** Answers `completion/complete`. Rejects with `RpcRefusal` for what names nothing that there is. */
export async function complete(server: Served, call: Dispatched): Promise<JsonObject | JsonText> {
  if (!server.completions.take(call.link, call.request.facts?.auth?.principal))
    throw new RpcRefusal(INTERNAL_ERROR, 'Busy: too many completions') // COMP-05
  const { ref, argument, context: decided } = call.inbound.given
  const { name, value } = isJsonObject(argument) ? argument : {}
  if (typeof name !== 'string' || typeof value !== 'string' || value.length > MAX_VALUE)
    throw invalidParams('completion/complete needs an "argument" with a "name" and a short "value"')
  const facts = new CallContext(server, call, NO_ANSWERS)
  const completer = completerOf(server, { ref, name, facts })
  const args = argumentsIn(isJsonObject(decided) ? decided['arguments'] : undefined)
  const suggested =
    completer === undefined
      ? []
      : await suggest(server, { argument: name, completer, value, facts, args })
  const result = { completion: completionOf(suggested) }
  return call.dialect.encodeResult(
    'completion/complete',
    { kind: 'complete', result },
    server.identity(),
  )
}

interface Suggesting {
  readonly argument: string
  readonly completer: Completer
  readonly value: string
  readonly facts: CallContext
  readonly args: { readonly [name: string]: string }
}

async function suggest(
  { settings, newId }: Served,
  { argument, completer, value, facts, args }: Suggesting,
): Promise<Completions> {
  const context: CompletionContext = {
    get signal() {
      return facts.signal
    },
    client: facts.client,
    auth: facts.auth,
    trace: facts.trace,
    meta: facts.meta,
    arguments: args,
  }
  try {
    return await completer(value, context)
  } catch (error) {
    await refuseAfterThrow(error, {
      kind: 'completion',
      name: argument,
      context: facts,
      logger: settings.logger,
      newId,
    })
    throw new RpcRefusal(INTERNAL_ERROR, 'A completion cannot ask for anything') // MRTR-01
  }
}

interface Wanted {
  readonly ref: JsonValue | undefined
  readonly name: string
  readonly facts: RequestFacts
}

/** The code that completes an argument; undefined when nobody does. Throws when there is no such argument. // COMP-02 */
function completerOf(server: Served, { ref, name, facts }: Wanted): Completer | undefined {
  if (!isJsonObject(ref)) throw invalidParams('completion/complete needs a "ref"')
  if (ref['type'] === 'ref/prompt') return promptCompleter(server, ref['name'], { name, facts })
  if (ref['type'] === 'ref/resource') return templateCompleter(server, ref['uri'], { name, facts })
  throw invalidParams('The "ref" must be of type "ref/prompt" or "ref/resource"')
}

function promptCompleter(
  { offers }: Served,
  prompt: JsonValue | undefined,
  { name, facts }: Omit<Wanted, 'ref'>,
): Completer | undefined {
  const found = typeof prompt === 'string' ? offers.prompts.get(prompt) : undefined
  if (found === undefined || !isVisible(found, facts))
    throw invalidParams('The "ref" names no prompt of this server')
  if (found.prompt.arguments?.some((one) => one.name === name) !== true)
    throw invalidParams('The prompt has no such argument')
  return found.complete.get(name)
}

/** By the template itself, or by a URI that it covers. */
function templateCompleter(
  { offers }: Served,
  uri: JsonValue | undefined,
  { name, facts }: Omit<Wanted, 'ref'>,
): Completer | undefined {
  if (typeof uri !== 'string' || uri.length > MAX_VALUE)
    throw invalidParams('The "ref" needs a "uri": that of a template')
  const named = offers.templates.get(uri)
  const found = named === undefined ? offers.find(uri, facts) : undefined
  const template = named ?? (found?.kind === 'template' ? found.definition : undefined)
  if (template === undefined || !isVisible(template, facts))
    throw invalidParams('The "ref" names no template of this server')
  if (!template.variables.includes(name)) throw invalidParams('The template has no such variable')
  return template.complete.get(name)
}

/** What is decided already. Peer values with peer names, so without a prototype. // COMP-03 */
function argumentsIn(given: JsonValue | undefined): { readonly [name: string]: string } {
  const args: Record<string, string> = Object.create(null) as Record<string, string> // no prototype in the way
  if (given === undefined) return args
  if (!isJsonObject(given)) throw invalidParams('The decided "arguments" must be an object')
  const entries = Object.entries(given)
  if (entries.length > MAX_ARGUMENTS) throw invalidParams('There are too many decided arguments')
  for (const [name, value] of entries) {
    if (typeof value !== 'string' || value.length > MAX_VALUE)
      throw invalidParams('Each decided argument must be a short string')
    args[name] = value
  }
  return args
}

/** At most 100 values, and how many more there are. // COMP-04 */
function completionOf(suggested: Completions): JsonObject {
  const told = isList(suggested) ? { values: suggested } : suggested
  const { values, total, hasMore } = { total: undefined, hasMore: undefined, ...told }
  if (!values.every((value) => typeof value === 'string'))
    throw new UsageError('Suggestions must be strings.')
  const cut = values.length > MAX_COMPLETION_VALUES
  const known = total ?? (cut && hasMore === undefined ? values.length : undefined)
  const more = cut || hasMore === true || (known !== undefined && known > values.length)
  return {
    values: values.slice(0, MAX_COMPLETION_VALUES),
    ...(known === undefined ? {} : { total: known }),
    ...(more || hasMore !== undefined ? { hasMore: more } : {}),
  }
}

/** `Array.isArray` does not narrow readonly lists. */
function isList(suggested: Completions): suggested is readonly string[] {
  return Array.isArray(suggested)
}
