import { refusalOf } from '#app/limits/refusal.ts'

/** A wait that is taken without a word: the rule of so many a second, met by doing many things at once. */
const shortWaitMs = 4000

export interface Outcome<Result> {
  readonly results: readonly Result[]
  /** Where a failure stopped the work, and what had not been done. */
  readonly stopped: { readonly error: unknown; readonly remaining: readonly string[] } | null
}

interface Options {
  readonly wait: (ms: number) => Promise<void>
}

/** Calls for one id after the other. Short waits of a limit are sat out; a longer one, or another failure, ends it. */
export async function inTurn<Result>(
  ids: readonly string[],
  call: (id: string) => Promise<Result>,
  { wait }: Options,
): Promise<Outcome<Result>> {
  const results: Result[] = []
  for (const [index, id] of ids.entries()) {
    for (;;) {
      try {
        results.push(await call(id))
        break
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal || refusal.waitMs > shortWaitMs)
          return { results, stopped: { error, remaining: ids.slice(index) } }
        await wait(refusal.waitMs + 50)
      }
    }
  }
  return { results, stopped: null }
}
