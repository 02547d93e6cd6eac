import type { Outputs } from '#app/connection/trpc.ts'

export type OwnRule = Outputs['limits']['mine']['rules'][number]

interface OwnSet {
  readonly name: string
  readonly rules: readonly OwnRule[]
}

/** What people ask about: shown first, used or not. */
const USUAL = ['upload', 'upload-bytes', 'view', 'download', 'sent-bytes', 'delete']

/** Not for people: a network's part of a shared account, and what only tokens may call. */
const HIDDEN = /-network$|^token\./

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
