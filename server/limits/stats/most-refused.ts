import type { Charge } from '../store.ts'
import { hashTagOf } from '../stores/hash-tag.ts'
import type { RefusedSubject } from './limiter-stats.ts'
import { SUBJECTS } from './subject-lists.ts'

/** How many are counted at a time. */
const ROOM = 1_024

/** Refusals by different keys and rules that are collected between two counts. */
const NOTED = 16_384

/** In seconds. A list covers the last one to two generations. */
const GENERATION_S = 30 * 60

interface Refusals {
  readonly key: string
  readonly argument: string | undefined
  readonly ruleSet: string
  readonly policy: string
  /** Refusals since the key was added here. */
  refused: number
  /** Refusals that it may have had before that, at most: the error of lossy counting. */
  readonly missed: number
  lastAt: number
  /** Refusals of the same key by another rule. */
  readonly other: Refusals | undefined
}

/** Refusals of a key by one rule in the current second. */
class Lately {
  readonly key: string
  readonly argument: string | undefined
  readonly ruleSet: string
  readonly policy: string
  /** The object that will count it; null once it is counted. */
  list: MostRefused | null
  times = 0

  constructor(list: MostRefused, { key, facts, known }: Charge, policy: string) {
    this.list = list
    this.key = key
    this.argument = known?.argument ?? undefined
    this.ruleSet = facts.name
    this.policy = policy
  }
}

/** Lossy counting (Manku and Motwani, 2002): when there is no more room, the rarer half is dropped. A key with more
 *  than a 512th of all refusals is never dropped, and no count is too high. */
class Generation {
  /** By key. The store's own look-up has already computed its hash. */
  #counted = new Map<string, Refusals>()
  /** The highest count among dropped keys. */
  #forgotten = 0

  add({ key, argument, ruleSet, policy, times }: Lately, lastAt: number): void {
    const known = this.find(key, policy)
    if (known) {
      known.refused += times
      known.lastAt = lastAt
      return
    }
    if (this.#counted.size >= ROOM) this.#makeRoom()
    const other = this.#counted.get(key)
    const missed = this.#forgotten
    this.#counted.set(key, { key, argument, ruleSet, policy, refused: times, missed, lastAt, other })
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

/** An upper bound on the refusals of the key by any rule. */
function mostOf(refusals: Refusals): number {
  let most = 0
  for (let one: Refusals | undefined = refusals; one; one = one.other) most = Math.max(most, one.refused + one.missed)
  return most
}

function withOthers(refusals: Refusals): Refusals[] {
  return refusals.other ? [refusals, ...withOthers(refusals.other)] : [refusals]
}

/** The subjects that were refused most in about the last hour, each with the rule that refused it. A key that is
 *  refused often is looked up once a second. */
export class MostRefused {
  #before = new Generation()
  #now = new Generation()
  #endsAt = Number.NEGATIVE_INFINITY
  /** Refusals of the current second that are still to be counted. */
  #lately: Lately[] = []
  #second = Number.NEGATIVE_INFINITY

  add(charge: Charge, policy: string, second: number): void {
    if (second !== this.#second) this.#turn(second)
    this.#latelyOf(charge, policy).times += 1
  }

  /** Adds a refusal to one that was already added in this second. Otherwise does nothing and returns false. */
  addAgain(charge: Charge, policy: string, second: number): boolean {
    const lately = second === this.#second ? this.#knownOf(charge, policy) : null
    if (lately) lately.times += 1
    return lately !== null
  }

  /** Last uses are instants of the clock. */
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
    return most.map(({ last: { key, argument, ruleSet, policy, lastAt }, refused }) => {
      return { subject: hashTagOf(key), ruleSet, policy, key, argument, refused, lastAt }
    })
  }

  /** Uses no look-up where a refusal of this second has already found the entry. */
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
