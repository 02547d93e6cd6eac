import type { Clock } from '../clock.ts'
import type { Trial } from '../overrides.ts'
import type { DecidedCall } from '../permit.ts'
import type { CompiledRuleSet, TrialCounts } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import {
  type CallEvent,
  type EventsDropped,
  type Happening,
  happenings,
  passOf,
  reportedCharge,
  toEvent,
} from './call-event.ts'
import { countTrials } from './count-trials.ts'
import { FirstEvents } from './first-events.ts'
import { countKey } from './key-rate.ts'
import { type ChargedSet, type CountsCall, LabelCounter } from './label-counter.ts'
import type { Counts, LimiterStats } from './limiter-stats.ts'
import { merged } from './merge.ts'
import { MostRefused } from './most-refused.ts'
import { NearestToLimit } from './nearest-to-limit.ts'
import { SecondHand } from './second-hand.ts'
import { readSnapshot, type Snapshot, snapshotOf } from './snapshot.ts'

/** Counts what this process has decided. Labels, sets and rules are declared in code, so they are few. Subjects are
 *  many: only those that stand out are remembered, in tables of bounded size, so that neither the memory nor the cost
 *  of counting a call grows with their number. */
export class CallStats {
  readonly #clock: Clock
  readonly #date: Clock
  readonly #log: (event: CallEvent | EventsDropped) => void
  readonly #hand: SecondHand
  readonly #labels = new Map<string, LabelCounter>()
  readonly #nearest = new NearestToLimit()
  readonly #mostRefused = new MostRefused()
  readonly #events: FirstEvents
  readonly #logsPasses: boolean
  #trials: readonly TrialCounts[] = []

  /** `date` is the machine's, from which the clock may differ. `logsPasses`: the first pass of a subject in a window is an event
   *  too. */
  constructor(clock: Clock, date: Clock, log: (event: CallEvent | EventsDropped) => void, logsPasses = false) {
    this.#logsPasses = logsPasses
    this.#clock = clock
    this.#date = date
    this.#hand = new SecondHand(clock)
    this.#log = log
    this.#events = new FirstEvents(log)
  }

  /** Counts a call under `label`, or each of its rules under its rule set. Several charges by one rule, such as those
   *  for a list of images, are one call. */
  count(label: string | undefined, decided: DecidedCall, countsCall: CountsCall = 'always'): void {
    const { decision, receipt } = decided
    const second = this.#hand.read()
    const labelled = label === undefined ? null : this.#labelled(label)
    labelled?.countCall(second, decision.allowed, countsCall)
    let before: Charge | undefined
    for (const charge of receipt.charges) {
      if (charge.known) countKey(charge.known, second)
      if (isSamePart(charge, before)) continue
      const counter = labelled ?? this.#labelled(charge.facts.name)
      if (!labelled && charge.facts.name !== before?.facts.name) counter.countCall(second, decision.allowed, countsCall)
      counter.count(second, charge, decided)
      before = charge
    }
    if (this.#trials.length > 0 && decision.allowed) countTrials(receipt)
    if (decision.decidedBy === 'policy' || this.#isOneOfMany(decided, second)) return
    if (this.#logsPasses && decision.allowed) this.#report(passOf(decided), label, second)
    // A block says nothing of what is used.
    if (decision.decidedBy !== 'block') this.#nearest.note(decided, second)
    if (!decision.allowed || decision.shadowedBy || decision.degradedBy || decided.waitedFor !== null)
      this.#remember(label, decided, second)
  }

  /** Counts what the trials would have refused from now on; those that it follows already go on. */
  follow(trials: readonly Trial[]): void {
    this.#trials = trials.flatMap(({ sets: [first] }) => first?.facts.trial ?? [])
  }

  /** Counts a call that ended while it waited. */
  abandon(label: string | undefined, charges: readonly Charge[]): void {
    this.#countAll(label, charges, 'abandoned')
  }

  /** Counts the points of penalties, which are the cost of the charges. */
  penalize(label: string | undefined, charges: readonly Charge[]): void {
    const second = this.#hand.read()
    for (const charge of charges)
      this.#labelled(label ?? charge.facts.name).countAll(second, charge, 'penaltyPoints', charge.cost)
  }

  /** Counts a call of an exempt caller. */
  free(label: string, sets: readonly CompiledRuleSet[], countsCall: CountsCall = 'always'): void {
    this.#labelled(label).countCall(this.#hand.read(), true, countsCall)
    this.#countAll(label, sets, 'free')
  }

  /** Merges what this process decided with the snapshots of other processes. */
  stats(others: readonly string[]): LimiterStats {
    return merged([this.snapshot(), ...others.flatMap((text) => readSnapshot(text) ?? [])], this.#date.now())
  }

  /** Returns this process's snapshot for the others. */
  snapshot(): Snapshot {
    const second = this.#hand.read()
    const aheadMs = this.#clock.now() - this.#date.now()
    return snapshotOf(second, [...this.#labels.values()], {
      at: this.#date.now(),
      nearest: this.#nearest.list(second).map((near) => ({ ...near, at: near.at - aheadMs })),
      mostRefused: this.#mostRefused.list(second).map((most) => ({ ...most, lastAt: most.lastAt - aheadMs })),
      trials: this.#trials,
    })
  }

  /** Whether other refusals like this one were counted in the same second: then it only adds to their number. */
  #isOneOfMany(decided: DecidedCall, second: number): boolean {
    const { refusedBy } = decided.decision
    const charge = refusedBy && decided.waitedFor === null ? reportedCharge(decided, refusedBy) : undefined
    return charge !== undefined && refusedBy !== null && this.#mostRefused.addAgain(charge, refusedBy.policy, second)
  }

  /** Records every outcome except a plain pass. */
  #remember(label: string | undefined, decided: DecidedCall, second: number): void {
    for (const happening of happenings(decided)) {
      const { type, charge, policy } = happening
      if (type === 'refused') this.#mostRefused.add(charge, policy, second)
      this.#report(happening, label, second)
    }
  }

  #report(happening: Happening | null, label: string | undefined, second: number): void {
    if (!happening || !this.#events.isFirst(happening, this.#clock.now())) return
    const counter = this.#labelled(label ?? happening.charge.facts.name)
    this.#log(toEvent(happening, counter.label, second, counter.perSecond(second)))
  }

  #labelled(label: string): LabelCounter {
    const known = this.#labels.get(label)
    if (known) return known
    const counter = new LabelCounter(label)
    this.#labels.set(label, counter)
    return counter
  }

  #countAll(label: string | undefined, parts: readonly ChargedSet[], name: keyof Counts): void {
    const second = this.#hand.read()
    let before: ChargedSet | undefined
    for (const part of parts) {
      if (!isSamePart(part, before)) this.#labelled(label ?? part.facts.name).countAll(second, part, name)
      before = part
    }
  }
}

function isSamePart({ facts, algorithm }: ChargedSet, other: ChargedSet | undefined): boolean {
  return facts === other?.facts && algorithm === other.algorithm
}
