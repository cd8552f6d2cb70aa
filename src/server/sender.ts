/** Who sent a request, as the request itself or its session says. Display data and declarations, never an identity. // META-11 */

import type { ClientFacts } from '../protocol/dialect.ts'
import { invalidParams } from '../protocol/errors.ts'

/** Who sent a request: the request itself, or its session. Read late, since few tools ask. */
export interface Sender {
  readonly client: ClientFacts | undefined
}

/** The facts of a sender, which every request has once it got this far. */
export function clientOf({ client }: Sender): ClientFacts {
  if (client === undefined) throw invalidParams('The sender of this request is not known') // ERR-15
  return client
}
