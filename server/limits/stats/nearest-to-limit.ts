import type { Decision, RuleReport } from '../decision.ts'
import type { Charge } from '../store.ts'
import { hashTagOf } from '../stores/hash-tag.ts'
import type { NearLimit } from './limiter-stats.ts'
import { SECONDS } from './ring-window.ts'
import { byFullness, SUBJECTS } from './subject-lists.ts'

/** How many are remembered; beyond, the half that is less full is forgotten. */
const ROOM = 1_024

interface Standing {
  report: RuleReport
  second: number
}

/** The subjects nearest to a limit in the last minute: of each key the fullest rule, as the last call that left at most
 *  half of it found it. Other calls cost a comparison for each rule, and nothing else. */
export class NearestToLimit {
  readonly #byKey = new Map<string, Standing>()

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
    this.#forgetOld(second)
    return [...this.#byKey].map(nearLimit).toSorted(byFullness).slice(0, SUBJECTS)
  }

  #remember(key: string, report: RuleReport, second: number): void {
    const known = this.#byKey.get(key)
    if (known) {
      known.report = report
      known.second = second
      return
    }
    if (this.#byKey.size >= ROOM) this.#makeRoom(second)
    this.#byKey.set(key, { report, second })
  }

  #makeRoom(second: number): void {
    this.#forgetOld(second)
    if (this.#byKey.size <= ROOM / 2) return
    const fullest = [...this.#byKey].toSorted((a, b) => byFullness(nearLimit(a), nearLimit(b))).slice(0, ROOM / 2)
    this.#byKey.clear()
    for (const [key, standing] of fullest) this.#byKey.set(key, standing)
  }

  #forgetOld(second: number): void {
    for (const [key, standing] of this.#byKey) if (standing.second <= second - SECONDS) this.#byKey.delete(key)
  }
}

function nearLimit([key, { report, second }]: readonly [string, Standing]): NearLimit {
  const { ruleSet, policy, limit, remaining } = report
  return { subject: hashTagOf(key), ruleSet, policy, used: limit - remaining, limit, at: second * 1_000 }
}
