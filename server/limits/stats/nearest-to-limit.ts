import type { Decision, RuleReport } from '../decision.ts'
import type { Charge } from '../store.ts'
import { hashTagOf } from '../stores/hash-tag.ts'
import type { NearLimit } from './limiter-stats.ts'
import { SECONDS } from './ring-window.ts'
import { SUBJECTS } from './subject-lists.ts'

/** How many are remembered; when there are so many, the half that is less full is forgotten. */
const ROOM = 1_024

interface Standing {
  report: RuleReport
  /** The part of the limit that is used. */
  fullness: number
  second: number
}

/** The subjects nearest to a limit in the last minute: of each key the fullest rule, as the last call that left at most
 *  half of it found it. Other calls cost a comparison for each rule, and nothing else. */
export class NearestToLimit {
  readonly #byKey = new Map<string, Standing>()
  /** Whoever is not fuller has no place, until there is room again. */
  #floor = 0
  #second = Number.NEGATIVE_INFINITY

  note(charges: readonly Charge[], { rules: reports }: Decision, second: number): void {
    // One for each rule, in their order, but for those in shadow mode.
    let next = 0
    for (let index = 0; index < charges.length; index += 1) {
      const charge = charges[index]
      if (!charge || charge.facts.mode === 'shadow') continue
      let fullest: RuleReport | undefined
      for (let rule = 0; rule < charge.rules.length; rule += 1, next += 1) {
        const report = reports[next]
        if (!report || report.remaining * 2 > report.limit || report.policy !== charge.rules[rule]?.policy) continue
        if (!fullest || report.remaining * fullest.limit < fullest.remaining * report.limit) fullest = report
      }
      if (fullest) this.#remember(charge.key, fullest, second)
    }
  }

  /** Instants are the clock's. */
  list(second: number): NearLimit[] {
    this.#turnTo(second)
    const fullest = [...this.#byKey].sort(([, a], [, b]) => b.fullness - a.fullness || b.second - a.second)
    return fullest.slice(0, SUBJECTS).map(nearLimit)
  }

  #remember(key: string, report: RuleReport, second: number): void {
    if (second !== this.#second) this.#turnTo(second)
    const fullness = 1 - report.remaining / report.limit
    const known = this.#byKey.get(key)
    if (known) {
      known.report = report
      known.fullness = fullness
      known.second = second
    } else if (fullness > this.#floor) {
      this.#byKey.set(key, { report, fullness, second })
      if (this.#byKey.size >= ROOM) this.#forgetHalf()
    }
  }

  #forgetHalf(): void {
    const sorted = [...this.#byKey.values()].map(({ fullness }) => fullness).toSorted((a, b) => b - a)
    const floor = sorted[ROOM / 2] ?? 0
    this.#floor = floor
    // Of those at the floor as many stay as there is room for.
    let room = ROOM / 2 - sorted.indexOf(floor)
    for (const [key, { fullness }] of this.#byKey) {
      if (fullness > floor) continue
      if (fullness < floor || room <= 0) this.#byKey.delete(key)
      else room -= 1
    }
  }

  #turnTo(second: number): void {
    this.#second = second
    for (const [key, standing] of this.#byKey) if (standing.second <= second - SECONDS) this.#byKey.delete(key)
    if (this.#byKey.size < ROOM / 2) this.#floor = 0
  }
}

function nearLimit([key, { report, second }]: readonly [string, Standing]): NearLimit {
  const { ruleSet, policy, limit, remaining } = report
  return { subject: hashTagOf(key), ruleSet, policy, used: limit - remaining, limit, at: second * 1_000 }
}
