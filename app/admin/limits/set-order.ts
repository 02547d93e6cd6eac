import type { SetFigures } from './figures.ts'
import { activityOf, NO_SET_FIGURES } from './figures.ts'
import type { RuleSetItem } from './types.ts'

export type SetOrder = 'activity' | 'name'

export interface SetView {
  readonly search: string
  readonly order: SetOrder
  readonly onlyOverridden: boolean
}

/** The rule sets to show, and in which order: the busiest of the last minute first, or by name. */
export function arrange(
  sets: readonly RuleSetItem[],
  figures: ReadonlyMap<string, SetFigures>,
  { search, order, onlyOverridden }: SetView,
): readonly RuleSetItem[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = sets.filter(
    (set) => (!onlyOverridden || set.overrides.length > 0) && words.every((word) => textOf(set).includes(word)),
  )
  const activity = ({ name }: RuleSetItem) => activityOf((figures.get(name) ?? NO_SET_FIGURES).total)
  return shown.toSorted((a, b) =>
    order === 'name' || activity(a) === activity(b) ? (a.name < b.name ? -1 : 1) : activity(b) - activity(a),
  )
}

/** What holds still: `names` as they stood, with what has come at the end and without what has gone. */
export function keepOrder(names: readonly string[], sets: readonly RuleSetItem[]): readonly RuleSetItem[] {
  const place = new Map(names.map((name, index) => [name, index]))
  const placeOf = ({ name }: RuleSetItem) => place.get(name) ?? names.length
  return sets.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const textOf = ({ name, by, usedBy }: RuleSetItem): string => [name, by, ...usedBy].join(' ').toLowerCase()
