export interface Outcome<Item, Result> {
  readonly results: readonly Result[]
  /** Where a failure stopped the work, and what had not been done. */
  readonly stopped: { readonly error: unknown; readonly remaining: readonly Item[] } | null
}

/** Calls for `atOnce` items after the other, until a call fails. */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  call: (items: readonly Item[]) => Promise<Result>,
): Promise<Outcome<Item, Result>> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += atOnce) {
    try {
      results.push(await call(items.slice(at, at + atOnce)))
    } catch (error) {
      return { results, stopped: { error, remaining: items.slice(at) } }
    }
  }
  return { results, stopped: null }
}
