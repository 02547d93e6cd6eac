import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { Catalogue } from './catalogue.ts'
import { nameOfSet, parseKey } from './counted-key.ts'
import type { ShownArgument, Things } from './named-things.ts'

/** What the limiter knows of a count. */
export interface CountedArgument {
  readonly ruleSet: string
  readonly key?: string | undefined
  readonly argument?: string | undefined
}

/** Describes what a count is of; null if it counts no argument. */
export type ArgumentNamer = (count: CountedArgument) => ShownArgument | null

/** Describes counts to one viewer. Those who may not see a thing learn what kind it is, and whose. */
export const createArgumentNamer =
  (catalogue: Catalogue, things: Things, viewer: Viewer): ArgumentNamer =>
  ({ ruleSet, key, argument }) => {
    const input = inputOf(catalogue, ruleSet)
    const counted = key === undefined ? null : parseKey(key)
    if (input === null || (argument === undefined && !counted?.digest)) return null
    const thing = argument === undefined ? undefined : things.get(argument)
    const hidden = { input, value: null, kind: null, title: '', owner: null, href: null, thumbnail: null }
    if (!thing) return { ...hidden, value: isSuperadmin(viewer) ? (argument ?? null) : null }
    const { mayRead, kind, owner, ...seen } = thing
    return mayRead(viewer) ? { input, value: argument ?? null, kind, owner, ...seen } : { ...hidden, kind, owner }
  }

/** Returns the argument that a set counts; null if it counts callers. */
function inputOf(catalogue: Catalogue, ruleSet: string): string | null {
  const by = catalogue.ruleSets.get(nameOfSet(catalogue, ruleSet))?.compiled[0].facts.by
  return typeof by === 'object' ? by.input : null
}
