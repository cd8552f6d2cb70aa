/** The one notification that either side may give up a request with; it reads the same in every revision. */

import { isRequestId, type Notification, type RequestId } from '../jsonrpc/message.ts'

/** What `notifications/cancelled` cancels; one without a usable id cancels nothing. // CANC-03, CANC-08 */
export function cancellationOf({
  method,
  params,
}: Notification): { id: RequestId; reason?: string } | undefined {
  if (method !== 'notifications/cancelled') return undefined
  const id = params?.['requestId']
  const reason = params?.['reason']
  if (!isRequestId(id)) return undefined
  return { id, ...(typeof reason === 'string' ? { reason } : {}) }
}
