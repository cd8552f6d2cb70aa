/**
 * A server that answers at the wrong moment: `held` after it was told that nobody waits any more, `backwards` in
 * reverse order, twice, and with answers that nobody asked for, `reports` only when it has reported progress for
 * longer than the limit of a call, `silent` never before it is handshaken with.
 */
import { answered, hear, manners, say, serve, told, words } from './talk.mjs'

const kept = []

const ways = {
  held() {
    let cancelled = 0
    const tools = {
      slow: () => undefined,
      quick: () => words('quick'),
      count: () => words(String(cancelled)),
    }
    hear((message) => {
      if (message.method === 'tools/call' && message.params.name === 'slow') kept.push(message.id)
      if (message.method === 'notifications/cancelled' && kept.includes(message.params.requestId)) {
        cancelled += 1
        say(answered(message.params.requestId, words('far too late')))
      }
      const answer = manners(message, tools)
      if (answer !== undefined) say(answer)
    })
  },
  backwards() {
    serve({
      hold({ word, of }, { id }) {
        kept.push(answered(id, words(word)))
        if (kept.length < of) return undefined
        for (const answer of kept.splice(0).reverse()) {
          say(answered('never-asked', words('stray')))
          say(told('notifications/nobody-knows', {}))
          say(answer)
          say({ ...answer, result: words('second answer') })
          say(answered(70_000 + answer.id, words('stray')))
        }
        return undefined
      },
    })
  },
  reports() {
    serve({
      long({ everyMs, times }, { id, params }) {
        let progress = 0
        const timer = setInterval(() => {
          progress += 1
          say(
            told('notifications/progress', { progressToken: params._meta.progressToken, progress }),
          )
          if (progress < times) return
          clearInterval(timer)
          say(answered(id, words('done')))
        }, everyMs)
        return undefined
      },
    })
  },
  silent() {
    let shaken = false
    hear((message) => {
      shaken ||= message.method === 'initialize'
      const answer = shaken ? manners(message, { here: () => words('here') }) : undefined
      if (answer !== undefined) say(answer)
    })
  },
}

ways[process.argv[2]]()
