import type { Target } from '../report/figures.ts'
import type { Contender } from './contender.ts'

/** A contender that is opened in a separate process. */
export interface Entry {
  readonly name: string
  readonly target?: Target | undefined
  /** Resolves when it is ready for its first turn and has proved that it limits. */
  open(redisUrl: string): Promise<Contender>
}

/** Returns the entry of this name. */
export function named<T extends { readonly name: string }>(all: readonly T[], name: string | undefined): T {
  const found = all.find((each) => each.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}
