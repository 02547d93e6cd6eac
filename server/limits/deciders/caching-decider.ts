import { z } from 'zod'
import { answeredOf } from '../by-charge.ts'
import type { Clock } from '../clock.ts'
import type { Decision } from '../decision.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Taken } from '../permit.ts'
import type { Charge, Operation } from '../store.ts'
import { Decider, type OnTaken } from './decider.ts'
import { isEndKnown, RefusalCache } from './refusal-cache.ts'

export interface CachingOptions {
  readonly decider: Decider
  readonly clock: Clock
  readonly fleet: Fleet
  /** Whether the store fails now: then a set's `onStoreFailure` of 'deny' or 'allow' goes before the cache. */
  readonly isFailing: () => boolean
  /** Whether the store may take at one place and give it back when another refuses, as on a Cluster. */
  readonly givesBack?: boolean
  /** How many keys' refusals are remembered at most. */
  readonly maxKeys?: number
}

/** The topic of the keys to which permits came back, for the other processes. */
const RETURNED = 'returned'
const keysSchema = z.array(z.string())

/** Caches refusals in this process until the refused charge would pass, so that a flood of refused calls costs the store
 *  nothing. Cached are only refusals whose end is known, by sets that enforce, are shared by all processes and have no
 *  `wait`. A cached refusal also holds for a charge of the same key that costs more, with the wait of the cheaper one.
 *  Times count from when the answer arrived, so a refusal lasts exactly as long as its caller was told: longer than in the
 *  store by the time the answer travelled, and never shorter.
 *
 *  Whatever may end a refusal early removes it: a refund or reset of its key, a call that another place of the store refused
 *  and that gave back what it held, all of these also in other processes (by the fleet); and everything is removed by a
 *  gap in the fleet's messages, and by `forgetAll` for new rules or a recovered store. A call that is refused by the cache
 *  begins no block under its other keys. */
export class CachingDecider extends Decider {
  readonly #decider: Decider
  readonly #clock: Clock
  readonly #fleet: Fleet
  readonly #isFailing: () => boolean
  readonly #givesBack: boolean
  readonly #cache: RefusalCache
  /** Keys that came back and are not announced yet. */
  #unannounced = new Set<string>()

  constructor({ decider, clock, fleet, isFailing, givesBack = false, maxKeys }: CachingOptions) {
    super()
    this.#decider = decider
    this.#clock = clock
    this.#fleet = fleet
    this.#isFailing = isFailing
    this.#givesBack = givesBack
    this.#cache = new RefusalCache(maxKeys)
    fleet.hear(RETURNED, (message) => this.#hear(message))
    fleet.onGap(() => this.forgetAll())
  }

  override decide<T>(charges: readonly Charge[], onTaken: OnTaken<T>): T | Promise<T> {
    const cache = this.#cache
    const remembered = cache.size > 0 ? cache.recall(charges, this.#clock.now()) : null
    if (remembered && this.#isStillHeld(remembered)) return onTaken(remembered, charges)
    const { returns } = cache
    return this.#decider.decide(charges, (taken) => {
      if (!taken.decision.allowed) this.#note(taken, returns)
      return onTaken(taken, charges)
    })
  }

  override peek(charges: readonly Charge[]): Decision | Promise<Decision> {
    return this.#decider.peek(charges)
  }

  override async amend(taken: Taken, operation: Operation): Promise<void> {
    try {
      await this.#decider.amend(taken, operation)
    } finally {
      if (operation.type === 'refund') this.#cameBack(operation.charges)
    }
  }

  override async reset(charges: readonly Charge[]): Promise<void> {
    try {
      await this.#decider.reset(charges)
    } finally {
      this.#cameBack(charges)
    }
  }

  /** To be called when limits have changed or the store has recovered. */
  forgetAll(): void {
    this.#cache.clear()
  }

  #isStillHeld({ asked }: Taken): boolean {
    return !this.#isFailing() || asked.every(({ facts }) => facts.onStoreFailure === 'local')
  }

  #note(refused: Taken, returns: number): void {
    if (this.#givesBack) this.#cameBack(unrefusedIn(refused))
    this.#cache.remember(refused, returns, this.#clock.now())
  }

  #cameBack(charges: readonly Charge[]): void {
    // Also of sets whose refusals are not cached: another set with the same key may be cached.
    const keys = charges.filter(isEndKnown).map(({ key }) => key)
    this.#cache.forget(keys)
    if (this.#unannounced.size === 0 && keys.length > 0) setImmediate(() => this.#tell())
    for (const key of keys) this.#unannounced.add(key)
  }

  /** Sends the keys that came back in this turn of the event loop as one message. */
  #tell(): void {
    const keys = [...this.#unannounced]
    this.#unannounced = new Set()
    this.#fleet.tell(RETURNED, JSON.stringify(keys))
  }

  #hear(message: string): void {
    const { success, data } = keysSchema.safeParse(parsed(message))
    if (success) this.#cache.forget(data)
    else this.forgetAll()
  }
}

/** The charges of a refused call whose own rules passed: on a Cluster they may have been taken for a moment. */
function unrefusedIn({ asked, answers }: Taken): readonly Charge[] {
  const unrefused = answeredOf(asked, answers).filter((each) => each.answers.every(({ waitMs }) => waitMs === 0))
  return unrefused.map(({ charge }) => charge)
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return null
  }
}
