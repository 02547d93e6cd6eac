import { countDecisions, NO_SET_FIGURES, type SetFigures } from '../live/figures.ts'
import type { RuleSetItem } from '../types.ts'

export interface SetView {
  readonly search: string
  /** Returns what a set limits in the reader's words, which are searched too. */
  readonly titleOf: (name: string) => string
  readonly order: 'activity' | 'name'
  readonly onlyOverridden: boolean
}

/** Filters and sorts the rule sets: the busiest of the last minute first, then overridden ones; or by name. */
export function arrange(
  sets: readonly RuleSetItem[],
  figures: ReadonlyMap<string, SetFigures>,
  { search, titleOf, order, onlyOverridden }: SetView,
): readonly RuleSetItem[] {
  const isFound = finder(search)
  const shown = sets.filter((set) => (!onlyOverridden || set.overrides.length > 0) && isFound(joinText(set, titleOf)))
  const byName = (a: RuleSetItem, b: RuleSetItem) => (a.name < b.name ? -1 : 1)
  if (order === 'name') return shown.toSorted(byName)
  const activity = ({ name }: RuleSetItem) => countDecisions((figures.get(name) ?? NO_SET_FIGURES).total)
  const isChanged = ({ overrides }: RuleSetItem) => Number(overrides.length > 0)
  return shown.toSorted((a, b) => activity(b) - activity(a) || isChanged(b) - isChanged(a) || byName(a, b))
}

/** Returns a predicate for texts that contain every word of a search, in any order and case. */
export function finder(search: string): (text: string) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return (text) => words.every((word) => text.toLowerCase().includes(word))
}

const joinText = ({ name, by, usedBy }: RuleSetItem, titleOf: SetView['titleOf']): string =>
  [name, titleOf(name), by, ...usedBy].join(' ')
