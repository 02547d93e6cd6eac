import type { WaitingCall } from './waiting-call.ts'

/** How many calls may wait at a time. Further ones are refused as if their sets had no `wait`. */
export interface WaitingLimits {
  /** For the permits of one key, or for their turn in one bucket that paces; 100 by default. */
  readonly waitersPerKey?: number | undefined
  /** In total; 1,000 by default. */
  readonly waitersPerProcess?: number | undefined
}

/** The calls that wait in this process, up to the limits. */
export class Waiters {
  readonly perKey: number
  readonly #perProcess: number
  readonly #ends = new Map<WaitingCall, PromiseWithResolvers<void>>()
  #isClosed = false

  constructor({ waitersPerKey = 100, waitersPerProcess = 1_000 }: WaitingLimits) {
    this.perKey = waitersPerKey
    this.#perProcess = waitersPerProcess
  }

  /** Adds the call; false when no more calls may wait. */
  admit(call: WaitingCall): boolean {
    if (this.#isClosed) return false
    if (this.#ends.has(call)) return true
    if (this.#ends.size >= this.#perProcess) return false
    this.#ends.set(call, Promise.withResolvers())
    return true
  }

  has(call: WaitingCall): boolean {
    return this.#ends.has(call)
  }

  /** To be called when the call is decided. */
  end(call: WaitingCall): void {
    this.#ends.get(call)?.resolve()
    this.#ends.delete(call)
  }

  /** From now on no call may wait. */
  shut(): void {
    this.#isClosed = true
  }

  /** Cancels all waiting calls, and resolves when they have ended. */
  async dismissAll(): Promise<void> {
    const ends = [...this.#ends].map(([call, { promise }]) => {
      call.giveUp()
      return promise
    })
    await Promise.all(ends)
  }
}
