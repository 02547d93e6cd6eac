import type { WaitingCall } from './waiting-call.ts'

/** How many calls may wait at a time. Further ones are refused as if their sets had no `wait`. */
export interface WaitingLimits {
  /** 10,000 by default, which take about 15 MB. */
  readonly waitersPerProcess?: number | undefined
}

/** The calls that wait in this process. A subject may take as many places as it leaves free: alone half of all, together
 *  with n others one part in n + 2. So nobody's calls can take the last place, and the places of quiet subjects are not
 *  left unused: the dynamic thresholds by which switches share buffers (Choudhury and Hahne, 1998, with alpha 1). */
export class Waiters {
  readonly #most: number
  readonly #ends = new Map<WaitingCall, PromiseWithResolvers<void>>()
  readonly #bySubject = new Map<string, number>()
  #isClosed = false

  constructor({ waitersPerProcess = 10_000 }: WaitingLimits) {
    this.#most = waitersPerProcess
  }

  /** Adds the call; false when it may not wait. */
  admit(call: WaitingCall): boolean {
    if (this.#isClosed) return false
    if (this.#ends.has(call)) return true
    const own = this.#countOf(call)
    if (own >= this.#most - this.#ends.size) return false
    this.#bySubject.set(call.subject, own + 1)
    this.#ends.set(call, Promise.withResolvers())
    return true
  }

  has(call: WaitingCall): boolean {
    return this.#ends.has(call)
  }

  /** To be called when the call is decided. */
  end(call: WaitingCall): void {
    const end = this.#ends.get(call)
    if (!end) return
    this.#ends.delete(call)
    const left = this.#countOf(call) - 1
    if (left > 0) this.#bySubject.set(call.subject, left)
    else this.#bySubject.delete(call.subject)
    end.resolve()
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

  #countOf({ subject }: WaitingCall): number {
    return this.#bySubject.get(subject) ?? 0
  }
}
