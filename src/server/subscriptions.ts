/**
 * The listen streams of one link: who asked for which changes, and how they are told. // SUB rows
 */

import { RpcRefusal } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import { INTERNAL_ERROR, type RequestId } from '../jsonrpc/message.ts'
import type { Dialect } from '../protocol/dialect.ts'
import { invalidParams } from '../protocol/errors.ts'
import type { ServerCapabilities } from '../protocol/types/common.ts'

/** A change as both eras name it. */
export interface ChangeNotice {
  readonly method: string
  /** The member of the filter that asks for it. */
  readonly wanted: 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged'
}

export const TOOLS_CHANGED: ChangeNotice = {
  method: 'notifications/tools/list_changed',
  wanted: 'toolsListChanged',
}

interface Subscription {
  readonly granted: JsonObject
  readonly request: InboundRequest
  readonly meta: JsonObject
  readonly end: (result: JsonObject) => void
}

export class Subscriptions {
  readonly #open = new Map<RequestId, Subscription>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#open.size
  }

  /** Opens a stream: acknowledges, then stays open until either side ends it. // SUB-03 */
  open(
    request: InboundRequest,
    params: JsonObject,
    {
      dialect,
      capabilities,
    }: { readonly dialect: Dialect; readonly capabilities: ServerCapabilities },
  ): Promise<JsonObject> {
    const wish = params['notifications']
    if (!isJsonObject(wish)) throw invalidParams('The member "notifications" must be an object') // SUB-01
    if (this.#open.size >= this.#limit) {
      throw new RpcRefusal(
        INTERNAL_ERROR,
        `Busy: ${this.#limit} subscriptions are open on this connection`,
      )
    }
    const granted = grant(wish, capabilities)
    const meta = dialect.subscriptionMeta(request.id) ?? {}
    return new Promise((resolve) => {
      this.#open.set(request.id, { granted, request, meta, end: resolve })
      request.signal.addEventListener('abort', () => this.#open.delete(request.id), { once: true }) // SUB-08
      request.notify('notifications/subscriptions/acknowledged', {
        notifications: granted,
        _meta: meta,
      }) // SUB-03, SUB-06
    })
  }

  /** Tells a change to every stream that was granted it. // SUB-02, TOOL-23 */
  tell({ method, wanted }: ChangeNotice): void {
    for (const { granted, request, meta } of this.#open.values()) {
      if (granted[wanted] === true) request.notify(method, { _meta: meta }) // SUB-06
    }
  }

  /** Ends every stream in order: its response, then the cancellation that stdio wants; `cancel` sends that. // SUB-09, SUB-10 */
  async endAll(cancel: (id: RequestId) => void): Promise<void> {
    const open = [...this.#open]
    this.#open.clear()
    const ended = open.map(([id, { end, request, meta }]) => {
      const answered = new Promise<void>((resolve) => request.whenEnded(resolve))
      end({ _meta: meta })
      return answered.then(() => cancel(id))
    })
    await Promise.all(ended)
  }
}

/** The part of a wish that this server can keep. // SUB-04 */
function grant(wish: JsonObject, capabilities: ServerCapabilities): JsonObject {
  const { tools, prompts, resources } = capabilities
  return {
    ...(wish['toolsListChanged'] === true && tools?.listChanged === true
      ? { toolsListChanged: true }
      : {}),
    ...(wish['promptsListChanged'] === true && prompts?.listChanged === true
      ? { promptsListChanged: true }
      : {}),
    ...(wish['resourcesListChanged'] === true && resources?.listChanged === true
      ? { resourcesListChanged: true }
      : {}),
  }
}
