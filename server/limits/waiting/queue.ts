import type { Answered } from '../by-charge.ts'
import type { Clock } from '../clock.ts'
import { Alarm } from './alarm.ts'
import { holdOn, isReleased } from './answers.ts'
import type { WaitingCall } from './waiting-call.ts'

/** What other processes release, nobody tells this one: the first of a queue looks this often. */
const LOOK_EVERY_MS = 250
/** A call whose turn comes later than this behind its deadline, because the store is slow, is refused unasked. */
const GRACE_MS = 100

interface Heard extends Answered {
  readonly at: number
  readonly jitterMs: number
}

/** The calls that wait for permits of one key, in order of arrival. Only the first asks the store, when its time has
 *  come by what the store said last to any of them. */
export class Queue {
  readonly key: string
  readonly #clock: Clock
  readonly #jitterMs: () => number
  readonly #alarm: Alarm
  #calls: WaitingCall[] = []
  #heard: Heard | null = null
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

  has(call: WaitingCall): boolean {
    return this.#calls.includes(call)
  }

  /** The call stands here by its arrival, if it does not yet. `heard` is what the store has just told it of the key,
   *  null when that may not hold any more. */
  enter(call: WaitingCall, heard?: Answered | null): void {
    call.waitAnew()
    this.#remember(heard)
    if (!this.has(call)) {
      const behind = this.#calls.findLastIndex(({ number }) => number < call.number)
      this.#calls.splice(behind + 1, 0, call)
    }
    this.hold(call)
    this.#review()
  }

  leave(call: WaitingCall, heard?: Answered | null): void {
    this.#remember(heard)
    this.#calls = this.#calls.filter((other) => other !== call)
    this.#review()
  }

  /** Permits came back: what the store said holds no longer. */
  wake(): void {
    this.#heard = null
    this.#review()
  }

  /** Other limits hold: everybody here asks anew, in their order. */
  askAll(): void {
    this.#heard = null
    for (const call of this.#calls) {
      if (call.isAsking) continue
      call.isAsking = true
      call.go()
    }
  }

  /** Nobody waits here any longer. */
  dismissAll(): void {
    for (const call of this.#calls) if (!call.isAsking) this.#dismiss(call)
    this.#alarm.clear()
  }

  /** Tells the call what holds it here. */
  hold(call: WaitingCall): void {
    const first = this.#calls[0]
    call.heldBy = this.#heldBy
    call.heldUntil = first ? this.#knownAt(first) : 0
  }

  #remember(heard: Answered | null | undefined): void {
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
    const deadline = Math.min(...this.#calls.filter(({ isAsking }) => !isAsking).map((call) => call.deadline))
    if (!first.isAsking) {
      const at = Math.min(this.#dueAt(first, now), deadline)
      if (at > now) {
        this.#alarm.set(at, () => this.#review())
        return
      }
      first.isAsking = true
      first.go()
    }
    // Those behind it do not wait for ever for a store that says nothing.
    if (this.#calls.length > 1) this.#alarm.set(deadline + GRACE_MS + 1, () => this.#review())
  }

  #dismissLate(now: number): void {
    let first = this.#calls[0]
    while (first && !first.isAsking && this.#isLate(first, first, now)) {
      this.#dismiss(first)
      first = this.#calls[0]
    }
    for (const call of this.#calls.slice(1)) {
      if (first && !call.isAsking && this.#isLate(call, first, now)) this.#dismiss(call)
    }
  }

  /** Whether the call cannot have its permit by its deadline: nobody passes before the first. */
  #isLate({ deadline }: WaitingCall, first: WaitingCall, now: number): boolean {
    if (deadline + GRACE_MS < now) return true
    if (first.isAsking || !this.#heard) return false
    return deadline < this.#knownAt(first) || (deadline <= this.#heard.at && this.#dueAt(first, now) > now)
  }

  #dismiss(call: WaitingCall): void {
    this.hold(call)
    this.#calls = this.#calls.filter((other) => other !== call)
    call.giveUp()
  }

  /** Until when the call certainly does not pass; 0 where nobody knows. */
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
