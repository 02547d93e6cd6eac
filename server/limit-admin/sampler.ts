/** One sample after each pause for all who watch, and none while nobody does. */
export class Sampler<T> {
  readonly #take: () => Promise<T>
  readonly #pause: () => Promise<unknown>
  /** The sample that is on its way. */
  #next: Promise<T> | null = null

  constructor(take: () => Promise<T>, pause: () => Promise<unknown>) {
    this.#take = take
    this.#pause = pause
  }

  /** A sample at once, and the newest whenever there is one, until the signal. Whoever is slow misses some. */
  async *watch(signal: AbortSignal): AsyncGenerator<T, void, undefined> {
    for (let sample = await unlessAborted(this.#take(), signal); sample; sample = await this.#following(signal)) {
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

/** What comes of the work; null when the signal comes first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<{ readonly value: T } | null> {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly value: T } | null>()
  const abort = () => resolve(null)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  // Not a race: that would keep each sample for as long as the signal lives.
  work
    .then((value) => resolve({ value }), reject)
    .finally(() => signal.removeEventListener('abort', abort))
    .catch(reject)
  return promise
}
