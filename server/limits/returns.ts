import { z } from 'zod'
import type { Fleet } from './fleet/fleet.ts'
import type { Charge, LimitStore, Operation, Receipt } from './store.ts'

/** The topic on which other processes learn to which keys permits were returned. */
const RETURNED = 'returned'
const keysSchema = z.array(z.string())

/** Permits return to a key when a refund or a reset of it has been performed, even if the store has failed to
 *  confirm it. This file alone says what follows from that:
 *
 *  - Calls of this process that wait for the key ask again (`onReturn`).
 *  - A refusal of the key that a process remembers ends early (`onRefusalsEnd`), in this process and in all others,
 *    which are notified through the fleet. A gap in the fleet's messages ends all refusals. Only refusals with a known end
 *    are ever remembered, so keys of other charges are not announced.
 *  - On a Cluster a refused call briefly holds permits at places that did not refuse it (`endRefusals`). Calls that
 *    were refused because of them may pass now: refusals end, but no waiting call asks again, because it would hold and
 *    refund the same permits, over and over. */
export class Returns {
  readonly #fleet: Fleet
  readonly #waiting: ((keys: readonly string[]) => void)[] = []
  readonly #refusals: ((keys: readonly string[] | 'all') => void)[] = []
  /** Returned keys that are not announced yet. */
  #unannounced = new Set<string>()

  constructor(fleet: Fleet) {
    this.#fleet = fleet
    fleet.hear(RETURNED, (message) => this.#ended(keysSchema.safeParse(parsed(message)).data ?? 'all'))
    fleet.onGap(() => this.#ended('all'))
  }

  /** Wraps the store so that every return of permits by its operations is announced. */
  around(store: LimitStore): LimitStore {
    return {
      apply: (operation) => (isReturn(operation) ? this.#perform(store, operation) : store.apply(operation)),
      close: () => store.close(),
    }
  }

  /** Calls back with the keys to which permits returned in this process. */
  onReturn(listener: (keys: readonly string[]) => void): void {
    this.#waiting.push(listener)
  }

  /** Calls back with the keys, or 'all', that may no longer be refused, in any process. */
  onRefusalsEnd(listener: (keys: readonly string[] | 'all') => void): void {
    this.#refusals.push(listener)
  }

  /** Ends the remembered refusals of these charges, in all processes. */
  endRefusals(charges: readonly Charge[]): void {
    const keys = charges.filter(isEndKnown).map(({ key }) => key)
    if (keys.length === 0) return
    this.#ended(keys)
    if (this.#unannounced.size === 0) setImmediate(() => this.#announce())
    for (const key of keys) this.#unannounced.add(key)
  }

  async #perform(store: LimitStore, operation: Operation): Promise<Receipt> {
    try {
      return await store.apply(operation)
    } finally {
      this.endRefusals(operation.charges)
      const keys = operation.charges.map(({ key }) => key)
      for (const listener of this.#waiting) listener(keys)
    }
  }

  #ended(keys: readonly string[] | 'all'): void {
    for (const listener of this.#refusals) listener(keys)
  }

  /** Sends the keys with returned permits of this turn of the event loop as one message. */
  #announce(): void {
    const keys = [...this.#unannounced]
    this.#unannounced = new Set()
    this.#fleet.tell(RETURNED, JSON.stringify(keys))
  }
}

/** Whether a refusal of the charge lasts for a known time, in all processes alike. */
export function isEndKnown({ algorithm, facts }: Charge): boolean {
  return facts.scope === 'cluster' && algorithm !== 'concurrency'
}

function isReturn({ type }: Operation): boolean {
  return type === 'refund' || type === 'reset'
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return null
  }
}
