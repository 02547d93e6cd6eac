import type { Charge } from '../store.ts'
import { hashTagOf } from '../stores/hash-tag.ts'
import type { RefusedSubject } from './limiter-stats.ts'
import { SUBJECTS } from './subject-lists.ts'

/** How many are counted at a time. */
const ROOM = 1_024

/** Refusals by different keys and rules that are noted between two counts. */
const NOTED = 16_384

/** Seconds. A list tells of the last one to two generations. */
const GENERATION_S = 30 * 60

interface Refusals {
  readonly key: string
  readonly ruleSet: string
  readonly policy: string
  /** Refusals since the key has a place here. */
  refused: number
  /** Refusals that it may have had before that, at most: the error of lossy counting. */
  readonly missed: number
  lastAt: number
  /** Those of the same key by another rule. */
  readonly other: Refusals | undefined
}

/** Refusals of a key by one rule in the second under way. */
class Lately {
  readonly key: string
  readonly ruleSet: string
  readonly policy: string
  /** Who will count it; null once that is done. */
  list: MostRefused | null
  times = 0

  constructor(list: MostRefused, { key, facts }: Charge, policy: string) {
    this.list = list
    this.key = key
    this.ruleSet = facts.name
    this.policy = policy
  }
}

/** What there may be more of than can be counted: lossy counting (Manku and Motwani, 2002), which forgets the rarer half
 *  when there is no more room. Whoever has more than a 512th of all is never forgotten, and no count is too high. */
class Generation {
  /** By key, whose hash the store's own look-up has made already. */
  #counted = new Map<string, Refusals>()
  /** The most that anybody had who was forgotten. */
  #forgotten = 0

  add({ key, ruleSet, policy, times }: Lately, lastAt: number): void {
    const known = this.find(key, policy)
    if (known) {
      known.refused += times
      known.lastAt = lastAt
      return
    }
    if (this.#counted.size >= ROOM) this.#makeRoom()
    const other = this.#counted.get(key)
    this.#counted.set(key, { key, ruleSet, policy, refused: times, missed: this.#forgotten, lastAt, other })
  }

  find(key: string, policy: string): Refusals | undefined {
    let found = this.#counted.get(key)
    while (found && found.policy !== policy) found = found.other
    return found
  }

  entries(): Refusals[] {
    return [...this.#counted.values()].flatMap(withOthers)
  }

  #makeRoom(): void {
    const sorted = Float64Array.from(this.#counted.values(), mostOf).sort()
    this.#forgotten = sorted[ROOM / 2] ?? 0
    const kept = [...this.#counted].filter(([, refusals]) => mostOf(refusals) > this.#forgotten)
    this.#counted = new Map(kept)
  }
}

/** How many a key may have had by any rule, at most. */
function mostOf(refusals: Refusals): number {
  let most = 0
  for (let one: Refusals | undefined = refusals; one; one = one.other) most = Math.max(most, one.refused + one.missed)
  return most
}

function withOthers(refusals: Refusals): Refusals[] {
  return refusals.other ? [refusals, ...withOthers(refusals.other)] : [refusals]
}

/** The subjects that were refused most in about the last hour, each by the rule that refused it. Whoever is refused often is
 *  looked up once a second. */
export class MostRefused {
  #before = new Generation()
  #now = new Generation()
  #endsAt = Number.NEGATIVE_INFINITY
  /** What is to be counted of that second. */
  #lately: Lately[] = []
  #second = Number.NEGATIVE_INFINITY

  add(charge: Charge, policy: string, second: number): void {
    if (second !== this.#second) this.#turn(second)
    this.#latelyOf(charge, policy).times += 1
  }

  /** The same of one that has been added in this second already; false, and nothing is done, for any other. */
  addAgain(charge: Charge, policy: string, second: number): boolean {
    const lately = second === this.#second ? this.#knownOf(charge, policy) : null
    if (lately) lately.times += 1
    return lately !== null
  }

  /** Instants are the clock's. */
  list(second: number): RefusedSubject[] {
    this.#turn(second)
    const onlyBefore = this.#before.entries().filter(({ key, policy }) => !this.#now.find(key, policy))
    const all = [
      ...onlyBefore.map((last) => ({ last, refused: last.refused })),
      ...this.#now.entries().map((last) => {
        return { last, refused: last.refused + (this.#before.find(last.key, last.policy)?.refused ?? 0) }
      }),
    ]
    const most = all.sort((a, b) => b.refused - a.refused || b.last.lastAt - a.last.lastAt).slice(0, SUBJECTS)
    return most.map(({ last: { key, ruleSet, policy, lastAt }, refused }) => {
      return { subject: hashTagOf(key), ruleSet, policy, refused, lastAt }
    })
  }

  /** Without a look-up, where one of this second has found it. */
  #knownOf({ known }: Charge, policy: string): Lately | null {
    const last = known?.refusals
    return last instanceof Lately && last.list === this && last.policy === policy ? last : null
  }

  #latelyOf(charge: Charge, policy: string): Lately {
    const last = this.#knownOf(charge, policy)
    if (last) return last
    if (this.#lately.length >= NOTED) this.#count()
    const lately = new Lately(this, charge, policy)
    this.#lately.push(lately)
    if (charge.known) charge.known.refusals = lately
    return lately
  }

  #count(): void {
    const all = this.#lately
    this.#lately = []
    for (const lately of all) {
      lately.list = null
      this.#now.add(lately, this.#second * 1_000)
    }
  }

  #turn(second: number): void {
    this.#count()
    this.#second = second
    if (second < this.#endsAt) return
    this.#before = second < this.#endsAt + GENERATION_S ? this.#now : new Generation()
    this.#now = new Generation()
    this.#endsAt = second + GENERATION_S
  }
}
