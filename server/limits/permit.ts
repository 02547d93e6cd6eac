import { MAX_TIMEOUT_MS } from './clock.ts'
import type { Decision } from './decision.ts'
import type { CompiledRule } from './rules/compiled.ts'
import type { Charge, Operation, RuleAnswer } from './store.ts'

/** A decision and what it has charged, which is what a later refund or settlement needs. */
export interface Taken {
  readonly decision: Decision
  /** The charges that were asked for; empty where `onStoreFailure` decided. */
  readonly asked: readonly Charge[]
  /** The answers of their rules, in order. */
  readonly answers: readonly RuleAnswer[]
  /** The charges that were taken; empty for a refused call. */
  readonly charges: readonly Charge[]
  /** For each of `charges` the instant at which it was taken, in milliseconds of its store's clock. */
  readonly at: readonly number[]
  /** The policy of the rule that the call waited for; null when it did not wait. */
  readonly waitedFor: string | null
  /** The instant of the decision by this process's clock, at which the in-process store mirrors what another store
   *  took. */
  readonly hereAt: number
}

/** Whoever can change what a decision has charged. */
export interface Amender {
  /** Applies a refund, or further charges, wherever the decision was counted. Never rejects because a store fails: a
   *  permit that is not given back errs on the side of the limit. */
  amend(taken: Taken, operation: Operation): Promise<void>
}

/** A decision that has charged nothing. */
export function nothingTaken(
  decision: Decision,
  asked: readonly Charge[] = NONE,
  answers: readonly RuleAnswer[] = NONE,
): Taken {
  return { decision, asked, answers, charges: NONE, at: NONE, waitedFor: null, hereAt: 0 }
}

const NONE: readonly never[] = []

/** Refunds everything that was taken. */
export async function giveBack(taken: Taken, amender: Amender): Promise<void> {
  const { charges, at } = taken
  if (charges.length > 0) await amender.amend(taken, { type: 'refund', charges, at })
}

/** A charge as later settlements have left it. */
interface Held {
  /** The charge at what it still costs of the reservation. */
  readonly charge: Charge
  readonly at: number
  /** Permits charged beyond the reservation, which are never given back. */
  readonly extra: number
}

/** How often a lease is renewed within its duration, so that a single renewal may fail. */
const RENEWALS = 3

/** The permits of one call. Whoever reserved them settles, refunds or ends them. */
export class Permit {
  readonly decision: Decision
  readonly #taken: Taken
  readonly #amender: Amender
  /** Built at the first change: most calls end without one. */
  #heldNow: readonly Held[] | null = null
  #renewals: NodeJS.Timeout | undefined
  #ended = false

  constructor(taken: Taken, amender: Amender) {
    this.decision = taken.decision
    this.#taken = taken
    this.#amender = amender
  }

  get #held(): readonly Held[] {
    const { charges, at } = this.#taken
    this.#heldNow ??= charges.map((charge, index) => ({ charge, at: at[index] ?? 0, extra: 0 }))
    return this.#heldNow
  }

  /** Renews the call's leases from now on, until the permit ends: call it only when something will end the permit. A
   *  process that dies renews nothing, so its leases run out. */
  keep(): this {
    if (!this.#ended) this.#renewals ??= renewLeases(this.#taken, this.#amender)
    return this
  }

  /** Corrects the charge of sets that count bytes to the `bytes` that were really moved. More than reserved is charged
   *  whatever the rules say, and is never given back. Does nothing once the permit has ended. Throws RangeError unless
   *  `bytes` is a whole number of at least 0. */
  async settle(bytes: number): Promise<void> {
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError(`${bytes} bytes are no whole number`)
    if (this.#ended) return
    const before = this.#held.filter(({ charge }) => charge.facts.unit === 'bytes')
    const less = before.flatMap((held) => costing(held, Math.min(held.charge.cost, total(held) - bytes)))
    const more = before.flatMap((held) => costing(held, bytes - total(held)))
    this.#heldNow = this.#held.map((held) => (before.includes(held) ? settled(held, bytes) : held))
    await this.#refund(less)
    if (more.length > 0) await this.#amend({ type: 'force', charges: more.map(({ charge }) => charge) })
  }

  /** Refunds everything that was taken, and ends the permit. */
  async refund(): Promise<void> {
    await this.#end(() => true)
  }

  /** Ends the permit with its call: gives back its leases, and after a success what sets with `count: 'failures'` have
   *  charged. Null when there is nothing to wait for, as for most calls. */
  end(outcome: 'succeeded' | 'failed'): Promise<void> | null {
    return this.#end(({ algorithm, facts }) => {
      return algorithm === 'concurrency' || (facts.count === 'failures' && outcome === 'succeeded')
    })
  }

  #end(isReturned: (charge: Charge) => boolean): Promise<void> | null {
    if (this.#ended) return null
    this.#ended = true
    clearInterval(this.#renewals)
    if (!this.#taken.charges.some(isReturned)) return null
    return this.#refund(this.#held.filter(({ charge }) => charge.cost > 0 && isReturned(charge)))
  }

  async #refund(held: readonly Held[]): Promise<void> {
    if (held.length === 0) return
    const charges = held.map(({ charge }) => charge)
    await this.#amend({ type: 'refund', charges, at: held.map(({ at }) => at) })
  }

  #amend(operation: Operation): Promise<void> {
    return this.#amender.amend(this.#taken, operation)
  }
}

/** Renews the leases among what was taken, if there are any, until the interval is cleared. */
export function renewLeases(taken: Taken, amender: Amender): NodeJS.Timeout | undefined {
  const { charges } = taken
  if (!charges.some(isLease)) return undefined
  const leases = charges.filter(isLease)
  const leaseMs = Math.min(...leases.flatMap(({ rules }) => rules.map((rule: CompiledRule) => rule.windowMs)))
  const renew = () => void amender.amend(taken, { type: 'force', charges: leases })
  return setInterval(renew, Math.min(Math.floor(leaseMs / RENEWALS), MAX_TIMEOUT_MS)).unref()
}

function isLease({ algorithm }: Charge): boolean {
  return algorithm === 'concurrency'
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
