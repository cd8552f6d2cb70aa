/** What an answer throws when the person says no. */

import { RpcRefusal } from '../base/errors.ts'

/** The code that a server is given for it. // ERR-17, SAMP-14 */
export const USER_REFUSED = -1

/**
 * `throw refuse()` in an answer of yours says that the person did not allow it: the server is told so where it waits, a form
 * counts as declined, and a call that asked inside of its result ends with a `CancelledError`.
 */
export function refuse(message: string = 'The user rejected the request'): RpcRefusal {
  return new RpcRefusal(USER_REFUSED, message)
}
