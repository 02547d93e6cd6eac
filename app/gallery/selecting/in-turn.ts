export interface WorkResult<Item, Result> {
  readonly results: readonly Result[]
  /** Where a failure, or whoever had enough, stopped the work, and what had not been done. */
  readonly stopped: { readonly error: unknown; readonly remaining: readonly Item[] } | null
}

interface Pace {
  readonly atOnce: number
  /** Stops the work: between two calls, or in a wait. A call under way ends, so that what it did is known. */
  readonly signal: AbortSignal
  /** Waits for what a call failed with, and tells whether it may be made again. */
  readonly hasPassed: (error: unknown) => Promise<boolean>
  /** Told of every part that is done. */
  readonly onPart?: (amount: number) => void
}

/** Calls for some items after the other, until a call fails for good. Stopped, its error is the signal's reason. */
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
