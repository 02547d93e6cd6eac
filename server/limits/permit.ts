import { MAX_TIMEOUT_MS } from './clock.ts'
import { type Decision, decide } from './decision.ts'
import { takenIn } from './receipt.ts'
import type { CompiledRule } from './rules/compiled.ts'
import type { Charge, LimitStore, Receipt } from './store.ts'

/** A decided call, as statistics count it. */
export interface DecidedCall {
  readonly decision: Decision
  readonly receipt: Receipt
  /** The policy of the rule that the call waited for; null when it did not wait. */
  readonly waitedFor: string | null
}

/** A charge as later settlements have left it. */
interface Held {
  /** The charge at what it still costs of the reservation. */
  readonly charge: Charge
  readonly at: number
  /** Permits charged beyond the reservation, which are never refunded. */
  readonly extra: number
}

/** How often a lease is renewed within its duration, so that a single renewal may fail. */
const RENEWALS = 3

/** The permits of one call: the decision about it, and the receipt of its charges. The code that reserved them settles,
 *  refunds or ends them. None of these rejects when a store fails: a permit that cannot be refunded errs on the side of
 *  the limit, and fails no call. */
export class Permit implements DecidedCall {
  readonly decision: Decision
  readonly receipt: Receipt
  readonly waitedFor: string | null
  readonly #store: LimitStore
  /** Built at the first change: most calls end without one. */
  #heldNow: readonly Held[] | null = null
  #renewals: NodeJS.Timeout | undefined
  #ended = false

  /** `store` is the one that gave the receipt. */
  constructor(
    receipt: Receipt,
    store: LimitStore,
    decision: Decision = decide(receipt),
    waitedFor: string | null = null,
  ) {
    this.decision = decision
    this.receipt = receipt
    this.waitedFor = waitedFor
    this.#store = store
  }

  /** The same permits after a wait, which has changed the decision. */
  after(changes: Partial<Decision>, waitedFor: string | null = this.waitedFor): Permit {
    return new Permit(this.receipt, this.#store, { ...this.decision, ...changes }, waitedFor)
  }

  get #held(): readonly Held[] {
    const { lines } = this.receipt
    this.#heldNow ??= lines
      .filter(({ isTaken }) => isTaken)
      .map(({ charge, at }) => ({ charge, at: at.store, extra: 0 }))
    return this.#heldNow
  }

  /** Renews the call's leases from now on, until the permit ends: call it only when something will end the permit. A
   *  process that dies renews nothing, so its leases run out. */
  keep(): this {
    if (!this.#ended) this.#renewals ??= renewLeases(this.receipt, this.#store)
    return this
  }

  /** Corrects the charge of sets that count bytes to the `bytes` that were really moved. More than reserved is charged
   *  whatever the rules say, and is never refunded. Does nothing once the permit has ended. Throws RangeError unless
   *  `bytes` is a whole number of at least 0. */
  async settle(bytes: number): Promise<void> {
    if (!Number.isSafeInteger(bytes) || bytes < 0)
      throw new RangeError(`${bytes} bytes is not a whole number of at least 0`)
    if (this.#ended) return
    const before = this.#held.filter(({ charge }) => charge.facts.unit === 'bytes')
    const less = before.flatMap((held) => costing(held, Math.min(held.charge.cost, total(held) - bytes)))
    const more = before.flatMap((held) => costing(held, bytes - total(held)))
    this.#heldNow = this.#held.map((held) => (before.includes(held) ? settled(held, bytes) : held))
    await this.#refund(less)
    if (more.length > 0) {
      await this.#store.apply({ type: 'force', charges: more.map(({ charge }) => charge), of: this.receipt })
    }
  }

  /** Charges the penalties of the sets that the call was charged to, once and whatever their rules say: for a call that
   *  has turned out abusive. They are never refunded. Returns what was charged. */
  async penalize(): Promise<readonly Charge[]> {
    const charges = penalized.has(this) ? [] : takenIn(this.receipt).flatMap(penaltyOf)
    penalized.add(this)
    if (charges.length > 0) await this.#store.apply({ type: 'force', charges, of: this.receipt })
    return charges
  }

  /** Refunds everything that was taken, and ends the permit. */
  async refund(): Promise<void> {
    await this.#end(() => true)
  }

  /** Ends the permit with its call: refunds its leases, and after a success what sets with `count: 'failures'` have
   *  charged. Null when there is nothing to wait for, as for most calls. */
  end(outcome: 'succeeded' | 'failed'): Promise<void> | null {
    return this.#end(outcome === 'succeeded' ? isReturnedBySuccess : isLease)
  }

  #end(isReturned: (charge: Charge) => boolean): Promise<void> | null {
    if (this.#ended) return null
    this.#ended = true
    clearInterval(this.#renewals)
    if (!hasTaken(this.receipt, isReturned)) return null
    return this.#refund(this.#held.filter(({ charge }) => charge.cost > 0 && isReturned(charge)))
  }

  async #refund(held: readonly Held[]): Promise<void> {
    if (held.length === 0) return
    const charges = held.map(({ charge }) => charge)
    await this.#store.apply({ type: 'refund', charges, at: held.map(({ at }) => at), of: this.receipt })
  }
}

/** Not a field, since hardly any permit is. */
const penalized = new WeakSet<Permit>()

/** The charge's penalty, as a list of one: at most the limit of each rule, so that a window later the subject has all of
 *  its permits again. */
function penaltyOf(charge: Charge): Charge[] {
  const { penalty } = charge.facts
  if (penalty === null || isLease(charge)) return []
  return [{ ...charge, cost: Math.min(penalty, ...charge.rules.map(({ limit }: CompiledRule) => limit)) }]
}

/** Renews the leases that were taken, if any, until the interval is cleared. */
export function renewLeases(receipt: Receipt, store: LimitStore): NodeJS.Timeout | undefined {
  if (!hasTaken(receipt, isLease)) return undefined
  const leases = takenIn(receipt).filter(isLease)
  const leaseMs = Math.min(...leases.flatMap(({ rules }) => rules.map((rule: CompiledRule) => rule.windowMs)))
  const renew = () => void store.apply({ type: 'force', charges: leases, of: receipt })
  return setInterval(renew, Math.min(Math.floor(leaseMs / RENEWALS), MAX_TIMEOUT_MS)).unref()
}

/** Whether a charge of that kind was taken; without a list of them, because most calls have none. */
function hasTaken({ lines }: Receipt, isWanted: (charge: Charge) => boolean): boolean {
  for (const { charge, isTaken } of lines) if (isTaken && isWanted(charge)) return true
  return false
}

function isLease({ algorithm }: Charge): boolean {
  return algorithm === 'concurrency'
}

function isReturnedBySuccess(charge: Charge): boolean {
  return isLease(charge) || charge.facts.count === 'failures'
}

function total({ charge, extra }: Held): number {
  return charge.cost + extra
}

/** The same charge at another cost, as a list of one; an empty list for a cost below 1. */
function costing(held: Held, cost: number): Held[] {
  return cost > 0 ? [{ ...held, charge: { ...held.charge, cost } }] : []
}

function settled(held: Held, bytes: number): Held {
  const { charge, extra } = held
  if (bytes >= total(held)) return { ...held, extra: bytes - charge.cost }
  return { ...held, charge: { ...charge, cost: Math.max(0, bytes - extra) } }
}
