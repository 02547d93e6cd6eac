interface Abort<T> {
  /** Called on abort; the work itself continues. */
  readonly tell: () => void
  /** Undoes the outcome of work that ends after the abort. */
  readonly undo: (outcome: T) => Promise<void>
}

/** Returns the outcome of the work. Rejects with the signal's reason when the signal aborts first, even by a single
 *  microtask. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined, { tell, undo }: Abort<T>): Promise<T> {
  if (!signal) return work
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const abort = () => {
    reject(signal.reason)
    tell()
  }
  signal.addEventListener('abort', abort, { once: true })
  work
    .then((outcome) => (signal.aborted ? undo(outcome) : resolve(outcome)))
    .catch(reject)
    .finally(() => signal.removeEventListener('abort', abort))
  return promise
}
