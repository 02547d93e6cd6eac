import type { Metric } from '#server/metrics/exposition.ts'
import { mergeMetrics, onlyCounts } from '#server/metrics/merge.ts'
import type { FromPrimary, FromWorker } from './messages.ts'

/** How long a worker may take to send its metrics. Of one that is late, its last counts are taken. */
const DEADLINE_MS = 2_000

interface Asked {
  readonly id: number
  send(message: FromPrimary): void
}

type Scrape = Extract<FromWorker, { kind: 'scrape' }>

/** The metrics of all workers as those of one process. Counts of workers that have ended stay, as of the last scrape, so that no
 *  counter falls. */
export class GatheredMetrics {
  /** By worker. */
  readonly #last = new Map<number, readonly Metric[]>()
  #ended: readonly Metric[] = []
  #asked = 0
  readonly #waiting = new Map<number, (metrics: readonly Metric[]) => void>()
  readonly #readOwn: () => Promise<readonly Metric[]>

  /** `readOwn` returns the metrics of this process. */
  constructor(readOwn: () => Promise<readonly Metric[]>) {
    this.#readOwn = readOwn
  }

  /** Answers a worker that a scrape has reached, with the metrics of `others` beside its own. */
  async answer(asker: Asked, { id, own, shared }: Scrape, others: readonly Asked[]): Promise<void> {
    this.#last.set(asker.id, own)
    const found = await Promise.all(others.map((other) => this.#ask(other)))
    const metrics = mergeMetrics([own, ...found, this.#ended, await this.#readOwn(), shared])
    asker.send({ kind: 'scraped', id, metrics })
  }

  /** Takes the metrics that a worker was asked for. */
  receive({ id, own }: Extract<FromWorker, { kind: 'metrics' }>): void {
    this.#waiting.get(id)?.(own)
  }

  /** Keeps the counts of a worker that has ended. */
  forget(worker: number): void {
    const last = this.#last.get(worker)
    if (!last) return
    this.#ended = mergeMetrics([this.#ended, onlyCounts(last)])
    this.#last.delete(worker)
  }

  async #ask(worker: Asked): Promise<readonly Metric[]> {
    this.#asked += 1
    const id = this.#asked
    const { promise, resolve } = Promise.withResolvers<readonly Metric[] | null>()
    const late = setTimeout(() => resolve(null), DEADLINE_MS)
    this.#waiting.set(id, resolve)
    worker.send({ kind: 'read', id })
    const own = await promise
    clearTimeout(late)
    this.#waiting.delete(id)
    if (own) this.#last.set(worker.id, own)
    // One that ended meanwhile has been added to those that have.
    return own ?? onlyCounts(this.#last.get(worker.id) ?? [])
  }
}
