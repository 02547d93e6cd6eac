import { type Lane, Lanes, type Turn } from './lanes.ts'
import { Patience, type PatienceOptions } from './patience.ts'

export interface FairQueueOptions {
  /** Work that runs at once. */
  readonly running: number
  /** How much of it may be of one outermost lane; all of it by default. */
  readonly runningPerLane?: number
  /** Work that may wait. */
  readonly waiting: number
  /** When patient work starts; by default at its turn. */
  readonly patience?: PatienceOptions
}

export interface QueueFigures {
  readonly running: number
  readonly waiting: number
}

interface Waiter {
  readonly lane: Lane
  start(): void
  /** Called instead of `start` when the queue is full or closed. */
  refuse(): void
}

/** The lane of patient work while it runs. Other lanes begin with a name. */
const PATIENT = ''
const IMPATIENT = { beside: 0, quietMs: 0, maxMs: 0, most: 0 }

/** The queue is full and this is the newest of the lane with the most waiting, or the queue is closed. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/**
 * Runs a bounded amount of work at once. Lanes that wait take turns: before a new one has its first, each other has one at most,
 * however much waits in it. When the queue is full, the lane with the most waiting loses its newest.
 */
export class FairQueue {
  readonly #options: Required<Omit<FairQueueOptions, 'patience'>>
  readonly #lanes = new Lanes<Waiter>()
  /** The outermost lane of each work that is running. */
  readonly #running: string[] = []
  readonly #patience: Patience
  /** Whether the last work to start was patient. */
  #wasPatient = false
  #isClosed = false

  constructor(options: FairQueueOptions) {
    this.#options = { runningPerLane: options.running, ...options }
    this.#patience = new Patience(options.patience ?? IMPATIENT)
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
    this.#patience.noteOther()
    this.#lanes.add(waiter)
    this.#startNext()
    if (this.#lanes.count > this.#options.waiting) this.#lanes.newest(lane)?.refuse()
    return promise
  }

  /** Runs work that nobody waits for when there is nothing else to do, or in turn with other work when it has waited too long or
   *  too much of it waits. How much may wait is up to the caller. Rejects with QueueFull when the queue is closed. */
  runPatiently<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new QueueFull())
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const start = () =>
      void work()
        .then(resolve, reject)
        .finally(() => this.#end(PATIENT))
    this.#patience.add({ start, refuse: () => reject(new QueueFull()) })
    this.#startNext()
    return promise
  }

  /** How much runs, and how much waits. */
  get figures(): QueueFigures {
    return { running: this.#running.length, waiting: this.#lanes.count + this.#patience.count }
  }

  /** Refuses what waits and what comes later. What runs is left to end. */
  close(): void {
    this.#isClosed = true
    while (this.#patience.count > 0) this.#patience.take()?.refuse()
    while (this.#lanes.count > 0) this.#lanes.newest()?.refuse()
  }

  #startNext(): void {
    if (this.#running.length >= this.#options.running) return
    const { isUrgent } = this.#patience
    const isPatientFirst = isUrgent && !this.#wasPatient && this.#startPatient()
    if (isPatientFirst || (!this.#startWaiter() && (isUrgent || this.#isIdle) && this.#startPatient()))
      this.#startNext()
    else this.#patience.callWhenDue(this.#running.length, () => this.#startNext())
  }

  #startWaiter(): boolean {
    const next = this.#lanes.next((name) => this.#countRunning(name) < this.#options.runningPerLane)
    if (!next) return false
    this.#wasPatient = false
    this.#running.push(next.lane[0])
    next.start()
    return true
  }

  get #isIdle(): boolean {
    return this.#patience.isIdle(this.#running.length)
  }

  #startPatient(): boolean {
    const work = this.#countRunning(PATIENT) < this.#options.runningPerLane ? this.#patience.take() : undefined
    if (!work) return false
    this.#wasPatient = true
    this.#running.push(PATIENT)
    work.start()
    return true
  }

  #countRunning(name: string): number {
    return this.#running.filter((running) => running === name).length
  }

  #end(name: string): void {
    if (name !== PATIENT) this.#patience.noteOther()
    this.#running.splice(this.#running.indexOf(name), 1)
    this.#startNext()
  }
}
