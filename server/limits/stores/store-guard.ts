import type { Clock } from '../clock.ts'
import { applyThen, type Charge, type LimitStore, type Operation, type Outcome } from '../store.ts'
import { hashTagOf } from './hash-tag.ts'

/** The store began to fail, or answers again. */
export type StoreEvent =
  | { readonly type: 'degraded'; readonly cause: string }
  | { readonly type: 'recovered'; readonly afterMs: number; readonly decisionsWithoutStore: number }

interface Outage {
  readonly since: number
  decisions: number
}

const PROBE_EVERY_MS = 1_000

/** Nodes of a Cluster fail one by one; so many of the places where it failed are tried before it is used again. */
const PROBED_PLACES = 16

/** Taken to see whether the store works: a real charge, for a full or read-only Redis answers a PING. */
function probeAt(hashTag: string): Charge {
  return {
    key: `RATE:LIMIT:{${hashTag}}:probe:probe`,
    algorithm: 'sliding-window-log',
    rules: [{ policy: 'probe-1s', words: '', limit: 1_000_000, windowMs: 1_000, blockMs: 0 }],
    cost: 1,
    facts: {
      name: 'probe',
      by: 'site',
      unit: 'calls',
      cost: null,
      count: 'all',
      mode: 'enforce',
      waitMs: 0,
      scope: 'cluster',
      onStoreFailure: 'local',
    },
  }
}

/** A circuit breaker: the first failure takes the store out of use for a second at least. Then one probe at a time, which no
 *  caller waits for, decides whether it is used again; so a store that comes and goes has callers wait for its deadline
 *  once in a second at most. */
export class StoreGuard {
  readonly #store: LimitStore
  readonly #clock: Clock
  readonly #log: (event: StoreEvent) => void
  readonly #failedPlaces = new Set<string>()
  readonly #recovered: (() => void)[] = []
  #outage: Outage | null = null
  #recoveries = 0
  #asking: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(store: LimitStore, clock: Clock, log: (event: StoreEvent) => void) {
    this.#store = store
    this.#clock = clock
    this.#log = log
  }

  /** One that is closed does not come back. */
  get isFailing(): boolean {
    return this.#outage !== null || this.#closed
  }

  /** Called whenever the store is used again. */
  onRecovered(listener: () => void): void {
    this.#recovered.push(listener)
  }

  /** What the store did, or null while it fails. */
  apply(operation: Operation): Outcome | null | Promise<Outcome | null> {
    return this.decide(operation, asItIs)
  }

  /** What `told` makes of that, in the very step in which it is known. */
  decide<T>(operation: Operation, told: (outcome: Outcome | null) => T | Promise<T>): T | Promise<T> {
    if (this.isFailing) return told(this.#without(operation))
    const recoveries = this.#recoveries
    const failed = (error: unknown) => told(this.#failedAt(error, operation, recoveries))
    return applyThen(this.#store, operation, { told, failed })
  }

  /** Asks the store whether it works. While it fails only the breaker's own probes do that, and nobody waits for them. */
  async probe(): Promise<void> {
    if (!this.isFailing) await this.#ask()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#store.close()
  }

  #failedAt(error: unknown, operation: Operation, recoveries: number): null {
    // It was sent before an outage that is over: of the store as it is now it says nothing.
    if (recoveries !== this.#recoveries) return null
    for (const { key } of operation.charges) {
      if (this.#failedPlaces.size < PROBED_PLACES) this.#failedPlaces.add(hashTagOf(key))
    }
    this.#fail(error)
    return this.#without(operation)
  }

  #without({ type }: Operation): null {
    if (this.#outage && type === 'take') this.#outage.decisions += 1
    return null
  }

  /** One question at a time: what another was answered before may be older. */
  #ask(): Promise<void> {
    this.#asking ??= this.#askNow().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #askNow(): Promise<void> {
    const outage = this.#outage
    try {
      const hashTags = new Set(['probe', ...this.#failedPlaces])
      await this.#store.apply({ type: 'take', charges: [...hashTags].map(probeAt) })
      // What was asked before an outage does not end it.
      if (outage === this.#outage) this.#recover()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    if (this.#closed) return
    if (!this.#outage) {
      this.#outage = { since: this.#clock.now(), decisions: 0 }
      this.#log({ type: 'degraded', cause: error instanceof Error ? error.message : String(error) })
      this.#askLater()
    }
  }

  #askLater(): void {
    const ask = async () => {
      await this.#ask()
      if (this.#outage && !this.#closed) this.#askLater()
    }
    this.#timer = setTimeout(() => void ask(), PROBE_EVERY_MS).unref()
  }

  #recover(): void {
    if (!this.#outage || this.#closed) return
    const { since, decisions } = this.#outage
    this.#outage = null
    this.#recoveries += 1
    this.#failedPlaces.clear()
    this.#log({ type: 'recovered', afterMs: this.#clock.now() - since, decisionsWithoutStore: decisions })
    for (const listener of this.#recovered) listener()
  }
}

function asItIs(outcome: Outcome | null): Outcome | null {
  return outcome
}
