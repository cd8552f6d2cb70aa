/**
 * All methods of the core, grouped by the time they came, and what each of them needs.
 *
 * The dialects put their tables together from these groups. Nothing here is specific to one revision but the names.
 */

import type { MethodRule, MethodTable } from './dialect.ts'

type Rows = readonly (readonly [string, MethodRule])[]

function request(sender: MethodRule['sender'], needs?: string): MethodRule {
  return needs === undefined ? { kind: 'request', sender } : { kind: 'request', sender, needs }
}

function notification(sender: MethodRule['sender'], needs?: string): MethodRule {
  return needs === undefined
    ? { kind: 'notification', sender }
    : { kind: 'notification', sender, needs }
}

/** The handshake, and what only makes sense in a session that one opened. // LIFE-12 */
export const SESSION_METHODS: Rows = [
  ['initialize', request('client')],
  ['notifications/initialized', notification('client')],
  ['ping', request('both')],
  ['logging/setLevel', request('client', 'server.logging')],
  ['resources/subscribe', request('client', 'server.resources.subscribe')],
  ['resources/unsubscribe', request('client', 'server.resources.subscribe')],
  ['notifications/roots/list_changed', notification('client', 'client.roots.listChanged')],
]

/** What every revision has. */
export const CORE_METHODS: Rows = [
  ['notifications/cancelled', notification('both')],
  ['notifications/progress', notification('both')],
  ['tools/list', request('client', 'server.tools')],
  ['tools/call', request('client', 'server.tools')],
  ['notifications/tools/list_changed', notification('server', 'server.tools.listChanged')],
  ['resources/list', request('client', 'server.resources')],
  ['resources/templates/list', request('client', 'server.resources')],
  ['resources/read', request('client', 'server.resources')],
  ['notifications/resources/updated', notification('server', 'server.resources.subscribe')],
  ['notifications/resources/list_changed', notification('server', 'server.resources.listChanged')],
  ['prompts/list', request('client', 'server.prompts')],
  ['prompts/get', request('client', 'server.prompts')],
  ['notifications/prompts/list_changed', notification('server', 'server.prompts.listChanged')],
  ['completion/complete', request('client', 'server.completions')],
  ['notifications/message', notification('server', 'server.logging')],
]

/** Questions of a server that are older than elicitation. */
export const EARLY_QUESTIONS: Rows = [
  ['roots/list', request('server', 'client.roots')],
  ['sampling/createMessage', request('server', 'client.sampling')],
]

export const ELICITATION: Rows = [['elicitation/create', request('server', 'client.elicitation')]]

/** Tasks in the core: either side may own one. `receiver` and `sender` stand for whoever that is. // TASK-05 */
export const CORE_TASKS: Rows = [
  ['tasks/get', request('both', 'receiver.tasks')],
  ['tasks/result', request('both', 'receiver.tasks')],
  ['tasks/list', request('both', 'receiver.tasks.list')],
  ['tasks/cancel', request('both', 'receiver.tasks.cancel')],
  ['notifications/tasks/status', notification('both', 'sender.tasks')],
]

export const ELICITATION_NOTICE: Rows = [
  ['notifications/elicitation/complete', notification('server', 'client.elicitation.url')],
]

/** What came with requests that stand for themselves. // LIFE-13, SUB-01 */
export const STATELESS_METHODS: Rows = [
  ['server/discover', request('client')],
  ['subscriptions/listen', request('client')],
  ['notifications/subscriptions/acknowledged', notification('server')],
]

/** A table of groups; where two name the same method the later one holds. */
export function methodTable(...groups: readonly Rows[]): MethodTable {
  return new Map(groups.flat())
}

/** The table without some of its methods: a removal. */
export function withoutMethods(table: MethodTable, names: readonly string[]): MethodTable {
  return new Map([...table].filter(([name]) => !names.includes(name)))
}

/** Questions that may stand in `inputRequests`, with what they need of the client. // MRTR-03, MRTR-04 */
export const INPUT_METHODS: MethodTable = methodTable(EARLY_QUESTIONS, ELICITATION)

/** Requests that may be answered with questions. // MRTR-01 */
export const ASKING_METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
])

/** Requests whose complete results say how long they may be kept. // CACHE-01 */
export const CACHEABLE_METHODS: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

/** List methods, and the member of the result that holds the entries. // PAGE-01 */
export const LIST_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['roots/list', 'roots'],
  ['tasks/list', 'tasks'],
])
