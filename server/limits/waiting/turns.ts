import type { Clock } from '../clock.ts'
import { type Amender, renewLeases, type Taken } from '../permit.ts'
import { Alarm } from './alarm.ts'
import { isPaced } from './answers.ts'
import type { WaitingCall } from './waiting-call.ts'

/** Holds calls that have their permits from a bucket that paces until their turn comes: at most `perKey` for each
 *  bucket. What else they have taken stays taken meanwhile. */
export class Turns {
  readonly #clock: Clock
  readonly #perKey: number
  readonly #amender: Amender
  readonly #held = new Map<string, number>()

  constructor(clock: Clock, perKey: number, amender: Amender) {
    this.#clock = clock
    this.#perKey = perKey
    this.#amender = amender
  }

  /** Whether every bucket that paces the call has room for one more. */
  hasRoom(taken: Taken): boolean {
    return keysOf(taken).every((key) => this.#heldAt(key) < this.#perKey)
  }

  /** Holds the call until the instant `call.heldUntil`; false when it gives up before. */
  async hold(call: WaitingCall, taken: Taken): Promise<boolean> {
    const alarm = new Alarm(this.#clock)
    call.waitAnew()
    alarm.set(call.heldUntil, () => call.go())
    const renewals = renewLeases(taken, this.#amender)
    for (const key of keysOf(taken)) this.#held.set(key, this.#heldAt(key) + 1)
    const isTurn = await call.turn
    for (const key of keysOf(taken)) this.#release(key)
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

function keysOf({ charges }: Taken): readonly string[] {
  return charges.filter(isPaced).map(({ key }) => key)
}
