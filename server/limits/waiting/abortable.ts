/** The work's outcome, or the signal's reason when that comes first: `onAbort` then tells the work, which goes on. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined, onAbort: () => void): Promise<T> {
  if (!signal) return work
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const abort = () => {
    reject(signal.reason)
    onAbort()
  }
  signal.addEventListener('abort', abort, { once: true })
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  return promise
}
