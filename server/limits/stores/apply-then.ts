import type { LimitStore, Operation, Outcome, OutcomeHandlers } from '../store.ts'

/** Handlers that return the outcome, or throw the error. */
export const RETURN_OUTCOME: OutcomeHandlers<Outcome> = {
  onOutcome: (outcome) => outcome,
  onError: (error) => {
    throw error
  },
}

/** Applies the operation and calls a handler as soon as it has ended: synchronously where the store is synchronous, and
 *  without a promise of the outcome where the store can do without. */
export function applyThen<T>(store: LimitStore, operation: Operation, handlers: OutcomeHandlers<T>): T | Promise<T> {
  if (store.applyThen) return store.applyThen(operation, handlers)
  let outcome: Outcome | Promise<Outcome>
  try {
    outcome = store.apply(operation)
  } catch (error) {
    return handlers.onError(error)
  }
  if (!(outcome instanceof Promise)) return handlers.onOutcome(outcome)
  return outcome.then(
    (known) => handlers.onOutcome(known),
    (error: unknown) => handlers.onError(error),
  )
}
