import type { Ends, Operation, Outcome } from '../store.ts'

/** An operation that waits for Redis' reply. */
export interface PendingOperation {
  readonly operation: Operation
  /** What has become of it. Only the first time does that count: a reply may come after its deadline. */
  settle(outcome: Outcome | Error): void
}

/** Hands the operation to `enqueue`, and gives what `ends` makes of what becomes of it. */
export function settled<T>(
  operation: Operation,
  ends: Ends<T>,
  enqueue: (pending: PendingOperation) => void,
): Promise<T> {
  return new Promise((resolve, reject) => enqueue(new Pending(operation, ends, resolve, reject)))
}

class Pending<T> implements PendingOperation {
  readonly operation: Operation
  readonly #ends: Ends<T>
  readonly #resolve: (made: T | Promise<T>) => void
  readonly #reject: (error: unknown) => void
  #isSettled = false

  constructor(
    operation: Operation,
    ends: Ends<T>,
    resolve: (made: T | Promise<T>) => void,
    reject: (error: unknown) => void,
  ) {
    this.operation = operation
    this.#ends = ends
    this.#resolve = resolve
    this.#reject = reject
  }

  settle(outcome: Outcome | Error): void {
    if (this.#isSettled) return
    this.#isSettled = true
    try {
      this.#resolve(outcome instanceof Error ? this.#ends.failed(outcome) : this.#ends.told(outcome))
    } catch (error) {
      this.#reject(error)
    }
  }
}
