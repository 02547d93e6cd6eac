import type { Charge } from '../store.ts'

/** A call that comes to the waiting room. */
export interface Arrival {
  /** Its number by order of arrival in this process. */
  readonly number: number
  readonly charges: readonly Charge[]
  /** The instant of its arrival, in milliseconds of the clock. */
  readonly since: number
  /** Whose place it takes. */
  readonly subject: string
  /** Its own deadline, in milliseconds after its arrival; undefined for that of its sets. */
  readonly waitMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** A call that may have to wait for its permit, and the state of its wait. */
export class WaitingCall {
  /** Its number by order of arrival in this process. */
  readonly number: number
  charges: readonly Charge[] = []
  /** The charges of enforcing sets with a `wait`. Those of other sets refuse at once, or never. */
  patient: readonly Charge[] = []
  /** The instant of its arrival, in milliseconds of the clock. */
  readonly since: number
  readonly subject: string
  /** Its own deadline, in milliseconds after its arrival; infinite without one. */
  readonly waitMs: number
  readonly signal: AbortSignal | undefined
  /** The instant until which it may wait, by its own deadline and the sets that refused it last. */
  deadline = Number.POSITIVE_INFINITY
  /** Whether the store is being asked about it now. */
  isAsking = false
  /** Permits were released while the store was being asked: its answer may be older than that. */
  isOutdated = false
  /** The policy of the rule that it waits for, and the instant until which it does at least. */
  heldBy: string | null = null
  heldUntil = 0
  #turn: PromiseWithResolvers<boolean> | null = null

  constructor({ number, charges, since, subject, waitMs = Number.POSITIVE_INFINITY, signal }: Arrival) {
    this.number = number
    this.since = since
    this.subject = subject
    this.waitMs = waitMs
    this.signal = signal
    this.charge(charges)
  }

  /** Replaces its charges. */
  charge(charges: readonly Charge[]): void {
    this.charges = charges
    this.patient = charges.filter(({ facts }) => facts.mode === 'enforce' && facts.waitMs > 0)
  }

  /** For a call that brings its own deadline: how long it could wait, which its sets may bound. Null for others. */
  get ownWait(): { readonly ownWaitMs: number } | null {
    if (this.waitMs === Number.POSITIVE_INFINITY) return null
    return { ownWaitMs: Math.min(this.waitMs, ...this.patient.map(({ facts }) => facts.waitMs)) }
  }

  /** Sets the deadline by sets that let it wait for `waitMs`. */
  waitWithin(waitMs: number): void {
    this.deadline = this.since + Math.min(waitMs, this.waitMs)
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
