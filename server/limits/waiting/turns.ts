import type { Clock } from '../clock.ts'
import { renewLeases } from '../permit.ts'
import { takenIn } from '../receipt.ts'
import type { LimitStore, Receipt } from '../store.ts'
import { Alarm } from './alarm.ts'
import { isPaced } from './answers.ts'
import type { WaitingCall } from './waiting-call.ts'

/** Delays calls that have their permits from a bucket that paces until their turn: at most `perKey` for each bucket.
 *  Their other permits stay taken in the meantime. */
export class Turns {
  readonly #clock: Clock
  readonly #perKey: number
  readonly #store: LimitStore
  readonly #held = new Map<string, number>()

  constructor(clock: Clock, perKey: number, store: LimitStore) {
    this.#clock = clock
    this.#perKey = perKey
    this.#store = store
  }

  /** Whether every bucket that paces the call has room for one more. */
  hasRoom(receipt: Receipt): boolean {
    return keysOf(receipt).every((key) => this.#heldAt(key) < this.#perKey)
  }

  /** Delays the call until the instant `call.heldUntil`; returns false when it is cancelled before. */
  async hold(call: WaitingCall, receipt: Receipt): Promise<boolean> {
    const alarm = new Alarm(this.#clock)
    call.waitAnew()
    alarm.set(call.heldUntil, () => call.go())
    const renewals = renewLeases(receipt, this.#store)
    for (const key of keysOf(receipt)) this.#held.set(key, this.#heldAt(key) + 1)
    const isTurn = await call.turn
    for (const key of keysOf(receipt)) this.#release(key)
    clearInterval(renewals)
    alarm.clear()
    return isTurn
  }

  #heldAt(key: string): number {
    return this.#held.get(key) ?? 0
  }

  #release(key: string): void {
    const left = this.#heldAt(key) - 1
    if (left > 0) this.#held.set(key, left)
    else this.#held.delete(key)
  }
}

function keysOf(receipt: Receipt): readonly string[] {
  return takenIn(receipt)
    .filter(isPaced)
    .map(({ key }) => key)
}
