import type { Charge } from '../store.ts'
import { hashTagOf } from '../stores/hash-tag.ts'
import type { RefusedSubject } from './limiter-stats.ts'
import { byRefusals, SUBJECTS } from './subject-lists.ts'

/** How many are counted at a time. */
const ROOM = 1_024

/** A list tells of the last one to two of them. */
const GENERATION_S = 30 * 60

interface Refusals {
  readonly subject: string
  readonly ruleSet: string
  readonly policy: string
  /** Since it is counted. */
  refused: number
  /** How many it may have had before that, at most. */
  readonly missed: number
  lastAt: number
}

/** What there may be more of than can be counted: lossy counting (Manku and Motwani, 2002), which forgets the rarer half
 *  when there is no more room. Whoever has more than a 512th of all is never forgotten, and no count is too high. */
class Generation {
  readonly #counted = new Map<string, Refusals>()
  /** The most that anybody had who was forgotten. */
  #forgotten = 0

  add({ key, facts }: Charge, policy: string, lastAt: number): void {
    const name = `${policy} ${key}`
    const known = this.#counted.get(name)
    if (known) {
      known.refused += 1
      known.lastAt = lastAt
      return
    }
    if (this.#counted.size >= ROOM) this.#makeRoom()
    const of = { subject: hashTagOf(key), ruleSet: facts.name, policy }
    this.#counted.set(name, { ...of, refused: 1, missed: this.#forgotten, lastAt })
  }

  entries(): Iterable<[string, Refusals]> {
    return this.#counted
  }

  #makeRoom(): void {
    const most = ({ refused, missed }: Refusals) => refused + missed
    const sorted = [...this.#counted.values()].map(most).toSorted((a, b) => a - b)
    this.#forgotten = sorted[ROOM / 2] ?? 0
    for (const [name, refusals] of this.#counted) if (most(refusals) <= this.#forgotten) this.#counted.delete(name)
  }
}

/** The subjects that were refused most in about the last hour, each by the rule that refused it. */
export class MostRefused {
  #before = new Generation()
  #now = new Generation()
  #endsAt = Number.NEGATIVE_INFINITY

  add(charge: Charge, policy: string, second: number): void {
    this.#turn(second)
    this.#now.add(charge, policy, second * 1_000)
  }

  /** Instants are the clock's. */
  list(second: number): RefusedSubject[] {
    this.#turn(second)
    const sums = new Map<string, RefusedSubject>()
    for (const generation of [this.#before, this.#now]) {
      for (const [name, { subject, ruleSet, policy, refused, lastAt }] of generation.entries()) {
        const earlier = sums.get(name)?.refused ?? 0
        sums.set(name, { subject, ruleSet, policy, refused: earlier + refused, lastAt })
      }
    }
    return [...sums.values()].toSorted(byRefusals).slice(0, SUBJECTS)
  }

  #turn(second: number): void {
    if (second < this.#endsAt) return
    this.#before = second < this.#endsAt + GENERATION_S ? this.#now : new Generation()
    this.#now = new Generation()
    this.#endsAt = second + GENERATION_S
  }
}
