import type { Ledger } from '../algorithms/ledger.ts'
import { openLedger } from '../algorithms/open-ledger.ts'
import type { Clock } from '../clock.ts'
import { Blocks } from './blocks.ts'
import { type Charge, type LimitStore, type Operation, type Outcome, passing, type RuleAnswer } from './store.ts'

/** What is kept of a key. */
interface Entry {
  readonly ledger: Ledger
  readonly blocks: Blocks
}

/** A charge whose rules were asked. */
interface Asked {
  readonly charge: Charge
  readonly entry: Entry
  readonly answers: readonly RuleAnswer[]
}

/** Keys looked at, for each charge, to see whether they may go: more than one, so that garbage never gains ground. */
const SWEPT_PER_CHARGE = 2

/** Counts in this process. Memory is bound by what is in use: stale keys go as others are charged, without a timer. That
 *  is no decision's business as long as the clock never steps back; a test whose clock does, turns it off. */
export class MemoryStore implements LimitStore {
  readonly #clock: Clock
  readonly #sweptPerCharge: number
  readonly #entries = new Map<string, Entry>()
  #sweep = this.#entries.entries()

  constructor(clock: Clock, sweptPerCharge = SWEPT_PER_CHARGE) {
    this.#clock = clock
    this.#sweptPerCharge = sweptPerCharge
  }

  /** How many keys are held. */
  get size(): number {
    return this.#entries.size
  }

  async apply(operation: Operation): Promise<Outcome> {
    return this.applyNow(operation)
  }

  /** The same at once: nothing here waits for anything. */
  applyNow(operation: Operation): Outcome {
    const now = this.#clock.now()
    const at = operation.charges.map(() => now)
    this.#forgetStale(now, operation.charges.length * this.#sweptPerCharge)
    switch (operation.type) {
      case 'take':
        return { at, answers: this.#take(now, operation.charges) }
      case 'peek':
        return { at, answers: this.#ask(now, operation.charges).flatMap(({ answers }) => answers) }
      case 'force':
        return { at, answers: this.#ask(now, operation.charges).flatMap((asked) => this.#charge(now, asked)) }
      case 'refund':
        for (const [index, charge] of operation.charges.entries()) {
          this.#entries.get(charge.key)?.ledger.refund(now, operation.at[index] ?? 0, charge)
        }
        return { at, answers: [] }
      case 'reset':
        for (const { key } of operation.charges) this.#entries.delete(key)
        return { at, answers: [] }
    }
  }

  async close(): Promise<void> {
    this.#entries.clear()
  }

  #take(now: number, charges: readonly Charge[]): readonly RuleAnswer[] {
    const asked = this.#ask(now, charges)
    const passes = passing(
      charges,
      asked.flatMap(({ answers }) => answers),
    )
    return asked.flatMap((each) => {
      if (passes.enforce && passes[each.charge.facts.mode]) return this.#charge(now, each)
      return this.#block(now, each)
    })
  }

  #ask(now: number, charges: readonly Charge[]): readonly Asked[] {
    return charges.map((charge) => {
      const entry = this.#entries.get(charge.key) ?? {
        ledger: openLedger[charge.algorithm](),
        blocks: new Blocks(),
      }
      return { charge, entry, answers: entry.blocks.ask(now, charge, entry.ledger.ask(now, charge)) }
    })
  }

  #charge(now: number, { charge, entry, answers }: Asked): readonly RuleAnswer[] {
    this.#entries.set(charge.key, entry)
    return entry.ledger.take(now, charge, answers)
  }

  #block(now: number, { charge, entry, answers }: Asked): readonly RuleAnswer[] {
    const blocked = entry.blocks.refuse(now, charge, answers)
    if (entry.blocks.until > now) this.#entries.set(charge.key, entry)
    return blocked
  }

  #forgetStale(now: number, count: number): void {
    for (let seen = 0; seen < count; seen += 1) {
      const { done, value } = this.#sweep.next()
      if (done) this.#sweep = this.#entries.entries()
      else if (Math.max(value[1].ledger.emptyAt, value[1].blocks.until) <= now) this.#entries.delete(value[0])
    }
  }
}
