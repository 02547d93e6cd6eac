import type { Clock } from '../clock.ts'
import type { Charge, LimitStore, Operation, Outcome } from '../store.ts'
import { hashTagOf } from './hash-tag.ts'

/** The store began to fail, or answers again. */
export type LimiterEvent =
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

/** A circuit breaker: the first failure takes the store out of use, and a probe each second, which no caller waits for,
 *  brings it back. */
export class StoreGuard {
  readonly #store: LimitStore
  readonly #clock: Clock
  readonly #log: (event: LimiterEvent) => void
  readonly #failedAt = new Set<string>()
  #outage: Outage | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(store: LimitStore, clock: Clock, log: (event: LimiterEvent) => void) {
    this.#store = store
    this.#clock = clock
    this.#log = log
  }

  get isFailing(): boolean {
    return this.#outage !== null
  }

  /** What the store did, or null while it fails. */
  async apply(operation: Operation): Promise<Outcome | null> {
    if (!this.#outage) {
      try {
        return await this.#store.apply(operation)
      } catch (error) {
        for (const { key } of operation.charges) {
          if (this.#failedAt.size < PROBED_PLACES) this.#failedAt.add(hashTagOf(key))
        }
        this.#fail(error)
      }
    }
    if (this.#outage && operation.type === 'take') this.#outage.decisions += 1
    return null
  }

  /** Asks the store now, whatever it did before. */
  async probe(): Promise<void> {
    try {
      const hashTags = new Set(['probe', ...this.#failedAt])
      await this.#store.apply({ type: 'take', charges: [...hashTags].map(probeAt) })
      this.#recover()
    } catch (error) {
      this.#fail(error)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#store.close()
  }

  #fail(error: unknown): void {
    if (this.#closed) return
    if (!this.#outage) {
      this.#outage = { since: this.#clock.now(), decisions: 0 }
      this.#log({ type: 'degraded', cause: error instanceof Error ? error.message : String(error) })
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.probe(), PROBE_EVERY_MS).unref()
  }

  #recover(): void {
    if (!this.#outage) return
    const { since, decisions } = this.#outage
    this.#outage = null
    this.#failedAt.clear()
    clearTimeout(this.#timer)
    this.#log({ type: 'recovered', afterMs: this.#clock.now() - since, decisionsWithoutStore: decisions })
  }
}
