import type { Answer } from '../algorithms/ledger.ts'
import { passing } from '../by-charge.ts'
import type { Clock } from '../clock.ts'
import type { Charge, LimitStore, Operation, Outcome, RuleAnswer } from '../store.ts'
import { canBlock, MemoryEntry } from './memory-entry.ts'
import { SecondChance } from './second-chance.ts'

export interface MemoryStoreOptions {
  /** How many keys are held at most; the overflow keys, and the last call's several keys, may come on top. */
  readonly maxKeys?: number
  /** How many keys each charge checks for expiry. */
  readonly sweptPerCharge?: number
}

const MAX_KEYS = 200_000
/** New keys evict cold ones only while more than one key in TURNOVER is cold. With fewer, new keys would evict one
 *  another between two of their calls, and none would ever reach its limit. */
const TURNOVER = 10
/** More than one, so that expired keys are removed faster than new ones are added. */
const SWEPT_PER_CHARGE = 2

/** A charge, what is held of its key, and how its rules answer. */
interface Asked {
  readonly charge: Charge
  readonly entry: MemoryEntry
  readonly answers: readonly Answer[]
}

/** The in-process store. Expired keys are removed while others are charged, without a timer. No decision depends on
 *  that as long as the clock never steps back; a test whose clock does turns it off (`sweptPerCharge: 0`).
 *
 *  The number of keys is bounded too, in such a way that a flood of new keys never frees one that is near its limit.
 *  Hot keys are never evicted: those that are blocked, and those that had used half of a limit, or had a call under
 *  way, when they were last charged. Of the cold keys one that was not charged lately is evicted (second-chance.ts).
 *  Where hardly any cold keys are left, new keys share one overflow ledger for each set and shape: they are limited
 *  more strictly, and no count is lost. The overflow gives back leases only, which have names; it does not know whose
 *  its permits are. */
export class MemoryStore implements LimitStore {
  readonly #clock: Clock
  readonly #maxKeys: number
  readonly #sweptPerCharge: number
  readonly #entries = new Map<string, MemoryEntry>()
  readonly #overflow = new Map<string, MemoryEntry>()
  readonly #cold = new SecondChance()
  /** All of `#entries`. The sweep for expired ones walks it from end to beginning, over and over. */
  readonly #walk: MemoryEntry[] = []
  /** For each of `#walk` an instant before which it does not expire, so that the sweep rarely touches an entry. */
  readonly #untils: number[] = []
  #next = 0
  #instant: readonly number[] = []

  constructor(clock: Clock, { maxKeys = MAX_KEYS, sweptPerCharge = SWEPT_PER_CHARGE }: MemoryStoreOptions = {}) {
    this.#clock = clock
    this.#maxKeys = maxKeys
    this.#sweptPerCharge = sweptPerCharge
  }

  /** Milliseconds of this store's clock. */
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

  /** Counts what another store took at the instant `now`, without answers. `now` is no earlier than any operation
   *  before. */
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

  /** `now` for each of `count` charges. For a single charge the array is reused within the same millisecond. */
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

  /** The take of a single charge, in any mode: it depends on its own rules alone. */
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

  /** Charges even a blocked key: what is forced has happened already. */
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

  /** The entry of the charge's key; the last one found is cached in `known`. */
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
    // The last entry moves to its place. The sweep, which walks downwards, has already passed the last one in this
    // round.
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

/** All answers in one list, in order. */
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

/** One overflow key for each set and shape (the last part of a key), so their number is bounded by the declared
 *  sets. */
function overflowKeyOf({ key, algorithm, facts }: Charge): string {
  const beforeShape = key.lastIndexOf(':')
  return `overflow:${algorithm}:${facts.name}:${beforeShape < 0 ? '' : key.slice(beforeShape + 1)}`
}
