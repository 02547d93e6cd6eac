import type { Ends, Operation, Outcome } from '../store.ts'

/** An operation on its way to Redis. */
export interface Passenger {
  readonly operation: Operation
  /** What has become of it. Only the first time does that count: an answer may come after its deadline. */
  arrive(outcome: Outcome | Error): void
}

/** Makes a passenger of the operation and hands it over, and gives what is made of what becomes of it. */
export function underWay<T>(operation: Operation, ends: Ends<T>, board: (passenger: Passenger) => void): Promise<T> {
  return new Promise((resolve, reject) => board(new Traveller(operation, ends, resolve, reject)))
}

class Traveller<T> implements Passenger {
  readonly operation: Operation
  readonly #ends: Ends<T>
  readonly #resolve: (made: T | Promise<T>) => void
  readonly #reject: (error: unknown) => void
  #isThere = false

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

  arrive(outcome: Outcome | Error): void {
    if (this.#isThere) return
    this.#isThere = true
    try {
      this.#resolve(outcome instanceof Error ? this.#ends.failed(outcome) : this.#ends.told(outcome))
    } catch (error) {
      this.#reject(error)
    }
  }
}
