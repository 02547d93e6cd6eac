import { declaredName } from '#format/rule-set-name.ts'
import { placeKey } from './terms-text.ts'
import type { DeclaredTerms, OverrideItem, OverrideTarget, Place, RuleSetItem } from './types.ts'

/** Finds the rule set whose calls are counted under a name, or beside which rules are tried under it. */
export function findSet<T extends Pick<RuleSetItem, 'name'>>(
  { ruleSets }: { readonly ruleSets: readonly T[] },
  name: string,
): T | undefined {
  const declared = declaredName(name)
  const find = (sought: string) => ruleSets.find((set) => set.name === sought)
  return find(declared) ?? find(declared.replace(/-trial$/, ''))
}

type Role = Extract<OverrideTarget, { kind: 'role' }>['role']

/** The chosen target of an override: each kind keeps its own choice. */
export interface ChosenTarget {
  readonly kind: OverrideTarget['kind']
  readonly role: Role
  /** Null until one is chosen. */
  readonly subject: string | null
  readonly subjectName: string | null
  /** The only procedure or route; undefined for all that use the set. */
  readonly procedure?: string | undefined
}

export const everyoneChosen: ChosenTarget = { kind: 'all', role: 'user', subject: null, subjectName: null }

/** Returns the initial choice for the place of an override, with its subject's name. */
export function toChosenTarget({
  target,
  procedure,
  subjectName = null,
}: Place & Partial<Pick<OverrideItem, 'subjectName'>>): ChosenTarget {
  const chosen = { ...everyoneChosen, kind: target.kind, procedure }
  if (target.kind === 'role') return { ...chosen, role: target.role }
  return target.kind === 'subject' ? { ...chosen, subject: target.subject, subjectName } : chosen
}

/** Returns the chosen target; null while the subject is missing. */
export function toTarget({ kind, role, subject }: ChosenTarget): OverrideTarget | null {
  if (kind === 'role') return { kind, role }
  // The value of an argument has no rules of its own: it is only blocked.
  if (kind === 'argument') return null
  if (kind !== 'subject') return { kind }
  return subject === null ? null : { kind, subject }
}

type Overridden = Pick<RuleSetItem, 'overrides' | 'trial'>

/** The override at a place, in effect or not; or the trial. */
export const overrideAt = ({ overrides, trial }: Overridden, place: Place): OverrideItem | null =>
  place.target.kind === 'trial' ? trial : (overrides.find((override) => placeKey(override) === placeKey(place)) ?? null)

/** The override in effect for everyone, in one procedure or wherever none is for that alone; null if the declared terms are. */
export const overrideForAll = (
  { overrides }: Pick<RuleSetItem, 'overrides'>,
  procedure?: string | undefined,
): OverrideItem | null =>
  overrides.find((each) => each.procedure === procedure && each.target.kind === 'all' && each.rules !== null) ?? null

/** The rules for callers without a narrower override. */
export const rulesForAll = (set: RuleSetItem): RuleSetItem['rules'] => overrideForAll(set)?.rules ?? set.rules

/** The declared terms with those of an override. */
export const termsUnder = (declared: DeclaredTerms, override: Pick<OverrideItem, 'terms'> | null): DeclaredTerms => {
  const { rules, mode, wait, onStoreFailure } = { ...declared, ...override?.terms }
  return { rules, mode, wait, onStoreFailure }
}
