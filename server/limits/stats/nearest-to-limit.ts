import type { RuleReport } from '../decision.ts'
import type { DecidedCall } from '../permit.ts'
import type { Charge } from '../store.ts'
import { hashTagOf } from '../stores/hash-tag.ts'
import type { NearLimit } from './limiter-stats.ts'
import { SECONDS } from './ring-window.ts'
import { SUBJECTS } from './subject-lists.ts'

/** The most entries that are remembered; when that many are reached, the half with the lower usage is dropped. */
const ROOM = 1_024

/** Keys that are collected between two updates of the table. */
const NOTED = 16_384

/** The usage of a key's fullest rule at its last call. */
class Standing {
  readonly key: string
  /** The list that contains it, or will look for its place; null once it has none. */
  list: NearestToLimit | null
  second: number
  ruleSet = ''
  policy = ''
  limit = 0
  remaining = 0
  readonly argument: string | undefined

  constructor(list: NearestToLimit, { key, known }: Charge, second: number) {
    this.list = list
    this.key = key
    this.argument = known?.argument ?? undefined
    this.second = second
  }

  /** The used fraction of the limit. */
  get fullness(): number {
    return 1 - this.remaining / this.limit
  }
}

/** The subjects nearest to a limit in the last minute: for each key its fullest rule, as of the last call that left at
 *  most half of it. Other calls cost one comparison for each rule. A key that is charged often is looked up once a
 *  second. */
export class NearestToLimit {
  readonly #byKey = new Map<string, Standing>()
  /** Entries of this second that are not yet in the table. */
  #noted: Standing[] = []
  /** Entries that are no fuller are not added until there is room again. */
  #floor = 0
  #second = Number.NEGATIVE_INFINITY

  note({ decision, receipt }: DecidedCall, second: number): void {
    // One report for each rule that was asked about, in order, except those in shadow mode.
    let next = 0
    for (const { charge } of receipt.lines) {
      if (charge.facts.mode === 'shadow') continue
      let fullest: RuleReport | undefined
      for (let rule = 0; rule < charge.rules.length; rule += 1, next += 1) {
        const report = decision.rules[next]
        if (!report || report.remaining * 2 > report.limit || report.policy !== charge.rules[rule]?.policy) continue
        if (!fullest || report.remaining * fullest.limit < fullest.remaining * report.limit) fullest = report
      }
      if (fullest) this.#remember(charge, fullest, second)
    }
  }

  /** Last uses are instants of the clock. */
  list(second: number): NearLimit[] {
    this.#turnTo(second)
    const fullest = [...this.#byKey.values()].sort((a, b) => b.fullness - a.fullness || b.second - a.second)
    return fullest.slice(0, SUBJECTS).map(nearLimit)
  }

  #remember(charge: Charge, { ruleSet, policy, limit, remaining }: RuleReport, second: number): void {
    if (second !== this.#second) this.#turnTo(second)
    const standing = this.#standingOf(charge, second)
    standing.ruleSet = ruleSet
    standing.policy = policy
    standing.limit = limit
    standing.remaining = remaining
  }

  /** Uses no look-up where a call of this second has already found the entry. */
  #standingOf(charge: Charge, second: number): Standing {
    const { known } = charge
    const last = known?.standing
    if (last instanceof Standing && last.list === this && last.second === second) return last
    if (this.#noted.length >= NOTED) this.#placeNoted()
    const standing = new Standing(this, charge, second)
    this.#noted.push(standing)
    if (known) known.standing = standing
    return standing
  }

  #placeNoted(): void {
    const noted = this.#noted
    this.#noted = []
    for (const standing of noted) this.#place(standing)
  }

  #place(standing: Standing): void {
    const { key } = standing
    const before = this.#byKey.get(key)
    if (!before && standing.fullness <= this.#floor) {
      standing.list = null
      return
    }
    if (before) before.list = null
    this.#byKey.set(key, standing)
    if (this.#byKey.size >= ROOM) this.#forgetHalf()
  }

  #forget(standing: Standing): void {
    standing.list = null
    this.#byKey.delete(standing.key)
  }

  #forgetHalf(): void {
    const sorted = [...this.#byKey.values()].map(({ fullness }) => fullness).toSorted((a, b) => b - a)
    const floor = sorted[ROOM / 2] ?? 0
    this.#floor = floor
    // Of the entries at the threshold, as many are kept as there is room for.
    let room = ROOM / 2 - sorted.indexOf(floor)
    for (const standing of this.#byKey.values()) {
      if (standing.fullness > floor) continue
      if (standing.fullness < floor || room <= 0) this.#forget(standing)
      else room -= 1
    }
  }

  #turnTo(second: number): void {
    this.#placeNoted()
    this.#second = second
    for (const standing of this.#byKey.values()) if (standing.second <= second - SECONDS) this.#forget(standing)
    if (this.#byKey.size < ROOM / 2) this.#floor = 0
  }
}

function nearLimit({ key, argument, ruleSet, policy, limit, remaining, second }: Standing): NearLimit {
  const of = { subject: hashTagOf(key), ruleSet, policy, key, argument }
  return { ...of, used: limit - remaining, limit, at: second * 1_000 }
}
