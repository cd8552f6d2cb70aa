/** A client by hand: it sends what a test says, and hands back what comes. For what a client of ours would not send. */
import type { JsonObject } from '../../src/base/json.ts'
import type { Server } from '../../src/server/server.ts'
import { memoryPair } from '../../src/transport/memory.ts'

export interface RawClient {
  /** Sends a request and gives the whole answer. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>
  /** Everything that came, in order. */
  readonly heard: readonly JsonObject[]
  close(): Promise<void>
}

/** Opens a link to the server; `envelope` goes into the `_meta` of every request. */
export async function rawClient(server: Server, envelope?: JsonObject): Promise<RawClient> {
  const [near, far] = memoryPair()
  void server.accept(far)
  const heard: JsonObject[] = []
  const waiting = new Map<number, (answer: JsonObject) => void>()
  const link = await near.open({
    maxMessageBytes: 1 << 24,
    text(text) {
      const message = JSON.parse(text) as JsonObject // from a server of ours
      heard.push(message)
      if (message['method'] !== undefined) return
      waiting.get(Number(message['id']))?.(message)
    },
    unreadable() {},
    failed() {},
    note() {},
    closed() {},
  })
  let lastId = 0
  return {
    heard,
    ask(method, params = {}) {
      lastId += 1
      const id = lastId
      const told = envelope === undefined ? params : { ...params, _meta: envelope }
      const answer = new Promise<JsonObject>((resolve) => waiting.set(id, resolve))
      link.write({ text: JSON.stringify({ jsonrpc: '2.0', id, method, params: told }) })
      return answer
    },
    close: () => link.close(),
  }
}

/** The envelope of a modern request. */
export function envelopeOf(revision: string, capabilities: JsonObject = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
}
