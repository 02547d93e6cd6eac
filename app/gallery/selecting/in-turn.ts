export interface WorkResult<Item, Result> {
  readonly results: readonly Result[]
  /** The failure or signal that stopped the work, and the items left. */
  readonly stopped: { readonly error: unknown; readonly remaining: readonly Item[] } | null
}

interface Pace {
  readonly atOnce: number
  /** Stops the work between two calls or during a wait. A call in progress is completed, so that its outcome is known. */
  readonly signal: AbortSignal
  /** Waits until the cause of a failure has passed. Returns whether the call may be repeated. */
  readonly hasPassed: (error: unknown) => Promise<boolean>
  /** Called for each completed part. */
  readonly onPart?: (amount: number) => void
}

/** Makes one call after another, each for some of the items, until one fails and cannot be repeated. When it is stopped, the error is the signal's reason. */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  { atOnce, signal, hasPassed, onPart }: Pace,
  call: (items: readonly Item[]) => Promise<Result>,
): Promise<WorkResult<Item, Result>> {
  const results: Result[] = []
  while (results.length * atOnce < items.length) {
    const at = results.length * atOnce
    const part = items.slice(at, at + atOnce)
    const stopped = (error: unknown) => ({ results, stopped: { error, remaining: items.slice(at) } })
    if (signal.aborted) return stopped(signal.reason)
    try {
      results.push(await call(part))
      onPart?.(part.length)
    } catch (error) {
      if (!(await hasPassed(error))) return stopped(signal.aborted ? signal.reason : error)
    }
  }
  return { results, stopped: null }
}
