import type { Clock } from '../clock.ts'
import { Alarm } from './alarm.ts'
import { type AnsweredCharge, holdOn, isReleased } from './answers.ts'
import type { WaitingCall } from './waiting-call.ts'

/** Permits that other processes release are not announced to this one, so the first of a queue asks this often. */
const LOOK_EVERY_MS = 250
/** A call that is this much past its deadline, because the store is slow, is refused without asking the store. */
const GRACE_MS = 100

/** The calls that wait for permits of one key, in order of arrival. Only the first asks the store, at the time given by
 *  the store's last answer to any of them. */
export class Queue {
  readonly key: string
  readonly #clock: Clock
  readonly #jitterMs: () => number
  readonly #alarm: Alarm
  /** In order of arrival. */
  #calls: WaitingCall[] = []
  /** No call here that is not asking has an earlier deadline, so that thousands need not be looked at for each that comes
   *  or goes. */
  #soonest = Number.POSITIVE_INFINITY
  /** The store's last answer, null when it may be outdated; the instant at which it came, and the delay that is added to
   *  the time it names. */
  #heard: (AnsweredCharge & { readonly at: number; readonly jitterMs: number }) | null = null
  #heldBy: string | null = null

  constructor(key: string, clock: Clock, jitterMs: () => number) {
    this.key = key
    this.#clock = clock
    this.#jitterMs = jitterMs
    this.#alarm = new Alarm(clock)
  }

  get size(): number {
    return this.#calls.length
  }

  /** Adds the call, at its place by arrival, unless it is already here. `heard` is the store's latest answer about the
   *  key; null when that may be outdated. */
  enter(call: WaitingCall, heard?: AnsweredCharge | null): void {
    call.waitAnew()
    this.#remember(heard)
    const place = this.#placeOf(call)
    if (this.#calls[place] !== call) this.#calls.splice(place, 0, call)
    this.#soonest = Math.min(this.#soonest, call.deadline)
    this.hold(call)
    this.#review()
  }

  leave(call: WaitingCall, heard?: AnsweredCharge | null): void {
    this.#remember(heard)
    this.#remove(call)
    this.#review()
  }

  /** To be called when permits were released: the store's last answer is outdated. */
  wake(): void {
    this.#heard = null
    this.#review()
  }

  /** To be called when limits have changed: all calls here ask again, in their order. */
  askAll(): void {
    this.#heard = null
    for (const call of this.#calls) {
      if (call.isAsking) continue
      call.isAsking = true
      call.go()
    }
  }

  /** Refuses all calls here, except those that are asking the store. */
  dismissAll(): void {
    for (const call of this.#calls) if (!call.isAsking) this.#dismiss(call)
    this.#alarm.clear()
  }

  /** Records in the call which rule it waits for here, and until when at least. */
  hold(call: WaitingCall): void {
    const first = this.#calls[0]
    call.heldBy = this.#heldBy
    call.heldUntil = first ? this.#knownAt(first) : 0
  }

  #remember(heard: AnsweredCharge | null | undefined): void {
    if (heard === undefined) return
    this.#heard = heard && { ...heard, at: this.#clock.now(), jitterMs: this.#jitterMs() }
    this.#heldBy = (heard && holdOn(heard, heard.charge.cost).policy) ?? this.#heldBy
  }

  #review(): void {
    this.#alarm.clear()
    const now = this.#clock.now()
    this.#dismissLate(now)
    const first = this.#calls[0]
    if (!first) return
    if (!first.isAsking) {
      const at = Math.min(this.#dueAt(first, now), this.#soonest)
      if (at > now) {
        this.#alarm.set(at, () => this.#review())
        return
      }
      first.isAsking = true
      first.go()
    }
    // The calls behind it keep their deadlines, even if the store never answers the first.
    if (this.#calls.length > 1) this.#alarm.set(this.#soonest + GRACE_MS + 1, () => this.#review())
  }

  #dismissLate(now: number): void {
    let first = this.#calls[0]
    while (first && !first.isAsking && this.#isLate(first, first, now)) {
      this.#dismiss(first)
      first = this.#calls[0]
    }
    if (!first || (this.#soonest > now && (first.isAsking || this.#soonest >= this.#knownAt(first)))) return
    const late = this.#calls.filter((call) => call !== first && !call.isAsking && this.#isLate(call, first, now))
    for (const call of late) this.#dismiss(call)
    this.#soonest = this.#calls.reduce(
      (soonest, { isAsking, deadline }) => (isAsking ? soonest : Math.min(soonest, deadline)),
      Number.POSITIVE_INFINITY,
    )
  }

  /** Whether the call cannot get its permit by its deadline. No call passes before the first of the queue. */
  #isLate({ deadline }: WaitingCall, first: WaitingCall, now: number): boolean {
    if (deadline + GRACE_MS < now) return true
    if (first.isAsking || !this.#heard) return false
    return deadline < this.#knownAt(first) || (deadline <= this.#heard.at && this.#dueAt(first, now) > now)
  }

  #dismiss(call: WaitingCall): void {
    this.hold(call)
    this.#remove(call)
    call.giveUp()
  }

  #remove(call: WaitingCall): void {
    const place = this.#placeOf(call)
    if (this.#calls[place] === call) this.#calls.splice(place, 1)
  }

  /** The index of the call, or the one at which it belongs. */
  #placeOf({ number }: WaitingCall): number {
    let low = 0
    for (let high = this.#calls.length; low < high; ) {
      const middle = (low + high) >> 1
      if ((this.#calls[middle]?.number ?? number) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The instant before which the call certainly does not pass; 0 when unknown. */
  #knownAt(call: WaitingCall): number {
    if (!this.#heard || isReleased(this.#heard.charge)) return 0
    const { ms } = holdOn(this.#heard, this.#costOf(call))
    return ms === 0 ? 0 : this.#heard.at + ms
  }

  #dueAt(call: WaitingCall, now: number): number {
    if (!this.#heard) return now
    const { at, charge, jitterMs } = this.#heard
    const { ms } = holdOn(this.#heard, this.#costOf(call))
    if (ms === 0) return now
    return at + (isReleased(charge) ? Math.min(ms, LOOK_EVERY_MS) : ms) + jitterMs
  }

  #costOf(call: WaitingCall): number {
    return call.charges.find(({ key }) => key === this.key)?.cost ?? 1
  }
}
