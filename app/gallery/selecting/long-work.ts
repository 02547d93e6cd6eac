import { chooseRetryDelay, findRefusal, type RefusedCall } from '#app/limits/refusal.ts'

/** The progress of work on many images. */
export interface WorkState {
  readonly done: number
  /** The limit that it waits for; null while it runs. */
  readonly waitsFor: RefusedCall | null
}

/** A hundred images need as many permits. A limit of 60 per minute restores them within this time. */
const PATIENCE_MS = 2 * 60_000

/** Work on many images that can be watched and stopped. It waits for limits that reset within two minutes. */
export class LongWork {
  #state: WorkState = { done: 0, waitsFor: null }
  readonly #stop = new AbortController()
  readonly #listeners = new Set<() => void>()
  readonly #pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly total: number

  constructor(total: number, pause = sleep) {
    this.total = total
    this.#pause = pause
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  readonly state = (): WorkState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly stop = (): void => this.#stop.abort()

  readonly advance = (amount: number): void => this.#change({ done: this.#state.done + amount, waitsFor: null })

  /** Waits for the limit that refused a call. Returns false if there is none, it takes too long, or the work is stopped. */
  readonly hasPassed = async (error: unknown): Promise<boolean> => {
    const refusal = findRefusal(error)
    if (!refusal || refusal.waitMs > PATIENCE_MS) return false
    this.#change({ ...this.#state, waitsFor: refusal })
    await this.#pause(chooseRetryDelay(error, 0, 0), this.signal)
    this.#change({ ...this.#state, waitsFor: null })
    return !this.signal.aborted
  }

  #change(state: WorkState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** Resolves early, without an error, when the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
