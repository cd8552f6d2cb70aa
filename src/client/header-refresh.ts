/**
 * After a refusal because headers do not fit: the list of tools is read again, since the annotations of the one that was
 * called may have changed, and the call is made once more if that gives other headers. // HTTP-74
 */

import type { JsonObject } from '../base/json.ts'
import { isJsonObject } from '../base/json.ts'
import type { Calling, FailedCall } from './request.ts'
import type { Standing } from './standing.ts'
import { listTools } from './tool-list.ts'

/** One reading of the list for all calls that fail together. */
const underway = new WeakMap<Standing, Promise<unknown>>()

/** The call with the headers of today. Rejects with the refusal when they are those of yesterday. */
export async function afterMismatch(
  { caller, calling, error }: FailedCall,
  standing: Standing,
): Promise<Calling> {
  const { name, arguments: args } = calling.params ?? {}
  if (typeof name !== 'string') throw error
  let reading = underway.get(standing)
  if (reading === undefined) {
    reading = listTools({ caller, standing }, { fresh: true }).finally(() =>
      underway.delete(standing),
    )
    underway.set(standing, reading)
  }
  try {
    await reading
  } catch {
    throw error // what was refused is still the better thing to tell
  }
  const headers = standing.checks.headersFor(name, isJsonObject(args) ? args : {})
  if (sameHeaders(headers, calling.headers)) throw error
  return { ...calling, headers }
}

function sameHeaders(now: Calling['headers'], before: Calling['headers']): boolean {
  const [one, other]: readonly JsonObject[] = [{ ...now }, { ...before }]
  const names = Object.keys(one ?? {})
  return (
    names.length === Object.keys(other ?? {}).length &&
    names.every((name) => one?.[name] === other?.[name])
  )
}
