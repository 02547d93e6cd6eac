import type { ErrorText } from '#server/errors/refused.ts'
import type { SetFacts } from '#server/limits/rules/compiled.ts'
import { adminProcedure } from '#server/trpc/init.ts'
import type { AddedSet } from './added/added-set.ts'
import { countableArguments } from './added/arguments.ts'
import type { Catalogue, NamedRuleSet } from './catalogue.ts'
import { limitAdminView } from './limits.ts'
import type { ActiveOverride } from './overrides/override-book.ts'
import { canDegrade, countedHolder, possibleTargets } from './overrides/override-problems.ts'
import type { OverrideTarget } from './overrides/override-target.ts'
import { type AllTerms, declaredTerms, type OverrideTerms } from './overrides/override-terms.ts'
import { createTargetNamer, type TargetNamer } from './overrides/target-namer.ts'
import { type RuleLine, ruleLines } from './rule-lines.ts'

export interface ProcedureItem {
  /** The path of a procedure, or the name of a route's part. */
  readonly path: string
  readonly kind: 'query' | 'mutation' | 'subscription' | 'route'
  readonly ruleSets: readonly string[]
  /** The arguments that a further rule set could count. */
  readonly arguments: readonly string[]
}

export interface OverrideItem {
  /** The procedure or route that counts by itself; absent for all that share the set. */
  readonly procedure?: string | undefined
  readonly target: OverrideTarget
  /** The name of a subject, or the title of what a blocked value names. */
  readonly subjectName: string | null
  /** Null if another version of the code wrote them. */
  readonly terms: OverrideTerms | null
  /** The rules in force; null if the override has a problem and is skipped. */
  readonly rules: readonly RuleLine[] | null
  readonly problem: ErrorText | null
  readonly note: string | null
  /** ISO 8601. */
  readonly changedAt: string
  readonly changedBy: string | null
}

export interface RuleSetItem {
  readonly name: string
  /** What is counted separately. */
  readonly by: SetFacts['by'] | 'token' | 'share'
  readonly unit: 'calls' | 'bytes'
  readonly count: 'all' | 'failures'
  readonly scope: 'cluster' | 'instance'
  readonly declared: AllTerms
  /** Whether its mode may be degrade. */
  readonly canDegrade: boolean
  readonly rules: readonly RuleLine[]
  readonly usedBy: readonly string[]
  /** What it can be overridden for. */
  readonly targets: readonly OverrideTarget['kind'][]
  /** For everyone, for roles, for subjects. */
  readonly overrides: readonly OverrideItem[]
  /** The rules that are tried beside those in force; null for none. */
  readonly trial: OverrideItem | null
}

/** A rule set that was added at run time. */
export interface AddedSetItem {
  readonly name: string
  readonly procedure: string
  /** Null if another version of the code wrote it. */
  readonly set: AddedSet | null
  /** Why it is not in force, and so not among the rule sets; null if it is. */
  readonly problem: ErrorText | null
  readonly note: string | null
  /** ISO 8601. */
  readonly changedAt: string
  readonly changedBy: string
}

export interface LimitsList {
  readonly procedures: readonly ProcedureItem[]
  readonly ruleSets: readonly RuleSetItem[]
  readonly added: readonly AddedSetItem[]
  /** Overrides of rule sets that the code no longer declares. They have no effect and can be cleared. */
  readonly leftOver: readonly (OverrideItem & { readonly ruleSet: string })[]
}

/** Returns every procedure and route, their declared rule sets, and the overrides in force. */
export const listLimits = adminProcedure
  .meta({ limits: limitAdminView })
  .query(async ({ ctx }): Promise<LimitsList> => {
    const { overrides } = ctx.app.limitAdmin
    const stored = await overrides.load()
    const { catalogue, sets } = overrides
    const { db, config } = ctx.app
    const added = sets.map((each) => ({ ...each, changedAt: each.changedAt.toISOString() }))
    const targets = stored.map(({ target }) => target)
    const nameTarget = await createTargetNamer(db, config.origin, targets, ctx.viewer)
    return { ...createList(catalogue, stored, nameTarget), added }
  })

function createList(
  catalogue: Catalogue,
  stored: readonly ActiveOverride[],
  nameTarget: TargetNamer,
): Omit<LimitsList, 'added'> {
  const byName = Map.groupBy(stored, ({ ruleSet }) => ruleSet)
  return {
    procedures: catalogue.parts.map((part) => {
      const { path, kind, declared } = part
      return { path, kind, ruleSets: declared.map(({ name = path }) => name), arguments: countableArguments(part) }
    }),
    ruleSets: [...catalogue.ruleSets.values()].map((set) => {
      return ruleSetItem(
        set,
        (byName.get(set.name) ?? []).map((each) => overrideItem(each, nameTarget)),
      )
    }),
    leftOver: stored
      .filter(({ ruleSet }) => !catalogue.ruleSets.has(ruleSet))
      .map((each) => ({ ruleSet: each.ruleSet, ...overrideItem(each, nameTarget) })),
  }
}

function ruleSetItem(set: NamedRuleSet, overrides: readonly OverrideItem[]): RuleSetItem {
  const { facts } = set.compiled[0]
  return {
    name: set.name,
    by: countedHolder(set.uses) ?? facts.by,
    unit: facts.unit,
    count: facts.count,
    scope: facts.scope,
    declared: declaredTerms(set.uses[0].declared),
    canDegrade: canDegrade(set),
    rules: ruleLines(set.compiled),
    usedBy: set.uses.map(({ part }) => part.path),
    targets: possibleTargets(set),
    overrides: overrides.filter(({ target }) => target.kind !== 'trial'),
    trial: overrides.find(({ target }) => target.kind === 'trial') ?? null,
  }
}

function overrideItem(
  { procedure, target, terms, sets, problem, note, changedAt, changedBy }: ActiveOverride,
  nameTarget: TargetNamer,
): OverrideItem {
  const { target: shown, name } = nameTarget(target)
  return {
    procedure,
    target: shown,
    subjectName: name,
    terms,
    rules: sets && ruleLines(sets),
    problem:
      problem && shown.kind === 'subject' && 'subject' in problem.params
        ? withSubject(problem, shown.subject)
        : problem,
    note,
    changedAt: changedAt.toISOString(),
    changedBy,
  }
}

/** The subject as the viewer may see it. */
const withSubject = ({ code, params }: ErrorText, subject: string): ErrorText => ({
  code,
  params: { ...params, subject },
})
