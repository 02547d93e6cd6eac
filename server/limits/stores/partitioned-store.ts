import { answersOfEach, narrowed, passing } from '../by-charge.ts'
import type { Charge, LimitStore, Operation, Outcome, OutcomeHandlers, RuleAnswer } from '../store.ts'
import { applyThen, RETURN_OUTCOME } from './apply-then.ts'
import { within } from './within.ts'

/** Where a charge is counted. */
export interface Place {
  readonly store: LimitStore
  /** The name of the place: charges with the same slot are counted together, in one atomic step. */
  readonly slot: string
  /** Places of a lower stage are asked before those of a higher one; those of one stage at the same time. */
  readonly stage: number
}

export interface PartitionedStoreOptions {
  readonly placeOf: (charge: Charge) => Place
  /** Milliseconds after which an operation over several places rejects, whatever its places still do. */
  readonly deadlineMs: number
  readonly close: () => Promise<void>
}

/** The charges of one operation that belong to one place. */
interface Part extends Place {
  readonly charges: readonly Charge[]
}

/** When a charge was applied, and what its rules answered. */
interface Standing {
  readonly at: number
  readonly answers: readonly RuleAnswer[]
}

/** One store over several places that cannot be changed in one atomic step, such as the slots of a Redis Cluster. A
 *  call is still all or nothing: it takes stage after stage and, when a place refuses, gives back what it has taken.
 *  Places that were not asked by then are peeked, so that every rule answers (a block begins only where a take was
 *  refused).
 *
 *  No call is admitted beyond a limit, because each place enforces its own limits atomically. A call may be refused
 *  wrongly, by a place that is filled by doomed calls: those that were taken there and are refused elsewhere. A doomed
 *  call holds its cost until its refund arrives: two round trips, or three where the refusing place is of the next
 *  stage. So a place lacks at most the cost of the doomed calls under way, and only so long; but a rule with `blockFor`
 *  also blocks those whom it refused wrongly. A call that is refused in the first stage holds nothing in later ones. Of
 *  1,000 calls at once, half of them doomed, 1 to 5 of the 10 that could pass were refused wrongly
 *  (cluster.redis.test.ts prints it). */
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

/** The charges by slot, sorted by stage. A slot whose charges are of several stages belongs to that of its first
 *  charge. */
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
    // The caller decides without this store now. A refund that fails leaves too much counted, never too little.
    for (const part of taken) standings.giveBack(part).catch(() => {})
    throw failed.reason
  }
  const passes = standings.passing
  const doomed = taken.map((part) => keptOf(part, passes, false))
  // Both in one turn of the event loop, so that they are one round trip.
  await Promise.all([
    ...doomed.map((part) => standings.giveBack(part)),
    ...[...doomed, ...left].map((part) => standings.apply(part, { type: 'peek', charges: part.charges })),
  ])
}

/** The part with only those charges that a call with these results keeps, or with `isKept` false those that it gives
 *  back. */
function keptOf(part: Part, passes: ReturnType<typeof passing>, isKept: boolean): Part {
  return { ...part, charges: part.charges.filter(({ facts }) => (passes.enforce && passes[facts.mode]) === isKept) }
}

/** The results of one operation's charges, as far as their places have answered. */
class Standings {
  readonly #known = new Map<Charge, Standing>()
  readonly #deadline: number

  /** Each place has until the instant `deadline` (of performance.now) by itself, so that what other places have taken
   *  is given back before the operation rejects: the caller may take it again then. */
  constructor(deadline: number) {
    this.#deadline = deadline
  }

  /** For each mode whether all of its charges that have been answered so far pass. */
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
