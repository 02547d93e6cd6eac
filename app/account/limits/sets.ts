import type { Outputs } from '#app/connection/trpc.ts'
import type { Translate } from '#app/ui/translate.ts'

export type OwnRule = Outputs['limits']['mine']['rules'][number]

interface OwnSet {
  readonly name: string
  readonly rules: readonly OwnRule[]
}

/** What people ask about: shown first, used or not. */
const USUAL = ['upload', 'upload-bytes', 'view', 'download', 'sent-bytes', 'delete']

/** The sets that have a title (messages/en/own-limits.ts). */
const TITLED = [
  ...(['account-view', 'bulk', 'delete', 'download', 'edit', 'own-limits', 'revalidate', 'sent-bytes'] as const),
  ...(['share-change', 'share-revoke', 'share-view'] as const),
  ...(['upload', 'upload-bytes', 'uploading', 'view', 'view-large', 'zipping'] as const),
]

/** The set of a shared account as a whole. */
const TOTAL = /-total$/

/** Not for people: a network's part of a shared account, and what only tokens may call. */
const HIDDEN = /-network$|^token\./

/** Returns the title of a set; its name for one that this page does not know. */
export function setTitle(name: string, t: Translate<'ownLimits'>): string {
  const known = TITLED.find((each) => each === name.replace(TOTAL, ''))
  if (!known) return name
  const title = t(`sets.${known}`)
  return TOTAL.test(name) ? t('wholeAccount', { title }) : title
}

export const countUsed = ({ limit, remaining }: OwnRule): number => Math.max(0, limit - remaining)

/** Groups rules by their set. Sets that have been used come after the usual ones, the fullest first, then the rest. */
export function arrangeSets(rules: readonly OwnRule[]): { usual: readonly OwnSet[]; others: readonly OwnSet[] } {
  const shown = rules.filter(({ ruleSet }) => !HIDDEN.test(ruleSet))
  const sets = [...Map.groupBy(shown, ({ ruleSet }) => ruleSet)].map(([name, own]) => ({ name, rules: own }))
  const usual = USUAL.flatMap((name) => sets.find((set) => set.name === name) ?? [])
  const others = sets.filter((set) => !usual.includes(set))
  return { usual, others: others.toSorted((one, other) => fullness(other) - fullness(one)) }
}

/** The largest used share of any rule, from 0 to 1. */
const fullness = ({ rules }: OwnSet): number =>
  Math.max(...rules.map((rule) => (rule.limit === 0 ? 1 : countUsed(rule) / rule.limit)))
