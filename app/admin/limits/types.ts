import type { Outputs } from '#app/connection/trpc.ts'

export type RuleSetItem = Outputs['limits']['list']['ruleSets'][number]

/** A procedure or a plain HTTP route. */
export type ProcedureItem = Outputs['limits']['list']['procedures'][number]

export type OverrideItem = RuleSetItem['overrides'][number]

/** The callers an override applies to. */
export type OverrideTarget = OverrideItem['target']

/** Whom an override applies to, in all procedures of its set or in one. */
export type Place = Pick<OverrideItem, 'procedure' | 'target'>

/** A rule set that was added at run time. */
export type AddedSetItem = Outputs['limits']['list']['added'][number]

/** The terms that an override changes; the others stay as declared. */
export type OverrideTerms = NonNullable<OverrideItem['terms']>

/** All terms of a rule set, as declared in code. */
export type DeclaredTerms = RuleSetItem['declared']

/** The value of an argument that is counted, by what it is. */
export type ShownArgument = NonNullable<Stats['nearest'][number]['argument']>

/** Whom a rule counts. */
export type Subject = Stats['nearest'][number]['subject']

/** A subject at one rule. */
export type Standing = Pick<Stats['nearest'][number], 'subject' | 'argument' | 'key' | 'ruleSet' | 'policy'>

export type BlockItem = Outputs['limits']['blocks']['blocks'][number]

export type Stats = Outputs['limits']['stats']

export type HistoryItem = Outputs['limits']['history']['items'][number]

/** How a call would be decided. */
export type ExplainedLimits = Outputs['limits']['explain']

/** A refused call, as it was decided. */
export type RefusalItem = Outputs['limits']['refusal'][number]

/** Everything that is declared, overridden and added. */
export type LimitsList = Outputs['limits']['list']
