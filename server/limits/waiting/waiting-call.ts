import type { Charge } from '../store.ts'

/** A call on its way to its permit: where it stands, and what it is told. */
export class WaitingCall {
  /** Its place among all calls of this process, by arrival. */
  readonly number: number
  charges: readonly Charge[] = []
  /** The charges by which it may wait; those of other sets refuse at once, or not at all. */
  patient: readonly Charge[] = []
  /** When it came, in milliseconds of the clock. */
  readonly since: number
  readonly signal: AbortSignal | undefined
  /** Until when it may wait; by the sets that refused it last. */
  deadline = Number.POSITIVE_INFINITY
  /** The store is deciding about it. */
  isAsking = false
  /** Permits came back while the store was deciding: what it says may be older than that. */
  isOutdated = false
  /** The rule that holds it, and until when at least. */
  heldBy: string | null = null
  heldUntil = 0
  #turn: PromiseWithResolvers<boolean> | null = null

  constructor(number: number, charges: readonly Charge[], since: number, signal?: AbortSignal) {
    this.number = number
    this.since = since
    this.signal = signal
    this.charge(charges)
  }

  /** From now on it takes these. */
  charge(charges: readonly Charge[]): void {
    this.charges = charges
    this.patient = charges.filter(({ facts }) => facts.mode === 'enforce' && facts.waitMs > 0)
  }

  /** True when it is the call's turn; false when it shall wait no longer. Nothing to wait for is its turn. */
  get turn(): Promise<boolean> {
    return this.#turn?.promise ?? Promise.resolve(true)
  }

  waitAnew(): void {
    this.#turn = Promise.withResolvers()
  }

  go(): void {
    this.#turn?.resolve(true)
  }

  giveUp(): void {
    this.#turn?.resolve(false)
  }
}
