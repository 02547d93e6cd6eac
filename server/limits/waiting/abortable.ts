interface Abort<T> {
  /** Tells the work, which goes on. */
  readonly tell: () => void
  /** Takes back what comes of it all the same. */
  readonly undo: (outcome: T) => Promise<void>
}

/** The work's outcome, or the signal's reason when that comes first, be it by a microtask. */
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
