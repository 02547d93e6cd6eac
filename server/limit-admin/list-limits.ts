import type { SetFacts } from '#server/limits/rules/compiled.ts'
import { adminProcedure } from '#server/trpc/init.ts'
import type { Catalogue, NamedRuleSet } from './catalogue.ts'
import { limitAdminView } from './limits.ts'
import type { HeldOverride } from './override-book.ts'
import { possibleTargets } from './override-rules.ts'
import type { OverrideTarget } from './override-target.ts'
import { type AllTerms, type OverrideTerms, termsOf } from './override-terms.ts'
import { type RuleLine, ruleLines } from './rule-lines.ts'
import { type SubjectTeller, subjectTeller } from './shown-subject.ts'

export interface ProcedureItem {
  /** A procedure's path, or the name of a route's part. */
  readonly path: string
  readonly kind: 'query' | 'mutation' | 'subscription' | 'route'
  readonly ruleSets: readonly string[]
  /** Why a procedure needs no limits, or what a route is. */
  readonly reason: string | null
}

export interface OverrideItem {
  readonly target: OverrideTarget
  /** Of a subject: the name of its user. */
  readonly subjectName: string | null
  /** Null for what an other version of the code wrote. */
  readonly terms: OverrideTerms | null
  /** What holds; null while it does not, for its problem. */
  readonly rules: readonly RuleLine[] | null
  readonly problem: string | null
  readonly note: string | null
  /** ISO 8601. */
  readonly changedAt: string
  readonly changedBy: string | null
}

export interface RuleSetItem {
  readonly name: string
  /** Whom it counts, in words. */
  readonly by: string
  readonly unit: 'calls' | 'bytes'
  readonly count: 'all' | 'failures'
  readonly scope: 'cluster' | 'instance'
  readonly declared: AllTerms
  readonly rules: readonly RuleLine[]
  readonly usedBy: readonly string[]
  /** For whom it can be overridden. */
  readonly targets: readonly OverrideTarget['kind'][]
  /** For all, for roles, for subjects. */
  readonly overrides: readonly OverrideItem[]
}

export interface LimitsList {
  readonly procedures: readonly ProcedureItem[]
  /** By name. */
  readonly ruleSets: readonly RuleSetItem[]
  /** Of rule sets that code declares no more: they hold nothing, and can be cleared. */
  readonly leftOver: readonly (OverrideItem & { readonly ruleSet: string })[]
}

/** Every procedure and route, the rule sets that code declares for them, and what holds in their place. */
export const listLimits = adminProcedure
  .meta({ limits: limitAdminView })
  .query(async ({ ctx }): Promise<LimitsList> => {
    const { catalogue, overrides } = ctx.app.limitAdmin
    const held = await overrides.load()
    const subjects = held.flatMap(({ target }) => (target.kind === 'subject' ? target.subject : []))
    return listOf(catalogue, held, await subjectTeller(ctx.app.db, subjects, ctx.viewer))
  })

function listOf(catalogue: Catalogue, held: readonly HeldOverride[], tell: SubjectTeller): LimitsList {
  const byName = Map.groupBy(held, ({ ruleSet }) => ruleSet)
  return {
    procedures: catalogue.parts.map(({ path, kind, declared, reason }) => {
      return { path, kind, ruleSets: declared.map(({ name = path }) => name), reason }
    }),
    ruleSets: [...catalogue.ruleSets.values()].map((set) => {
      return ruleSetItem(
        set,
        (byName.get(set.name) ?? []).map((each) => overrideItem(each, tell)),
      )
    }),
    leftOver: held
      .filter(({ ruleSet }) => !catalogue.ruleSets.has(ruleSet))
      .map((each) => ({ ruleSet: each.ruleSet, ...overrideItem(each, tell) })),
  }
}

function ruleSetItem(set: NamedRuleSet, overrides: readonly OverrideItem[]): RuleSetItem {
  const { facts } = set.compiled[0]
  return {
    name: set.name,
    by: set.uses.every(({ part }) => part.isForTokens) ? 'each token' : byWords(facts.by),
    unit: facts.unit,
    count: facts.count,
    scope: facts.scope,
    declared: termsOf(set.uses[0].declared),
    rules: ruleLines(set.compiled),
    usedBy: set.uses.map(({ part }) => part.path),
    targets: possibleTargets(set),
    overrides,
  }
}

function overrideItem(
  { target, terms, sets, problem, note, changedAt, changedBy }: HeldOverride,
  tell: SubjectTeller,
): OverrideItem {
  const subject = target.kind === 'subject' ? tell(target.subject) : null
  return {
    target: subject ? { kind: 'subject', subject: subject.key } : target,
    subjectName: subject?.name ?? null,
    terms,
    rules: sets && ruleLines(sets),
    // It may name the subject.
    problem: subject && target.kind === 'subject' ? (problem?.replace(target.subject, subject.key) ?? null) : problem,
    note,
    changedAt: changedAt.toISOString(),
    changedBy,
  }
}

function byWords(by: SetFacts['by']): string {
  if (typeof by === 'string') return BY[by]
  return by.per === null ? `each ${by.input}, whoever asks` : `each ${by.input} by ${BY.subject}`
}

const BY = {
  subject: 'each user; guests, and those who share an account, by address',
  ip: 'each address',
  user: 'each user; guests by address',
  site: 'everybody together',
} satisfies Record<Extract<SetFacts['by'], string>, string>
