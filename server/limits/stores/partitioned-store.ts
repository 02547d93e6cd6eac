import { answersOfEach, narrowed, passing } from '../by-charge.ts'
import type { Charge, LimitStore, Operation, Outcome, OutcomeHandlers, RuleAnswer } from '../store.ts'
import { applyThen, RETURN_OUTCOME } from './apply-then.ts'
import { within } from './within.ts'

/** Where a charge is counted. */
export interface Place {
  readonly store: LimitStore
  /** Names the place: charges of one slot are counted together, in one atomic step. */
  readonly slot: string
  /** Places of a lower stage are asked before those of a higher one; those of one stage at the same time. */
  readonly stage: number
}

export interface PartitionedStoreOptions {
  readonly placeOf: (charge: Charge) => Place
  /** An operation over several places rejects after so long, whatever its places still do. */
  readonly deadlineMs: number
  readonly close: () => Promise<void>
}

/** Charges of one place. */
interface Part extends Place {
  readonly charges: readonly Charge[]
}

/** How a charge stands. */
interface Standing {
  readonly at: number
  readonly answers: readonly RuleAnswer[]
}

/** One store made of places that share no atomic step. A call is still all or nothing: it takes stage after stage, and
 *  when a place refuses, gives back what it has taken; places that were not asked by then are peeked, so that every rule
 *  answers (a block begins only where a take was refused).
 *
 *  Never is one admitted too many: each place holds its own limits, in atomic steps. One may be refused wrongly, by a
 *  place that is full of doomed calls, which have taken there while another place refuses them. A doomed call holds its
 *  cost until its refund has come: two trips, or three where the place that refuses is of the next stage. So a place lacks
 *  at most what the doomed calls under way cost together, and for no longer; but a rule that blocks whom it refuses blocks
 *  those whom it refused so, too. What is refused in the first stage holds nothing in a later one. Of 1,000 calls at once
 *  of which half are doomed, 1 to 5 of the 10 that might pass were refused so (cluster.redis.test.ts prints it). */
export class PartitionedStore implements LimitStore {
  readonly #options: PartitionedStoreOptions

  constructor(options: PartitionedStoreOptions) {
    this.#options = options
  }

  apply(operation: Operation): Outcome | Promise<Outcome> {
    return this.applyThen(operation, RETURN_OUTCOME)
  }

  applyThen<T>(operation: Operation, handlers: OutcomeHandlers<T>): T | Promise<T> {
    const { placeOf, deadlineMs } = this.#options
    const only = onlyPlaceOf(operation.charges, placeOf)
    if (only) return applyThen(only.store, operation, handlers)
    return applyToAll(partsOf(operation.charges, placeOf), operation, deadlineMs).then(
      (outcome) => handlers.onOutcome(outcome),
      (error: unknown) => handlers.onError(error),
    )
  }

  close(): Promise<void> {
    return this.#options.close()
  }
}

function onlyPlaceOf(charges: readonly Charge[], placeOf: (charge: Charge) => Place): Place | null {
  let only: Place | null = null
  for (const charge of charges) {
    const place = placeOf(charge)
    if (only && place.slot !== only.slot) return null
    only = place
  }
  return only
}

/** By stage; a slot that has charges of several is asked in the stage of its first. */
function partsOf(charges: readonly Charge[], placeOf: (charge: Charge) => Place): readonly Part[] {
  const parts = new Map<string, Place & { readonly charges: Charge[] }>()
  for (const charge of charges) {
    const place = placeOf(charge)
    const known = parts.get(place.slot)
    if (known) known.charges.push(charge)
    else parts.set(place.slot, { ...place, charges: [charge] })
  }
  return [...parts.values()].sort((a, b) => a.stage - b.stage)
}

async function applyToAll(parts: readonly Part[], operation: Operation, deadlineMs: number): Promise<Outcome> {
  const standings = new Standings(performance.now() + deadlineMs)
  if (operation.type === 'take') {
    await take(parts, standings)
  } else {
    await Promise.all(parts.map((part) => standings.apply(part, narrowed(operation, part.charges))))
  }
  return standings.outcome(operation.charges)
}

async function take(parts: readonly Part[], standings: Standings): Promise<void> {
  const taken: Part[] = []
  let left = parts
  while (left[0] && standings.passing.enforce) {
    const { stage } = left[0]
    const asked = left.filter((part) => part.stage === stage)
    left = left.filter((part) => part.stage !== stage)
    const takes = asked.map(async (part) => {
      await standings.apply(part, { type: 'take', charges: part.charges })
      taken.push(keptOf(part, passing(part.charges, standings.outcome(part.charges).answers), true))
    })
    const failed = (await Promise.allSettled(takes)).find((result) => result.status === 'rejected')
    if (!failed) continue
    // It will be decided elsewhere, and counted there. What cannot be given back errs on the side of the limit.
    for (const part of taken) standings.giveBack(part).catch(() => {})
    throw failed.reason
  }
  const passes = standings.passing
  const doomed = taken.map((part) => keptOf(part, passes, false))
  // Both are asked in one turn, which makes them one trip.
  await Promise.all([
    ...doomed.map((part) => standings.giveBack(part)),
    ...[...doomed, ...left].map((part) => standings.apply(part, { type: 'peek', charges: part.charges })),
  ])
}

/** The part with those of its charges only that a call with such results keeps, or does not keep. */
function keptOf(part: Part, passes: ReturnType<typeof passing>, isKept: boolean): Part {
  return { ...part, charges: part.charges.filter(({ facts }) => (passes.enforce && passes[facts.mode]) === isKept) }
}

/** How the charges of one operation stand that were asked so far. */
class Standings {
  readonly #known = new Map<Charge, Standing>()
  readonly #deadline: number

  /** Each place is given up at the instant `deadline`, by itself: what the others have taken is given back before the
   *  operation rejects, for whoever hears of that may take it again. */
  constructor(deadline: number) {
    this.#deadline = deadline
  }

  /** Whether the charges of each mode pass, so far. */
  get passing(): ReturnType<typeof passing> {
    const charges = [...this.#known.keys()]
    return passing(charges, this.outcome(charges).answers)
  }

  async apply({ store }: Part, operation: Operation): Promise<void> {
    if (operation.charges.length === 0) return
    const { at, answers } = await within(
      Math.max(0, Math.ceil(this.#deadline - performance.now())),
      Promise.resolve(store.apply(operation)),
    )
    const each = answersOfEach(operation.charges, answers)
    for (const [index, charge] of operation.charges.entries()) {
      this.#known.set(charge, { at: at[index] ?? 0, answers: each[index] ?? [] })
    }
  }

  async giveBack({ store, charges }: Part): Promise<void> {
    if (charges.length === 0) return
    await store.apply({ type: 'refund', charges, at: this.outcome(charges).at })
  }

  outcome(charges: readonly Charge[]): Outcome {
    const standings = charges.flatMap((charge) => this.#known.get(charge) ?? [])
    return { at: standings.map(({ at }) => at), answers: standings.flatMap(({ answers }) => answers) }
  }
}
