import { createTurns } from '#server/turns/loop-turns.ts'

/** Watchers that receive a sample in one turn of the event loop; each costs a tenth of a millisecond. */
const EACH_TURN = 8

/** Takes one sample after each pause for all watchers, and none without watchers. */
export class Sampler<T> {
  readonly #take: () => Promise<T>
  readonly #pause: () => Promise<unknown>
  readonly #turn = createTurns(EACH_TURN)
  /** The sample being taken. */
  #next: Promise<T> | null = null

  constructor(take: () => Promise<T>, pause: () => Promise<unknown>) {
    this.#take = take
    this.#pause = pause
  }

  /** Yields a sample at once, then the newest as they are taken, until the signal. A slow watcher skips some. */
  async *watch(signal: AbortSignal): AsyncGenerator<T, void, undefined> {
    for (let sample = await unlessAborted(this.#take(), signal); sample; sample = await this.#following(signal)) {
      await this.#turn()
      yield sample.value
    }
  }

  #following(signal: AbortSignal): Promise<{ readonly value: T } | null> {
    this.#next ??= this.#pause().then(() => {
      this.#next = null
      return this.#take()
    })
    return unlessAborted(this.#next, signal)
  }
}

/** Resolves with the result of `work`; with null if the signal fires first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<{ readonly value: T } | null> {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly value: T } | null>()
  const abort = () => resolve(null)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  // Not Promise.race, which would keep each sample for as long as the signal exists.
  work
    .then((value) => resolve({ value }), reject)
    .finally(() => signal.removeEventListener('abort', abort))
    .catch(reject)
  return promise
}
