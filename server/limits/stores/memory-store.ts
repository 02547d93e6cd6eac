import type { Answer } from '../algorithms/ledger.ts'
import { passing } from '../by-charge.ts'
import type { Clock } from '../clock.ts'
import type { Charge, LimitStore, Operation, Outcome, RuleAnswer } from '../store.ts'
import { canBlock, MemoryEntry } from './memory-entry.ts'
import { SecondChance } from './second-chance.ts'

export interface MemoryStoreOptions {
  /** Keys that are held at most, but for those of the overflow, and for what one call over several keys may add. */
  readonly maxKeys?: number
  /** Keys looked at, for each charge, to see whether they may go. */
  readonly sweptPerCharge?: number
}

const MAX_KEYS = 200_000
/** Of the keys, one in so many is left to be put out by newcomers. With fewer they would put out one another between
 *  two calls, and none would ever come to its limit. */
const TURNOVER = 10
/** More than one, so that garbage never gains ground. */
const SWEPT_PER_CHARGE = 2

/** A charge whose rules were asked. */
interface Asked {
  readonly charge: Charge
  readonly entry: MemoryEntry
  readonly answers: readonly Answer[]
}

/** Counts in this process. Memory is bound by what is in use: stale keys go as others are charged, without a timer. That
 *  is no decision's business as long as the clock never steps back; a test whose clock does, turns it off.
 *
 *  It is bound by a number of keys as well, and no flood of others frees a key that is near its limit. Hot keys are never
 *  put out: those that are blocked, and those that had used half of a limit, or had a call under way, when they were last
 *  charged. Of the rest one that was not charged lately makes room. Where hardly any but hot ones are left, newcomers
 *  share one ledger for each set and shape, the overflow: they are held more strictly, and nobody is forgotten. Of what it
 *  holds, only leases are given back, for they have names; whose permits it has counted, it does not know. */
export class MemoryStore implements LimitStore {
  readonly #clock: Clock
  readonly #maxKeys: number
  readonly #sweptPerCharge: number
  readonly #entries = new Map<string, MemoryEntry>()
  readonly #overflow = new Map<string, MemoryEntry>()
  readonly #cold = new SecondChance()
  /** All of `#entries`, to be walked from the end to the beginning, again and again, by those who look for stale
   *  ones. */
  readonly #walk: MemoryEntry[] = []
  /** Beside each an instant before which it is not stale, so that none has to be touched to see it. */
  readonly #untils: number[] = []
  #next = 0
  #instant: readonly number[] = []

  constructor(clock: Clock, { maxKeys = MAX_KEYS, sweptPerCharge = SWEPT_PER_CHARGE }: MemoryStoreOptions = {}) {
    this.#clock = clock
    this.#maxKeys = maxKeys
    this.#sweptPerCharge = sweptPerCharge
  }

  /** The time by its clock. */
  get now(): number {
    return this.#clock.now()
  }

  /** How many keys are held. */
  get size(): number {
    return this.#entries.size + this.#overflow.size
  }

  apply(operation: Operation): Outcome {
    return this.applyNow(operation)
  }

  applyNow(operation: Operation): Outcome {
    const { length } = operation.charges
    const now = this.#clock.now()
    this.#forgetStale(now, length * this.#sweptPerCharge)
    return { at: this.#instants(now, length), answers: this.#perform(now, operation) }
  }

  /** Forces what another store has taken a moment ago, at the instant `now`, which is no earlier than what was applied
   *  before: no answer is of interest. */
  count(charges: readonly Charge[], now: number): void {
    this.#forgetStale(now, charges.length * this.#sweptPerCharge)
    for (const charge of charges) this.#charge(now, charge, this.#entryOf(charge))
  }

  /** Takes over the blocks of a charge that another store has refused. */
  adoptBlocks(charge: Charge, answers: readonly RuleAnswer[], now: number): void {
    if (!canBlock(charge) || !isRefused(answers)) return
    const entry = this.#entryOf(charge)
    entry.adoptBlocks(now, charge, answers)
    if (entry.isBlocked(now)) this.#keep(entry, true)
  }

  async close(): Promise<void> {
    for (const entry of this.#entries.values()) this.#forget(entry)
    this.#overflow.clear()
  }

  /** For each of `count` charges; the same array for one as long as the instant lasts. */
  #instants(now: number, count: number): readonly number[] {
    if (count !== 1) return new Array<number>(count).fill(now)
    if (this.#instant[0] !== now) this.#instant = [now]
    return this.#instant
  }

  #perform(now: number, operation: Operation): readonly RuleAnswer[] {
    const { type, charges } = operation
    switch (type) {
      case 'take':
        return this.#take(now, charges)
      case 'peek':
        return flat(charges.map((charge) => this.#ask(now, charge)))
      case 'force':
        return flat(charges.map((charge) => this.#force(now, charge)))
      case 'refund':
        for (const [index, charge] of charges.entries()) this.#refund(now, operation.at[index] ?? 0, charge)
        return []
      case 'reset':
        for (const charge of charges) {
          const entry = this.#findEntry(charge)
          if (entry) this.#forget(entry)
        }
        return []
    }
  }

  #take(now: number, charges: readonly Charge[]): readonly RuleAnswer[] {
    const [only] = charges
    if (only && charges.length === 1) return this.#takeOnly(now, only)
    const all = new Array<Asked>(charges.length)
    let index = 0
    for (const charge of charges) {
      all[index] = this.#ask(now, charge)
      index += 1
    }
    const answers = flat(all)
    const passes = passing(charges, answers)
    for (const asked of all) {
      const { charge, entry, answers: own } = asked
      if (passes.enforce && passes[charge.facts.mode]) this.#charge(now, charge, entry, own)
      else this.#refuse(now, charge, entry, own)
    }
    return answers
  }

  /** A charge that no other is taken with, whatever its mode. */
  #takeOnly(now: number, charge: Charge): readonly RuleAnswer[] {
    const entry = this.#entryOf(charge)
    const answers = entry.ask(now, charge)
    if (isRefused(answers)) this.#refuse(now, charge, entry, answers)
    else this.#charge(now, charge, entry, answers)
    return answers
  }

  #ask(now: number, charge: Charge): Asked {
    const entry = this.#entryOf(charge)
    return { charge, entry, answers: entry.ask(now, charge) }
  }

  /** It has happened: what was blocked is charged too. */
  #force(now: number, charge: Charge): Asked {
    const entry = this.#entryOf(charge)
    const answers = entry.ledger.ask(now, charge)
    this.#charge(now, charge, entry, answers)
    return { charge, entry, answers }
  }

  #charge(now: number, charge: Charge, entry: MemoryEntry, answers?: readonly Answer[]): void {
    const isHot = entry.ledger.take(now, charge, answers)
    this.#keep(entry, isHot || entry.isBlocked(now))
  }

