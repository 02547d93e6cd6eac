/** The work's outcome; rejects when it takes longer than `ms` milliseconds. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const late = () => reject(new Error(`Redis gave no answer within ${ms} ms`))
  // When this process was the slow one, the answer lies in the socket by now: it is read before the immediate runs.
  const timer = setTimeout(() => setImmediate(late), ms)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
