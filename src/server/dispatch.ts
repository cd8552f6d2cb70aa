/**
 * One request to the code that answers it, and its outcome back into the words of its revision.
 */

import type { JsonObject, JsonText } from '../base/json.ts'
import { invalidParams, methodNotFound, resourceNotFound } from '../protocol/errors.ts'
import { isLoggingLevel } from '../protocol/types/common.ts'
import type { FeatureOptions } from '../tools/context.ts'
import type { ToolDefinition } from '../tools/define.ts'
import { earlierAnswers } from './ask.ts'
import { callTool } from './call-tool.ts'
import { complete } from './complete.ts'
import { CallContext, NO_ANSWERS } from './context.ts'
import { getPrompt } from './get-prompt.ts'
import { isVisible, type PagedList } from './list.ts'
import { readResource, uriOf } from './read-resource.ts'
import { clientOf } from './sender.ts'
import type { MethodContext, MethodFunction } from './method.ts'
import type { Dispatched, Served } from './served.ts'

type Answer = JsonObject | JsonText

/** Answers one request. Throws `RpcRefusal` for everything that is an error by the protocol. */
export function dispatch(server: Served, call: Dispatched): Answer | Promise<Answer> {
  const { dialect, inbound } = call
  const { method } = inbound
  const own = server.methods.get(method)
  if (own !== undefined) return answerByHand(server, call, own)
  if (!server.serves(dialect, method)) return answerTask(server, call)
  switch (method) {
    case 'tools/call':
      return answerCall(server, call)
    case 'tools/list':
      return answerList(server, call, server.offers.toolList)
    case 'resources/list':
      return answerList(server, call, server.offers.resourceList)
    case 'resources/templates/list':
      return answerList(server, call, server.offers.templateList)
    case 'resources/read':
      return readResource(server, call)
    case 'prompts/list':
      return answerList(server, call, server.offers.promptList)
    case 'prompts/get':
      return getPrompt(server, call)
    case 'completion/complete':
      if (server.identity().capabilities.completions === undefined) throw methodNotFound(method) // COMP-01
      return complete(server, call)
    case 'ping':
      return {} // PING-01
    case 'server/discover':
      return dialect.welcome(server.identity()) // LIFE-13
    case 'subscriptions/listen':
      return answerListen(server, call)
    case 'resources/subscribe':
      return subscribe(server, call)
    case 'resources/unsubscribe':
      call.link.subscriptions.unwatch(uriOf(call))
      return {}
    case 'logging/setLevel':
      return setLevel(server, call)
    default:
      return answerTask(server, call)
  }
}

/** Requests about tasks; what is none of them does not exist. // ERR-14, TASKX-19 */
function answerTask(server: Served, call: Dispatched): Answer | Promise<Answer> {
  const { dialect, inbound } = call
  const answer = server.tasks?.answer(call)
  if (answer === undefined) throw methodNotFound(inbound.method)
  const encode = (result: JsonObject): Answer =>
    dialect.encodeResult(inbound.method, { kind: 'complete', result }, server.identity())
  return answer instanceof Promise ? answer.then(encode) : encode(answer)
}

async function answerByHand(
  server: Served,
  call: Dispatched,
  own: MethodFunction,
): Promise<Answer> {
  const { request, sender, inbound, dialect } = call
  const context: MethodContext = {
    get signal() {
      return request.signal
    },
    client: clientOf(sender),
    auth: request.facts?.auth,
    notify: (method, params) => request.notify(method, params),
  }
  const result = await own(inbound.params, context)
  return dialect.encodeResult(inbound.method, { kind: 'complete', result }, server.identity())
}

function answerList<Item extends FeatureOptions>(
  server: Served,
  call: Dispatched,
  list: PagedList<Item>,
): Answer | Promise<Answer> {
  const facts = new CallContext(server, call, NO_ANSWERS)
  return list.page(call.dialect, call.inbound.given['cursor'], facts)
}

function answerCall(server: Served, call: Dispatched): Answer | Promise<Answer> {
  const { name } = call.inbound.given
  if (typeof name !== 'string') throw invalidParams('tools/call needs a "name"')
  const tool = server.offers.tools.get(name)
  if (tool === undefined) throw unknownTool(name)
  if (tool.visibleTo !== undefined && !isVisible(tool, new CallContext(server, call, NO_ANSWERS)))
    throw unknownTool(name) // TOOL-27
  const earlier = earlierAnswers(server, call, actsOnce(tool))
  return earlier === undefined
    ? runTool(server, call, { tool, earlier: NO_ANSWERS })
    : earlier.then((answers) => runTool(server, call, { tool, earlier: answers }))
}

function unknownTool(name: string): Error {
  return invalidParams(`Unknown tool: ${name.slice(0, 128)}`) // TOOL-15, ERR-20
}

/** Whether calling a tool twice may do more than calling it once, by its own word. // MRTR-11 */
function actsOnce({ tool }: ToolDefinition): boolean {
  return tool.annotations?.readOnlyHint !== true && tool.annotations?.idempotentHint !== true
}

function runTool(
  server: Served,
  call: Dispatched,
  { tool, earlier }: { readonly tool: ToolDefinition; readonly earlier: JsonObject },
): Answer | Promise<Answer> {
  const { dialect, inbound, request } = call
  const context = new CallContext(server, call, earlier)
  if (tool.task !== undefined) context.mayBecomeTask(tool.task)
  const outcome = callTool({
    tool,
    args: inbound.given['arguments'],
    context,
    work: server.tasks?.begin(call, tool.task, false),
    headers: dialect.traits.mirrorsHeaders ? request.facts?.headers : undefined,
    logger: server.settings.logger,
    newId: server.newId,
  })
  return outcome instanceof Promise
    ? outcome.then((told) => dialect.encodeResult('tools/call', told, server.identity()))
    : dialect.encodeResult('tools/call', outcome, server.identity())
}

async function answerListen(server: Served, call: Dispatched): Promise<Answer> {
  const { dialect, inbound, request } = call
  const { capabilities } = server.identity()
  const facts = new CallContext(server, call, NO_ANSWERS)
  const tasks = server.tasks?.grant(call) ?? []
  server.tasks?.tell(call, tasks)
  const result = await call.link.subscriptions.open(request, inbound.params, {
    dialect,
    taskIds: tasks.map(({ id }) => id),
    capabilities,
    facts,
    exists: (uri) => server.offers.find(uri, facts) !== undefined,
  })
  return dialect.encodeResult(inbound.method, { kind: 'complete', result }, server.identity())
}

/** // RES-05 */
function subscribe(server: Served, call: Dispatched): Answer {
  const uri = uriOf(call)
  const facts = new CallContext(server, call, NO_ANSWERS)
  if (server.offers.find(uri, facts) === undefined) throw resourceNotFound(uri)
  call.link.subscriptions.watch(uri, facts)
  return {}
}

function setLevel(server: Served, { inbound, link, dialect }: Dispatched): Answer {
  const { level } = inbound.params
  if (!isLoggingLevel(level)) throw invalidParams('Unknown log level') // ERR-20
  link.logLevel = level
  return dialect.encodeResult(inbound.method, { kind: 'complete', result: {} }, server.identity())
}
