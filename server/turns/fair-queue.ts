import { Lanes, type Turn, type Waiter } from './lanes.ts'

export interface FairQueueOptions {
  /** Work that runs at once. */
  readonly running: number
  /** How much of it may be of one outermost lane; all of it by default. */
  readonly runningPerLane?: number
  /** Work that may wait. */
  readonly waiting: number
}

/** The queue is full and this is the newest of the lane with the most waiting, or the queue is closed. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/**
 * Runs a bounded amount of work at once. Lanes that wait take turns: before a new one has its first, each other has one at most,
 * however much waits in it. When the queue is full, the lane with the most waiting loses its newest.
 */
export class FairQueue {
  readonly #options: Required<FairQueueOptions>
  readonly #lanes = new Lanes()
  /** The outermost lane of each work that is running. */
  readonly #running: string[] = []
  #isClosed = false

  constructor(options: FairQueueOptions) {
    this.#options = { runningPerLane: options.running, ...options }
  }

  /** Runs `work` when its turn comes. Rejects with QueueFull, or with the signal's reason if that aborts before. */
  run<T>({ lane, signal }: Turn, work: () => Promise<T>): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#isClosed) return Promise.reject(new QueueFull())
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const leave = (reason: unknown) => {
      this.#lanes.remove(waiter)
      signal?.removeEventListener('abort', abort)
      reject(reason)
    }
    const abort = () => leave(signal?.reason)
    const waiter: Waiter = {
      lane,
      start: () => {
        this.#lanes.remove(waiter)
        signal?.removeEventListener('abort', abort)
        void work()
          .then(resolve, reject)
          .finally(() => this.#end(lane[0]))
      },
      refuse: () => leave(new QueueFull()),
    }
    signal?.addEventListener('abort', abort, { once: true })
    this.#lanes.add(waiter)
    this.#startNext()
    if (this.#lanes.count > this.#options.waiting) this.#lanes.newest(lane)?.refuse()
    return promise
  }

  /** Refuses what waits and what comes later. What runs is left to end. */
  close(): void {
    this.#isClosed = true
    while (this.#lanes.count > 0) this.#lanes.newest()?.refuse()
  }

  #startNext(): void {
    if (this.#running.length >= this.#options.running) return
    const next = this.#lanes.next((name) => this.#countRunning(name) < this.#options.runningPerLane)
    if (!next) return
    this.#running.push(next.lane[0])
    next.start()
  }

  #countRunning(name: string): number {
    return this.#running.filter((running) => running === name).length
  }

  #end(name: string): void {
    this.#running.splice(this.#running.indexOf(name), 1)
    this.#startNext()
  }
}
