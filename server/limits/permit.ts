import { MAX_TIMEOUT_MS } from './clock.ts'
import type { Decision } from './decision.ts'
import type { CompiledRule } from './rules/compiled.ts'
import type { Charge, Operation, RuleAnswer } from './store.ts'

/** What a decision has charged: what whoever decided needs to go back on it. */
export interface Taken {
  readonly decision: Decision
  /** What was asked; nothing where a policy decided. */
  readonly asked: readonly Charge[]
  /** What each rule of it answered. */
  readonly answers: readonly RuleAnswer[]
  /** What was charged; nothing of a call that was refused. */
  readonly charges: readonly Charge[]
  /** The instants at which each was, by the clock of its store. */
  readonly at: readonly number[]
  /** The rule that the call waited for, if it did. */
  readonly waitedFor: string | null
  /** When it was decided, by the clock of this process: where another store counts, what it has taken is counted here too. */
  readonly hereAt: number
}

/** Who has decided, or knows who has. */
export interface Amender {
  /** Changes what was taken where it is counted, charge by charge. Does nothing where that fails: a permit that is not given
   *  back errs on the side of the limit. */
  amend(taken: Taken, operation: Operation): Promise<void>
}

/** Of a decision that has charged nothing; by default it asked nobody. */
export function nothingTaken(
  decision: Decision,
  asked: readonly Charge[] = NONE,
  answers: readonly RuleAnswer[] = NONE,
): Taken {
  return { decision, asked, answers, charges: NONE, at: NONE, waitedFor: null, hereAt: 0 }
}

const NONE: readonly never[] = []

/** As if the call had never been. */
export async function giveBack(taken: Taken, amender: Amender): Promise<void> {
  const { charges, at } = taken
  if (charges.length > 0) await amender.amend(taken, { type: 'refund', charges, at })
}

/** What a charge has become since it was taken. */
interface Held {
  /** What is still charged of what was reserved. */
  readonly charge: Charge
  readonly at: number
  /** What was charged beyond it. */
  readonly extra: number
}

/** Times in which a lease passes between two renewals: one that fails is not the end. */
const RENEWALS = 3

/** A call's permits: what was decided, and what its end changes of it. */
export class Permit {
  readonly decision: Decision
  readonly #taken: Taken
  readonly #amender: Amender
  /** Made when the first change asks for it: most calls end as they were taken. */
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

  /** Renews the leases of a call under way from now on, until the permit ends: only who will end it may ask for that. A
   *  process that dies renews nothing. */
  keep(): this {
    if (!this.#ended) this.#renewals ??= renewLeases(this.#taken, this.#amender)
    return this
  }

  /** The call has moved `bytes`: sets that count bytes have charged so many from now on. More than was reserved is charged
   *  whatever their rules say, and is not given back by anything later: it was moved. Throws RangeError for no whole
   *  number. Nothing happens once the permit has ended. */
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

  /** Gives everything back, as if the call had never been. */
  async refund(): Promise<void> {
    await this.#end(() => true)
  }

  /** The call is over: it is no longer under way, and where only failures count, one that succeeded has cost nothing.
   *  Null where there is nothing to wait for, as for most calls. */
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

/** The same at another cost; none for a cost below 1. */
function costing(held: Held, cost: number): Held[] {
  return cost > 0 ? [{ ...held, charge: { ...held.charge, cost } }] : []
}

function settled(held: Held, bytes: number): Held {
  const { charge, extra } = held
  if (bytes >= total(held)) return { ...held, extra: bytes - charge.cost }
  return { ...held, charge: { ...charge, cost: Math.max(0, bytes - extra) } }
}
