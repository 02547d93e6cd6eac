import type { Ledger } from './algorithms/ledger.ts'
import { SlidingWindowLog } from './algorithms/sliding-window-log.ts'
import type { Clock } from './clock.ts'
import type { Algorithm } from './rule-set.ts'
import type { Charge, LimitStore, RuleAnswer } from './store.ts'

const LEDGERS = {
  'sliding-window-log': () => new SlidingWindowLog(),
} satisfies Record<Algorithm, () => Ledger>

/** Keys looked at, for each charge, to see whether they may go: more than one, so that garbage never gains ground. */
const SWEPT_PER_CHARGE = 2

/** Counts in this process. Memory is bound by what is in use: stale keys go as others are charged, without a timer. That
 *  is no decision's business as long as the clock never steps back; a test whose clock does, turns it off. */
export class MemoryStore implements LimitStore {
  readonly #clock: Clock
  readonly #sweptPerCharge: number
  readonly #ledgers = new Map<string, Ledger>()
  #sweep = this.#ledgers.entries()

  constructor(clock: Clock, sweptPerCharge = SWEPT_PER_CHARGE) {
    this.#clock = clock
    this.#sweptPerCharge = sweptPerCharge
  }

  /** How many keys are held. */
  get size(): number {
    return this.#ledgers.size
  }

  async take(charges: readonly Charge[]): Promise<readonly RuleAnswer[]> {
    const now = this.#clock.now()
    this.#forgetStale(now, charges.length * this.#sweptPerCharge)
    const asked = charges.map((charge) => {
      const ledger = this.#ledgers.get(charge.key) ?? LEDGERS[charge.algorithm]()
      return { charge, ledger, answers: ledger.ask(now, charge.cost, charge.rules) }
    })
    if (asked.some(({ answers }) => answers.some((answer) => answer.waitMs > 0))) {
      return asked.flatMap(({ answers }) => answers)
    }
    return asked.flatMap(({ charge, ledger, answers }) => {
      this.#ledgers.set(charge.key, ledger)
      return ledger.take(now, charge.cost, charge.rules, answers)
    })
  }

  async close(): Promise<void> {
    this.#ledgers.clear()
  }

  #forgetStale(now: number, count: number): void {
    for (let seen = 0; seen < count; seen += 1) {
      const { done, value } = this.#sweep.next()
      if (done) this.#sweep = this.#ledgers.entries()
      else if (value[1].emptyAt <= now) this.#ledgers.delete(value[0])
    }
  }
}
