import type { Operation, Outcome, OutcomeHandlers } from '../store.ts'

/** An operation that waits for the reply of Redis. */
export interface PendingOperation {
  readonly operation: Operation
  /** Ends the operation. Only the first call counts: a reply may come after the deadline has ended it. */
  settle(outcome: Outcome | Error): void
}

/** Hands the operation to `enqueue` and resolves with what a handler returns once the operation is settled. */
export function settled<T>(
  operation: Operation,
  handlers: OutcomeHandlers<T>,
  enqueue: (pending: PendingOperation) => void,
): Promise<T> {
  return new Promise((resolve, reject) => enqueue(new Pending(operation, handlers, resolve, reject)))
}

class Pending<T> implements PendingOperation {
  readonly operation: Operation
  readonly #handlers: OutcomeHandlers<T>
  readonly #resolve: (made: T | Promise<T>) => void
  readonly #reject: (error: unknown) => void
  #isSettled = false

  constructor(
    operation: Operation,
    handlers: OutcomeHandlers<T>,
    resolve: (made: T | Promise<T>) => void,
    reject: (error: unknown) => void,
  ) {
    this.operation = operation
    this.#handlers = handlers
    this.#resolve = resolve
    this.#reject = reject
  }

  settle(outcome: Outcome | Error): void {
    if (this.#isSettled) return
    this.#isSettled = true
    try {
      this.#resolve(outcome instanceof Error ? this.#handlers.onError(outcome) : this.#handlers.onOutcome(outcome))
    } catch (error) {
      this.#reject(error)
    }
  }
}
