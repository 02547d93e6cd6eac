import type { Outputs } from '#app/connection/trpc.ts'

export type RuleSetItem = Outputs['limits']['list']['ruleSets'][number]

/** A procedure, or a route beside them. */
export type ProcedureItem = Outputs['limits']['list']['procedures'][number]

export type OverrideItem = RuleSetItem['overrides'][number]

/** Whose calls an override is for. */
export type OverrideTarget = OverrideItem['target']

/** What an override changes; what is absent stays as declared. */
export type OverrideTerms = NonNullable<OverrideItem['terms']>

/** All terms of a rule set, as its code declares them. */
export type DeclaredTerms = RuleSetItem['declared']

export type Stats = Outputs['limits']['stats']

export type HistoryItem = Outputs['limits']['history']['items'][number]
