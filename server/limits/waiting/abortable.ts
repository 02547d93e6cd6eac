/** Returns the outcome of the work. Rejects with the signal's reason when the signal aborts first, even by a single
 *  microtask. The work is not stopped by that: `onAbort` may stop it, and `undo` reverses an outcome that comes later. */
export function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  onAbort: () => void,
  undo: (outcome: T) => Promise<void>,
): Promise<T> {
  if (!signal) return work
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const abort = () => {
    reject(signal.reason)
    onAbort()
  }
  signal.addEventListener('abort', abort, { once: true })
  work
    .then((outcome) => (signal.aborted ? undo(outcome) : resolve(outcome)))
    .catch(reject)
    .finally(() => signal.removeEventListener('abort', abort))
  return promise
}
