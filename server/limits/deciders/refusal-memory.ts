import { decide } from '../decision.ts'
import { nothingTaken, type Taken } from '../permit.ts'
import type { CompiledRule } from '../rules/compiled.ts'
import { answeredOf, type Charge, type RuleAnswer } from '../store.ts'
import { isShared } from './stand-in.ts'

type Generation = Map<string, Refusal>

/** What a charge was refused with, and when. */
class Refusal {
  /** The generation that has it, while that is one and it is not forgotten. */
  home: Generation | null
  readonly rules: readonly CompiledRule[]
  readonly cost: number
  readonly told: readonly RuleAnswer[]
  readonly at: number
  readonly #waitMs: number

  constructor(home: Generation, { rules, cost }: Charge, told: readonly RuleAnswer[], at: number, waitMs: number) {
    this.home = home
    this.rules = rules
    this.cost = cost
    this.told = told
    this.at = at
    this.#waitMs = waitMs
  }

  /** When the refused charge passes, and not a millisecond earlier. */
  get until(): number {
    return this.at + this.#waitMs
  }
}

const MAX_KEYS = 50_000
/** Returns that an answer may have missed on its way. One that may have missed more is not remembered. */
const NOTED_RETURNS = 4_096

/** Refusals by their keys, until their time comes. Bound by a number of keys: in two generations, of which the elder goes
 *  when the younger is full, for to look for the first of a large map takes long. */
export class RefusalMemory {
  readonly #generationSize: number
  #younger: Generation = new Map()
  #elder: Generation = new Map()
  /** The last keys to which permits came back: the nth of them at n modulo their number. */
  readonly #returned: string[] = []
  #returns = 0
  /** Answers to what was asked before so many returns are not remembered at all. */
  #clearedAt = 0

  constructor(maxKeys = MAX_KEYS) {
    this.#generationSize = Math.max(1, Math.floor(maxKeys / 2))
  }

  get size(): number {
    return this.#younger.size + this.#elder.size
  }

  /** To be had before the store is asked, and handed in with its answer: how many returns there were by then. */
  get returns(): number {
    return this.#returns
  }

  /** The remembered refusal of one of the charges that lasts longest; null when none is known to be refused. */
  recall(charges: readonly Charge[], now: number): Taken | null {
    let found: Refusal | null = null
    let refused: Charge | null = null
    for (const charge of charges) {
      const refusal = this.#find(charge)
      if (!refusal) continue
      if (refusal.until <= now) {
        this.#delete(charge.key)
      } else if (holdsFor(refusal, charge) && (!found || refusal.until > found.until)) {
        found = refusal
        refused = charge
      }
    }
    return found && refused && takenFrom(found, refused, now)
  }

  /** Remembers what refused the call, unless permits came back since `returns` were counted. */
  remember({ asked, answers }: Taken, returns: number, now: number): void {
    if (returns < this.#clearedAt) return
    for (const { charge, answers: own } of answeredOf(asked, answers)) {
      const waitMs = Math.max(0, ...own.map((answer) => answer.waitMs))
      if (waitMs === 0 || !isRememberable(charge) || this.#hasReturned(charge.key, returns)) continue
      if (this.#younger.size >= this.#generationSize) {
        this.#elder.clear()
        this.#elder = this.#younger
        this.#younger = new Map()
      }
      this.#delete(charge.key)
      this.#younger.set(charge.key, new Refusal(this.#younger, charge, own, now, waitMs))
    }
  }

  /** Permits have come back to these keys. */
  forget(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#delete(key)
      this.#returned[this.#returns % NOTED_RETURNS] = key
      this.#returns += 1
    }
  }

  /** Anything may be otherwise now. */
  clear(): void {
    this.#younger.clear()
    this.#elder.clear()
    this.#younger = new Map()
    this.#elder = new Map()
    this.#returns += 1
    this.#clearedAt = this.#returns
  }

  #hasReturned(key: string, since: number): boolean {
    if (this.#returns - since > NOTED_RETURNS) return true
    for (let nth = since; nth < this.#returns; nth += 1) if (this.#returned[nth % NOTED_RETURNS] === key) return true
    return false
  }

  /** Without a look-up, where the last has found it. */
  #find({ key, known }: Charge): Refusal | undefined {
    const last = known?.refusal
    if (last instanceof Refusal && (last.home === this.#younger || last.home === this.#elder)) return last
    const refusal = this.#look(key)
    if (known && refusal) known.refusal = refusal
    return refusal
  }

  #look(key: string): Refusal | undefined {
    return this.#younger.get(key) ?? this.#elder.get(key)
  }

  #delete(key: string): void {
    const refusal = this.#look(key)
    if (refusal) refusal.home = null
    this.#younger.delete(key)
    this.#elder.delete(key)
  }
}

/** Whether a refusal of the charge lasts for a known time, in all processes alike. */
export function isEndKnown(charge: Charge): boolean {
  return isShared(charge) && charge.algorithm !== 'concurrency'
}

/** Whether that is so, and whoever is refused by it is refused at once. */
function isRememberable(charge: Charge): boolean {
  const { mode, waitMs } = charge.facts
  return mode === 'enforce' && waitMs === 0 && isEndKnown(charge)
}

/** Whether what refused one charge refuses another of its key: one that costs as much, or more, under the same limits. */
function holdsFor(refused: Refusal, asked: Charge): boolean {
  if (asked.cost < refused.cost || !isRememberable(asked)) return false
  return refused.rules === asked.rules || haveSameLimits(refused.rules, asked.rules)
}

/** Rules of one key. */
function haveSameLimits(one: readonly CompiledRule[], other: readonly CompiledRule[]): boolean {
  return one.every((rule, index) => {
    const twin = other[index]
    return twin?.limit === rule.limit && twin.blockMs === rule.blockMs && twin.windowMs === rule.windowMs
  })
}

function takenFrom({ told, at }: Refusal, refused: Charge, now: number): Taken {
  const asked = [refused]
  const answers = new Array<RuleAnswer>(told.length)
  let index = 0
  for (const answer of told) {
    answers[index] = agedBy(now - at, answer)
    index += 1
  }
  return nothingTaken(decide(asked, answers, 'cache'), asked, answers)
}

/** What is left of an answer's times. Where the next permits have come meanwhile, nobody knows more than that the refused
 *  charge will pass. */
function agedBy(ageMs: number, { remaining, resetMs, waitMs }: RuleAnswer): RuleAnswer {
  const leftMs = Math.max(0, waitMs - ageMs)
  return { remaining, resetMs: resetMs > ageMs ? resetMs - ageMs : leftMs, waitMs: leftMs, delayMs: 0 }
}
