/**
 * Which requests wait for their answer, by connection and direction, so that an answer can be shown with its method
 * and time. Bounded: the oldest are forgotten first.
 */

import type { RequestId } from '../jsonrpc/message.ts'
import type { Direction } from '../jsonrpc/wire.ts'

export interface Asked {
  readonly method: string
  /** Monotonic milliseconds. */
  readonly at: number
}

interface Place {
  readonly connection: string
  readonly direction: Direction
  readonly at: number
}

const MAX_CONNECTIONS = 256
const MAX_PENDING = 1000

export class PendingRequests {
  readonly #tables = new Map<string, Map<RequestId, Asked>>()

  asked(place: Place, id: RequestId, method: string): void {
    const name = `${place.direction} ${place.connection}`
    let table = this.#tables.get(name)
    if (table === undefined) {
      table = new Map()
      dropOldest(this.#tables, MAX_CONNECTIONS * 2)
      this.#tables.set(name, table)
    }
    dropOldest(table, MAX_PENDING)
    table.set(id, { method: method.slice(0, 256), at: place.at })
  }

  /** The request that this answer belongs to; the second answer to it finds none. */
  answered(place: Place, id: RequestId): Asked | undefined {
    // An answer goes against the direction of its request.
    const table = this.#tables.get(`${place.direction === 'in' ? 'out' : 'in'} ${place.connection}`)
    const asked = table?.get(id)
    table?.delete(id)
    return asked
  }

  /** Nothing more comes on this connection. */
  forget(connection: string): void {
    this.#tables.delete(`in ${connection}`)
    this.#tables.delete(`out ${connection}`)
  }
}

/** Maps keep the order of insertion, so the first key is the oldest. */
function dropOldest<Key>(map: Map<Key, unknown>, most: number): void {
  if (map.size < most) return
  const oldest = map.keys().next()
  if (oldest.done !== true) map.delete(oldest.value)
}
