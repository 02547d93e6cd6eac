import type { Clock } from '../clock.ts'
import { NEVER } from '../receipt.ts'
import type { CompiledRule } from '../rules/compiled.ts'
import { type Charge, type LimitStore, type Operation, type Receipt, ReceiptLine, type RuleAnswer } from '../store.ts'

/** A layer around the stores: refuses the calls of subjects that an override blocks until a time, before any store is asked. */
export class ManualBlocks implements LimitStore {
  /** Whether any override blocks: otherwise no charge is looked at. */
  isOn = false
  readonly #store: LimitStore
  readonly #date: Clock

  /** `date` is the machine's. */
  constructor(store: LimitStore, date: Clock) {
    this.#store = store
    this.#date = date
  }

  apply(operation: Operation): Receipt | Promise<Receipt> {
    return this.isOn && (operation.type === 'take' || operation.type === 'peek')
      ? this.#hold(operation)
      : this.#store.apply(operation)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #hold(operation: Operation): Receipt | Promise<Receipt> {
    const { type, charges } = operation
    const now = this.#date.now()
    const blocked = charges.filter((charge) => leftMs(charge, now) > 0)
    if (blocked.length === 0) return this.#store.apply(operation)
    if (type === 'take') {
      const lines = blocked.map((charge) => new ReceiptLine(charge, blockedAnswers(charge, now), false, NEVER))
      return { charges, lines, answeredBy: 'block' }
    }
    const receipt = this.#store.apply(operation)
    return receipt instanceof Promise ? receipt.then((known) => held(known, now)) : held(receipt, now)
  }
}

const leftMs = ({ facts }: Charge, now: number): number => (facts.blockedUntil ?? 0) - now

function blockedAnswers(charge: Charge, now: number): readonly RuleAnswer[] {
  const waitMs = leftMs(charge, now)
  return charge.rules.map((_: CompiledRule) => ({ remaining: 0, resetMs: waitMs, waitMs, delayMs: 0 }))
}

/** What a peek has found, with the blocks. */
function held(receipt: Receipt, now: number): Receipt {
  const lines = receipt.lines.map((line) => {
    const { charge, isTaken, at } = line
    return leftMs(charge, now) > 0 ? new ReceiptLine(charge, blockedAnswers(charge, now), isTaken, at) : line
  })
  return { ...receipt, lines }
}
