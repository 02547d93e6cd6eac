import type { Clock } from '../../clock.ts'
import type { Charge, LimitStore, Operation } from '../../store.ts'
import { hashTagOf } from '../hash-tag.ts'

/** The store began to fail, or answers again. */
export type StoreEvent =
  | { readonly type: 'degraded'; readonly cause: string }
  | { readonly type: 'recovered'; readonly afterMs: number; readonly decisionsWithoutStore: number }

const PROBE_EVERY_MS = 1_000

/** The nodes of a Cluster fail one by one, so a probe covers the hash tags that failed: this many of them at most. */
const PROBED_PLACES = 16

/** What a probe takes: a real charge, because a full or read-only Redis still answers PING. */
function probeAt(hashTag: string): Charge {
  return {
    key: `RATE:LIMIT:{${hashTag}}:probe:probe`,
    algorithm: 'sliding-window-log',
    rules: [
      { policy: 'probe-1s', parts: { limit: 1_000_000, window: 1_000 }, limit: 1_000_000, windowMs: 1_000, blockMs: 0 },
    ],
    cost: 1,
    facts: {
      name: 'probe',
      declaredBy: 'probe',
      by: 'site',
      unit: 'calls',
      cost: null,
      count: 'all',
      mode: 'enforce',
      penalty: null,
      waitMs: 0,
      scope: 'cluster',
      onStoreFailure: 'local',
      override: null,
    },
  }
}

/** Knows whether a store may be asked. The first failure opens the breaker: the store gets no calls for at least a
 *  second. Then it is probed in the background, one probe at a time, until a probe succeeds and closes the breaker. A
 *  store that flaps therefore costs callers its deadline once a second at most. */
export class CircuitBreaker {
  readonly #store: LimitStore
  readonly #clock: Clock
  readonly #log: (event: StoreEvent) => void
  readonly #failedPlaces = new Set<string>()
  readonly #recovered: (() => void)[] = []
  #outage: { readonly since: number; decisions: number } | null = null
  #recoveries = 0
  #asking: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(store: LimitStore, clock: Clock, log: (event: StoreEvent) => void) {
    this.#store = store
    this.#clock = clock
    this.#log = log
  }

  /** Whether the store gets no calls. True for good after `close`. */
  get isFailing(): boolean {
    return this.#outage !== null || this.#closed
  }

  /** Called whenever the store is used again. */
  onRecovered(listener: () => void): void {
    this.#recovered.push(listener)
  }

  /** How often the store has recovered. Read it before the store is asked and pass it to `fail` with the error. */
  get recoveries(): number {
    return this.#recoveries
  }

  /** An operation has failed that was sent after so many recoveries. */
  fail(error: unknown, { charges }: Operation, recoveries: number): void {
    // Sent before an outage that is over: this failure says nothing about the store now.
    if (recoveries !== this.#recoveries) return
    for (const { key } of charges) {
      if (this.#failedPlaces.size < PROBED_PLACES) this.#failedPlaces.add(hashTagOf(key))
    }
    this.#open(error)
  }

  /** A call was decided without the store. */
  countDecision(): void {
    if (this.#outage) this.#outage.decisions += 1
  }

  /** Probes a store that works so far, and opens the breaker when it does not answer. Does nothing while the breaker is
   *  open: its own probes are under way then. */
  async probe(): Promise<void> {
    if (!this.isFailing) await this.#ask()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#store.close()
  }

  /** Probes once. One probe at a time, so that a late answer never overrides a newer one. */
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
      // A probe sent before an outage began does not end it.
      if (outage === this.#outage) this.#recover()
    } catch (error) {
      this.#open(error)
    }
  }

  #open(error: unknown): void {
    if (this.#closed || this.#outage) return
    this.#outage = { since: this.#clock.now(), decisions: 0 }
    this.#log({ type: 'degraded', cause: error instanceof Error ? error.message : String(error) })
    this.#askLater()
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
