/** What readers of models' answers throw, for tests. */
import { ModelError } from '../../src/base/errors.ts'

/** What it throws; undefined for nothing. */
export function failureOf(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

/** The one error of models that it throws. */
export function modelErrorOf(run: () => unknown): ModelError {
  const failure = failureOf(run)
  if (failure instanceof ModelError) return failure
  throw new Error(`No ModelError but ${String(failure)}`)
}
