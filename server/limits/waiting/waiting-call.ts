import type { Charge } from '../store.ts'

/** A call that may have to wait for its permit, and the state of its wait. */
export class WaitingCall {
  /** Its number by order of arrival in this process. */
  readonly number: number
  charges: readonly Charge[] = []
  /** The charges of enforcing sets with a `wait`. Those of other sets refuse at once, or never. */
  patient: readonly Charge[] = []
  /** The instant of its arrival, in milliseconds of the clock. */
  readonly since: number
  readonly signal: AbortSignal | undefined
  /** The instant until which it may wait, by the sets that refused it last. */
  deadline = Number.POSITIVE_INFINITY
  /** Whether the store is being asked about it now. */
  isAsking = false
  /** Permits were released while the store was being asked: its answer may be older than that. */
  isOutdated = false
  /** The policy of the rule that it waits for, and the instant until which it does at least. */
  heldBy: string | null = null
  heldUntil = 0
  #turn: PromiseWithResolvers<boolean> | null = null

  constructor(number: number, charges: readonly Charge[], since: number, signal?: AbortSignal) {
    this.number = number
    this.since = since
    this.signal = signal
    this.charge(charges)
  }

  /** Replaces its charges. */
  charge(charges: readonly Charge[]): void {
    this.charges = charges
    this.patient = charges.filter(({ facts }) => facts.mode === 'enforce' && facts.waitMs > 0)
  }

  /** Resolves with true when it is the call's turn, and with false when it must give up. Already true when it does not
   *  wait. */
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
