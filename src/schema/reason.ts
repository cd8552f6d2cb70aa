/** Says in a few words why a schema or a value could not be dealt with. Not what does not fit: that is in `issues.ts`. */

import { SchemaError, describeError } from '../base/errors.ts'

/** Never throws; the text is bounded. */
export function reasonOf(error: unknown): string {
  if (error instanceof SchemaError) return error.message
  if (error instanceof RangeError) return 'it goes deeper than the stack'
  if (error instanceof URIError) return 'a property name is no well-formed Unicode'
  return describeError(error).slice(0, 200)
}
