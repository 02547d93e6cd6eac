import type { Answer } from '../../algorithms/ledger.ts'
import { type BlockedKey, type BlockList, blockList } from '../../block-list.ts'
import type { Clock } from '../../clock.ts'
import { isRefused, isTakenIf, passing } from '../../receipt.ts'
import {
  type Charge,
  canBlock,
  type Instants,
  type LimitStore,
  type Operation,
  type Receipt,
  ReceiptLine,
  type RuleAnswer,
} from '../../store.ts'
import { MemoryEntries } from './entries.ts'
import type { MemoryEntry } from './memory-entry.ts'

/** How many keys are held at most; the overflow keys, and the last call's several keys, may come on top. */
const MAX_KEYS = 200_000
/** How many keys each charge checks for expiry. More than one, so that expired keys are removed faster than new ones are
 *  added. */
const SWEPT_PER_CHARGE = 2

/** The in-process store. Expired keys are removed while others are charged, without a timer. No decision depends on
 *  that as long as the clock never steps back; a test with a clock that does turns it off (`sweptPerCharge: 0`). */
export class MemoryStore implements LimitStore {
  readonly #clock: Clock
  readonly #sweptPerCharge: number
  readonly #entries: MemoryEntries
  #instants: Instants = { store: 0, here: 0 }

  constructor(
    clock: Clock,
    { maxKeys = MAX_KEYS, sweptPerCharge = SWEPT_PER_CHARGE }: { maxKeys?: number; sweptPerCharge?: number } = {},
  ) {
    this.#clock = clock
    this.#entries = new MemoryEntries(maxKeys)
    this.#sweptPerCharge = sweptPerCharge
  }

  /** How many keys are held. */
  get size(): number {
    return this.#entries.size
  }

  apply(operation: Operation): Receipt {
    const { charges } = operation
    const now = this.#clock.now()
    this.#entries.sweep(now, charges.length * this.#sweptPerCharge)
    if (operation.type === 'take') return { charges, lines: this.#take(now, charges), answeredBy: 'store' }
    const isTaken = operation.type === 'force'
    const at = this.#instantsOf(now)
    const lines = charges.map((charge, index) => {
      return new ReceiptLine(charge, this.#perform(now, operation, charge, index), isTaken, at)
    })
    return { charges, lines, answeredBy: 'store' }
  }

  /** Counts what another store took at the instant `now`, even beyond a limit. `now` is no earlier than any operation
   *  before. */
  count(charge: Charge, now: number): void {
    this.#entries.sweep(now, this.#sweptPerCharge)
    this.#charge(now, charge, this.#entries.open(charge))
  }

  /** Takes over the blocks of a charge that another store has refused. */
  adoptBlocks(charge: Charge, answers: readonly RuleAnswer[], now: number): void {
    if (!canBlock(charge) || !isRefused(answers)) return
    const entry = this.#entries.open(charge)
    entry.adoptBlocks(now, charge, answers)
    if (entry.isBlocked(now)) this.#entries.keep(entry, true)
  }

  /** The blocks that last. */
  blocks(): BlockList {
    const now = this.#clock.now()
    const blocked: BlockedKey[] = []
    for (const entry of this.#entries.all())
      if (entry.isBlocked(now)) blocked.push({ key: entry.key, leftMs: entry.blockedFor(now) })
    return blockList(blocked)
  }

  async close(): Promise<void> {
    this.#entries.forgetAll()
  }

  /** One object for all that is decided within the same millisecond. */
  #instantsOf(now: number): Instants {
    if (this.#instants.store !== now) this.#instants = { store: now, here: now }
    return this.#instants
  }

  #perform(now: number, operation: Operation, charge: Charge, index: number): readonly RuleAnswer[] {
    switch (operation.type) {
      case 'force':
        return this.#force(now, charge)
      case 'refund':
        this.#refund(now, operation.at[index] ?? 0, charge)
        return NO_ANSWERS
      case 'reset':
        this.#reset(charge)
        return NO_ANSWERS
      default:
        return this.#entries.open(charge).ask(now, charge)
    }
  }

  #take(now: number, charges: readonly Charge[]): readonly ReceiptLine[] {
    const [only] = charges
    if (only && charges.length === 1) return [this.#takeOnly(now, only)]
    const entries = new Array<MemoryEntry>(charges.length)
    const asked = new Array<ReceiptLine<readonly Answer[]>>(charges.length)
    let index = 0
    for (const charge of charges) {
      const entry = this.#entries.open(charge)
      entries[index] = entry
      asked[index] = new ReceiptLine(charge, entry.ask(now, charge), false, this.#instantsOf(now))
      index += 1
    }
    const passes = passing(asked)
    index = 0
    for (const line of asked) {
      const entry = entries[index]
      index += 1
      line.isTaken = isTakenIf(passes, line.charge)
      if (entry) this.#settle(now, line, entry)
    }
    return asked
  }

  /** The take of a single charge, in any mode: it depends on its own rules alone. */
  #takeOnly(now: number, charge: Charge): ReceiptLine {
    const entry = this.#entries.open(charge)
    const answers = entry.ask(now, charge)
    const line = new ReceiptLine(charge, answers, !isRefused(answers), this.#instantsOf(now))
    this.#settle(now, line, entry)
    return line
  }

  #settle(now: number, { charge, answers, isTaken }: ReceiptLine<readonly Answer[]>, entry: MemoryEntry): void {
    if (isTaken) this.#charge(now, charge, entry, answers)
    else this.#refuse(now, charge, entry, answers)
  }

  /** Charges even a blocked key: what is forced has happened already. */
  #force(now: number, charge: Charge): readonly RuleAnswer[] {
    const entry = this.#entries.open(charge)
    const answers = entry.ledger.ask(now, charge)
    this.#charge(now, charge, entry, answers)
    return answers
  }

  #charge(now: number, charge: Charge, entry: MemoryEntry, answers?: readonly Answer[]): void {
    const isHot = entry.ledger.take(now, charge, answers)
    this.#entries.keep(entry, isHot || entry.isBlocked(now))
  }

  #refuse(now: number, charge: Charge, entry: MemoryEntry, answers: readonly Answer[]): void {
    entry.refuse(now, charge, answers)
    if (entry.isBlocked(now)) this.#entries.keep(entry, true)
  }

  #refund(now: number, at: number, charge: Charge): void {
    const entry = this.#entries.findCounted(charge)
    if (!entry) return
    entry.ledger.refund(now, at, charge)
    this.#entries.shorten(entry)
  }

  #reset(charge: Charge): void {
    const entry = this.#entries.find(charge)
    if (entry) this.#entries.forget(entry)
  }
}

const NO_ANSWERS: readonly RuleAnswer[] = []
