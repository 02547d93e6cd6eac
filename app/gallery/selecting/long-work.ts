import { type Refusal, refusalOf, retryDelayOf } from '#app/limits/refusal.ts'

/** How far work on many images has come. */
export interface WorkState {
  readonly done: number
  /** What it waits for; null while it goes on. */
  readonly heldBy: Refusal | null
}

/** A hundred images are as many permits, which come back one a second: a wait that is worth it. */
const PATIENCE_MS = 2 * 60_000

/** Work on many images, watched and stopped by whoever began it. A limit that opens again within two minutes is waited for. */
export class LongWork {
  #state: WorkState = { done: 0, heldBy: null }
  readonly #stop = new AbortController()
  readonly #listeners = new Set<() => void>()
  readonly #pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly total: number

  constructor(total: number, pause = pauseOf) {
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

  readonly advance = (amount: number): void => this.#become({ done: this.#state.done + amount, heldBy: null })

  /** Waits for the limit that a call failed with; false where there is none, it takes too long, or the work is stopped. */
  readonly hasPassed = async (error: unknown): Promise<boolean> => {
    const refusal = refusalOf(error)
    if (!refusal || refusal.waitMs > PATIENCE_MS) return false
    this.#become({ ...this.#state, heldBy: refusal })
    await this.#pause(retryDelayOf(error, 0, 0), this.signal)
    this.#become({ ...this.#state, heldBy: null })
    return !this.signal.aborted
  }

  #become(state: WorkState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** Ends early, without an error, when the signal does. */
function pauseOf(ms: number, signal: AbortSignal): Promise<void> {
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
