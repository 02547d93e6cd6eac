export interface Outcome<Result> {
  readonly results: readonly Result[]
  /** Where a failure stopped the work, and what had not been done. */
  readonly stopped: { readonly error: unknown; readonly remaining: readonly string[] } | null
}

/** Calls for one id after the other, until one fails. */
export async function inTurn<Result>(
  ids: readonly string[],
  call: (id: string) => Promise<Result>,
): Promise<Outcome<Result>> {
  const results: Result[] = []
  for (const [index, id] of ids.entries()) {
    try {
      results.push(await call(id))
    } catch (error) {
      return { results, stopped: { error, remaining: ids.slice(index) } }
    }
  }
  return { results, stopped: null }
}
