import type { Attributes, Tracing } from './tracing.ts'

/** Does work of a dependency, and records how long it takes, whether it fails, and a span with `about`. */
export type Watch<Operation extends string> = <T>(
  operation: Operation,
  work: () => Promise<T>,
  about?: () => Attributes,
) => Promise<T>

interface Watcher<Operation extends string> {
  readonly tracing: Tracing
  /** The first word of its spans. */
  readonly name: string
  /** Whether the dependency is to blame for an error. */
  readonly isFault: (error: unknown) => boolean
  readonly time: (seconds: number, operation: Operation, outcome: 'ok' | 'failed') => void
}

/** Returns a watch that traces, and gives each duration to `time`. */
export function createWatch<Operation extends string>(watcher: Watcher<Operation>): Watch<Operation> {
  const { tracing, name, isFault, time } = watcher
  return async (operation, work, about = NOTHING) => {
    const startedAt = performance.now()
    let outcome: 'ok' | 'failed' = 'ok'
    try {
      return await tracing.span(`${name} ${operation}`, about, work)
    } catch (error) {
      if (isFault(error)) outcome = 'failed'
      throw error
    } finally {
      time((performance.now() - startedAt) / 1_000, operation, outcome)
    }
  }
}

const NOTHING = () => ({})