  #refuse(now: number, charge: Charge, entry: MemoryEntry, answers: readonly Answer[]): void {
    entry.refuse(now, charge, answers)
    if (entry.isBlocked(now)) this.#keep(entry, true)
  }

  #refund(now: number, at: number, charge: Charge): void {
    const own = this.#findEntry(charge)
    const shared = charge.algorithm === 'concurrency' ? this.#overflow.get(overflowKeyOf(charge)) : undefined
    const entry = own ?? shared
    if (!entry) return
    entry.ledger.refund(now, at, charge)
    if (entry.place >= 0) this.#untils[entry.place] = entry.until
  }

  #entryOf(charge: Charge): MemoryEntry {
    const found = this.#findEntry(charge)
    if (found) return found
    if (this.#entries.size < this.#maxKeys || this.#cold.size > this.#maxKeys / TURNOVER)
      return new MemoryEntry(charge.key, charge.algorithm)
    const key = overflowKeyOf(charge)
    const overflow = this.#overflow.get(key) ?? new MemoryEntry(key, charge.algorithm)
    overflow.isOverflow = true
    this.#overflow.set(key, overflow)
    return overflow
  }

  /** Without a look-up, where the last has found it. */
  #findEntry({ key, known }: Charge): MemoryEntry | undefined {
    const last = known?.counted
    if (last instanceof MemoryEntry && last.holder === this) return last
    const entry = this.#entries.get(key)
    if (known && entry) known.counted = entry
    return entry
  }

  #keep(entry: MemoryEntry, isHot: boolean): void {
    if (entry.isOverflow) return
    if (entry.place < 0) {
      const cold = this.#entries.size >= this.#maxKeys ? this.#cold.next() : null
      if (cold) this.#forget(cold)
      entry.holder = this
      entry.place = this.#walk.push(entry) - 1
      this.#untils[entry.place] = entry.until
      this.#entries.set(entry.key, entry)
    }
    if (isHot) this.#cold.remove(entry)
    else this.#cold.use(entry)
  }

  #forget(entry: MemoryEntry): void {
    this.#cold.remove(entry)
    this.#entries.delete(entry.key)
    // The last takes its place: it has been walked past already, as all have that are behind the walker.
    const last = this.#walk.pop()
    const until = this.#untils.pop() ?? 0
    if (last && last !== entry) {
      this.#walk[entry.place] = last
      this.#untils[entry.place] = until
      last.place = entry.place
    }
    entry.holder = null
    entry.place = -1
  }

  #forgetStale(now: number, count: number): void {
    for (let seen = 0; seen < count; seen += 1) {
      if (this.#next === 0) this.#next = this.#walk.length
      else this.#next -= 1
      if ((this.#untils[this.#next] ?? Number.POSITIVE_INFINITY) <= now)
        this.#forgetIfStale(now, this.#walk[this.#next])
    }
  }

  #forgetIfStale(now: number, entry: MemoryEntry | undefined): void {
    if (!entry) return
    if (entry.until <= now) this.#forget(entry)
    else this.#untils[entry.place] = entry.until
  }
}

/** The answers of all, in order. */
function flat(all: readonly Asked[]): readonly RuleAnswer[] {
  if (all.length === 1 && all[0]) return all[0].answers
  const answers: RuleAnswer[] = []
  for (const asked of all) for (const answer of asked.answers) answers.push(answer)
  return answers
}

function isRefused(answers: readonly RuleAnswer[]): boolean {
  for (const { waitMs } of answers) if (waitMs > 0) return true
  return false
}

/** Of a set and a shape, which is the last part of a key: so many as are declared. */
function overflowKeyOf({ key, algorithm, facts }: Charge): string {
  const beforeShape = key.lastIndexOf(':')
  return `overflow:${algorithm}:${facts.name}:${beforeShape < 0 ? '' : key.slice(beforeShape + 1)}`
}
