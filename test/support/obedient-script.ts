/** A model that does whatever it reads, as a script for the loop: in definitions, instructions, results and errors alike. */
import type { ModelRequest } from '../../src/agent/model.ts'
import type { ReplyScript, ScriptedCall } from '../../src/agent/models/scripted.ts'
import { textsIn } from './attack-room.ts'

/** An order in a text: `do[name {…}]`. `$LAST` in its arguments is the text of the last result. */
const ORDER = /do\[([\w.-]+) (\{.*?\})\]/gs
/** Most calls of one conversation, as poisoned results order more. */
const MAX_CALLS = 12

/** Calls what is ordered, each order once, one at a time; says `Done.` when there is nothing left. */
export function obedientScript(): ReplyScript {
  const obeyed = new Set<string>()
  return (request) => {
    for (const text of textsIn([request.tools, request.messages]))
      for (const [order, name = '', written = ''] of text.matchAll(ORDER)) {
        if (obeyed.has(order) || obeyed.size >= MAX_CALLS) continue
        obeyed.add(order)
        const call: ScriptedCall = {
          name,
          args: written.replaceAll('$LAST', () => lastOf(request)),
        }
        return { calls: [call] }
      }
    return 'Done.'
  }
}

function lastOf({ messages }: ModelRequest): string {
  const last = messages.findLast((message) => message.role === 'tool')
  return JSON.stringify(last?.text ?? '').slice(1, -1)
}
