/**
 * A server of the handshake era that asks before it is asked: a ping ahead of its answer to `initialize`, and
 * afterwards questions with ids that the client uses as well. The tool `heard` tells what came back; `storm` sends
 * as many questions as it is told to, all at once, and gives the count of each kind of answer.
 */
import { answered, hear, manners, say, words } from './talk.mjs'

const heard = {}
const counts = { result: 0, error: 0 }
let waiting
let storm
const kindOf = ({ error }) => (error === undefined ? 'result' : error.code)
const ask = (id, method, params = {}) => say({ jsonrpc: '2.0', id, method, params })

const QUESTIONS = 6
let asked

const tools = {
  // Answered when every question has been.
  heard(_, { id }) {
    asked = id
    report()
    return undefined
  },
  storm({ questions }, { id }) {
    storm = { id, left: questions }
    for (let at = 0; at < questions; at += 1)
      ask(`q${at}`, 'sampling/createMessage', { messages: [], maxTokens: 1 })
    return undefined
  },
}

function take(message) {
  if (message.method === 'initialize' && waiting === undefined) {
    waiting = message
    ask('before', 'ping')
  } else if (message.method === undefined) takeAnswer(message)
  else {
    const answer = manners(message, tools)
    if (answer !== undefined) say(answer)
    if (message.method === 'notifications/initialized') {
      ask(1, 'roots/list')
      ask('1', 'elicitation/create', { message: 'Who?', requestedSchema: { type: 'object' } })
      ask(0, 'ping')
      ask('', 'no/such-method')
      ask(2, 'ping')
    }
  }
}

function report() {
  if (asked !== undefined && Object.keys(heard).length === QUESTIONS)
    say(answered(asked, words(JSON.stringify(heard))))
}

function takeAnswer(message) {
  if (storm !== undefined && String(message.id).startsWith('q')) {
    counts[message.error === undefined ? 'result' : 'error'] += 1
    storm.left -= 1
    if (storm.left === 0) say(answered(storm.id, words(JSON.stringify(counts))))
    return
  }
  heard[`${typeof message.id} ${message.id}`] = kindOf(message)
  report()
  if (message.id === 'before') say(manners(waiting, tools))
}

hear(take)
