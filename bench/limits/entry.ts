import type { Target } from '../report/figures.ts'
import type { Contender } from './contender.ts'

/** A contender that a process of its own opens. */
export interface Entry {
  readonly name: string
  readonly target?: Target | undefined
  /** Ready for its first turn: it has proved that it limits. */
  open(redisUrl: string): Promise<Contender>
}

/** The one of this name. */
export function named<T extends { readonly name: string }>(all: readonly T[], name: string | undefined): T {
  const found = all.find((each) => each.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}
