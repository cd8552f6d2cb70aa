/**
 * Servers at the border of two eras: `future` names a version nobody knows, `gruff` refuses whatever comes before
 * `initialize` with an unusual code and much complaint, `strict` speaks the modern revision alone and checks every
 * retry of a call that asks twice, `circle` asks again and again, `listen` sends change notices for the right
 * stream, a wrong one and none, then ends the stream.
 */
import { answered, hear, manners, refused, say, told, words } from './talk.mjs'

const MODERN = '2026-07-28'
const KEY = 'io.modelcontextprotocol/'
const STATE = 'step one; "quoted" ☃ \\ \u2028 =='

const complete = (id, result) => say(answered(id, { resultType: 'complete', ...result }))
const asking = (id, result) => say(answered(id, { resultType: 'input_required', ...result }))
const CACHE = { ttlMs: 0, cacheScope: 'private' }
const listOf = (...names) => ({
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
  ...CACHE,
})

/** Serves modern requests; anything else is refused with the versions that are spoken. */
function modern(methods, capabilities = { tools: {} }) {
  hear((message) => {
    const { id, method, params } = message
    if (method === 'notifications/cancelled') open.delete(params?.requestId)
    if (id === undefined) return
    const requested = params?._meta?.[`${KEY}protocolVersion`]
    if (requested !== MODERN)
      say(refused(id, -32022, 'version', { supported: [MODERN], requested: requested ?? '' }))
    else if (method === 'server/discover')
      complete(id, { supportedVersions: [MODERN], capabilities, ...CACHE })
    else if (Object.hasOwn(methods, method)) methods[method](id, params)
    else say(refused(id, -32601, `no method ${method}`))
  })
}

const open = new Map()
let firstId
let extra = false
let listens = 0
let lists = 0

function order(id, { name, arguments: given, inputResponses, requestState }) {
  const bad = (why) => say(refused(id, -32602, why))
  if (name !== 'order' || given?.cup !== 'large') return bad('the call has changed')
  if (requestState === undefined) {
    if (inputResponses !== undefined) return bad('answers without a state')
    firstId = id
    const params = {
      mode: 'form',
      message: 'Which bean?',
      requestedSchema: { type: 'object', properties: {} },
    }
    return asking(id, {
      requestState: STATE,
      inputRequests: { bean: { method: 'elicitation/create', params } },
    })
  }
  if (id === firstId) return bad('the id was used before')
  if (requestState === STATE) {
    if (
      JSON.stringify(inputResponses) !== '{"bean":{"action":"accept","content":{"bean":"arabica"}}}'
    )
      return bad('other answers than were asked for')
    return asking(id, { requestState: 'step two' })
  }
  if (requestState !== 'step two' || inputResponses !== undefined)
    return bad('the state has changed')
  return complete(id, words('one large arabica'))
}

function tagged(id) {
  return { _meta: { [`${KEY}subscriptionId`]: id } }
}

const ways = {
  future() {
    hear((message) => {
      if (message.id !== undefined) say(manners(message, {}, '2199-01-01'))
    })
  },
  gruff() {
    let shaken = false
    hear((message) => {
      shaken ||= message.method === 'initialize'
      if (message.id === undefined) return
      if (shaken) {
        say(manners(message, { greet: () => words('finally') }))
      } else {
        process.stderr.write('what is this supposed to be? '.repeat(4000))
        say(refused(message.id, -31999, 'first things first', ''))
      }
    })
  },
  strict: () =>
    modern({ 'tools/list': (id) => complete(id, listOf('order')), 'tools/call': order }),
  circle() {
    let round = 0
    modern({
      'tools/call'(id) {
        round += 1
        asking(id, { requestState: String(round) })
      },
    })
  },
  listen() {
    modern(
      {
        'tools/list'(id) {
          lists += 1
          complete(id, extra ? listOf('add', 'end', 'extra') : listOf('add', 'end'))
        },
        'subscriptions/listen'(id, { notifications }) {
          listens += 1
          open.set(id, true)
          say(told('notifications/subscriptions/acknowledged', { notifications, ...tagged(id) }))
        },
        'tools/call'(id, { name }) {
          if (name === 'add') {
            extra = true
            say(told('notifications/tools/list_changed', tagged('somebody else')))
            say(told('notifications/tools/list_changed', {}))
            for (const stream of open.keys())
              say(told('notifications/tools/list_changed', tagged(stream)))
          }
          if (name === 'end') {
            for (const stream of open.keys()) complete(stream, tagged(stream))
            open.clear()
          }
          complete(id, words(JSON.stringify({ listens, lists })))
        },
      },
      { tools: { listChanged: true } },
    )
  },
}

ways[process.argv[2]]()
