import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Decision } from '../decision.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Taken } from '../permit.ts'
import { answeredOf, type Charge, type Operation } from '../store.ts'
import { Decider, type OnTaken } from './decider.ts'
import { isEndKnown, RefusalMemory } from './refusal-memory.ts'

export interface RememberingOptions {
  readonly decider: Decider
  readonly clock: Clock
  readonly fleet: Fleet
  /** Whether the store fails now, so that a set which says 'deny' or 'allow' decides for itself. */
  readonly isFailing: () => boolean
  /** Whether the store takes at one place and gives that back when another refuses, as on a Cluster. */
  readonly givesBack?: boolean
  /** Keys whose refusals are remembered at most. */
  readonly maxKeys?: number
}

/** What the other processes are told: keys to which permits came back. */
const RETURNED = 'returned'
const keysSchema = z.array(z.string())

/** Remembers in this process whom the store has refused, until the refused charge passes there, so that a flood which is
 *  refused already costs the store nothing. Only refusals whose end is known are remembered, of sets that enforce, are
 *  shared by all processes and let nobody wait; a heavier charge of the key is refused with them, and told the wait of the
 *  lighter one. Times are counted from the answer's coming, so a refusal lasts as long as its caller was told: later than
 *  in the store by the way of the answer at most, and never for less long.
 *
 *  What may end a refusal early ends its memory: permits that come back to its key, by a refund, a reset or a call that
 *  another place of the store refused, here or, as the fleet tells, elsewhere; a gap in what the fleet tells; new rules, and the store's recovery, by `forgetAll`. A call
 *  that is refused from memory begins no block under its other keys. */
export class RememberingDecider extends Decider {
  readonly #decider: Decider
  readonly #clock: Clock
  readonly #fleet: Fleet
  readonly #isFailing: () => boolean
  readonly #givesBack: boolean
  readonly #memory: RefusalMemory
  #untold = new Set<string>()

  constructor({ decider, clock, fleet, isFailing, givesBack = false, maxKeys }: RememberingOptions) {
    super()
    this.#decider = decider
    this.#clock = clock
    this.#fleet = fleet
    this.#isFailing = isFailing
    this.#givesBack = givesBack
    this.#memory = new RefusalMemory(maxKeys)
    fleet.hear(RETURNED, (message) => this.#hear(message))
    fleet.onGap(() => this.forgetAll())
  }

  override decide<T>(charges: readonly Charge[], onTaken: OnTaken<T>): T | Promise<T> {
    const memory = this.#memory
    const remembered = memory.size > 0 ? memory.recall(charges, this.#clock.now()) : null
    if (remembered && this.#isStillHeld(remembered)) return onTaken(remembered, charges)
    const { returns } = memory
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

  /** Anything may be otherwise now. */
  forgetAll(): void {
    this.#memory.clear()
  }

  #isStillHeld({ asked }: Taken): boolean {
    return !this.#isFailing() || asked.every(({ facts }) => facts.onStoreFailure === 'local')
  }

  #note(refused: Taken, returns: number): void {
    if (this.#givesBack) this.#cameBack(unrefusedIn(refused))
    this.#memory.remember(refused, returns, this.#clock.now())
  }

  #cameBack(charges: readonly Charge[]): void {
    // Whatever their sets say: of others by the same key they may say something else.
    const keys = charges.filter(isEndKnown).map(({ key }) => key)
    this.#memory.forget(keys)
    if (this.#untold.size === 0 && keys.length > 0) setImmediate(() => this.#tell())
    for (const key of keys) this.#untold.add(key)
  }

  /** What came back in one turn of the event loop, in one message. */
  #tell(): void {
    const keys = [...this.#untold]
    this.#untold = new Set()
    this.#fleet.tell(RETURNED, JSON.stringify(keys))
  }

  #hear(message: string): void {
    const { success, data } = keysSchema.safeParse(parsed(message))
    if (success) this.#memory.forget(data)
    else this.forgetAll()
  }
}

/** The charges of a refused call that refused nothing themselves: those that may have been held for a moment. */
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
