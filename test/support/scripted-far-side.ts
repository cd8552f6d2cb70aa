/** The far side of a memory pair as a function: it hears each message and writes whatever text it likes. */
import type { JsonObject } from '../../src/base/json.ts'
import type { Link, Transport } from '../../src/jsonrpc/link.ts'

/** How the far side speaks. */
export interface Voice {
  readonly say: (text: string) => void
  readonly answer: (result: JsonObject) => void
}

/** Hears a message; `say` writes a text as it stands, `answer` a result for it. */
export type FarSide = (message: JsonObject, voice: Voice) => void

/** What every legacy server says first; other messages go to `next`. */
export function shakesHands(next: FarSide, more: JsonObject = {}): FarSide {
  return (message, voice) => {
    const { method, params } = message
    if (method === 'initialize') {
      const { protocolVersion = null } = Object(params) as JsonObject // of a request of ours
      const serverInfo = { name: 'scripted', version: '1' }
      voice.answer({ protocolVersion, capabilities: { tools: {} }, serverInfo, ...more })
    } else next(message, voice)
  }
}

/** Lets the function answer on this end of a pair. */
export async function farSide(transport: Transport, hear: FarSide): Promise<void> {
  const link: Link = await transport.open({
    maxMessageBytes: 1 << 20,
    text(text) {
      const message = JSON.parse(text) as JsonObject // from a client of ours
      const say = (line: string): void => void link.write({ text: line })
      const answer = (result: JsonObject): void =>
        say(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }))
      hear(message, { say, answer })
    },
    note() {},
    unreadable() {},
    failed() {},
    closed() {},
  })
}
