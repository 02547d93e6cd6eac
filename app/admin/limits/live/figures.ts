import { formatCount } from '#format/counts.ts'

/** What one rule decided within the last minute, for one procedure. */
export interface MinuteCounts {
  readonly passed: number
  readonly refused: number
  readonly waited: number
  readonly shadowRefused: number
  readonly degraded: number
  readonly decidedLocally: number
  readonly decidedByPolicy: number
  readonly free: number
}

interface RuleRow {
  readonly ruleSet: string
  readonly policy: string
  readonly minute: MinuteCounts
}

/** A rule's, or a rule set's, calls of the last minute. */
export interface Figures {
  readonly passed: number
  readonly refused: number
  readonly waited: number
  readonly shadowRefused: number
  readonly degraded: number
  /** Decided without the store, because it failed. */
  readonly fallback: number
  /** Of superadmins, whom no limit binds. */
  readonly free: number
}

export const NO_FIGURES: Figures = {
  passed: 0,
  refused: 0,
  waited: 0,
  shadowRefused: 0,
  degraded: 0,
  fallback: 0,
  free: 0,
}

/** A rule set's figures: in all, and rule by rule under its policy name. */
export interface SetFigures {
  readonly total: Figures
  readonly byPolicy: ReadonlyMap<string, Figures>
}

export const NO_SET_FIGURES: SetFigures = { total: NO_FIGURES, byPolicy: new Map() }

/** Adds up the last minute's decisions by rule set. */
export function figuresBySet(rows: readonly RuleRow[]): ReadonlyMap<string, SetFigures> {
  const sets = Map.groupBy(rows, ({ ruleSet }) => ruleSet)
  return new Map([...sets].map(([name, own]) => [name, figuresOfSet(own)]))
}

/** All the calls that a set had a say in; the busiest comes first by it. */
export const activityOf = ({ passed, refused, shadowRefused, degraded, free }: Figures): number =>
  passed + refused + shadowRefused + degraded + free

/** What there is to tell, in words: `1,204 passed`, `3 refused`. What did not happen is left out, but for `passed`. */
export function figureWords(figures: Figures): readonly string[] {
  const rare = [
    [figures.refused, 'refused'],
    [figures.waited, 'waited'],
    [figures.shadowRefused, 'would be refused'],
    [figures.degraded, 'got less'],
    [figures.fallback, 'decided without the store'],
    [figures.free, 'of superadmins'],
  ] as const
  const told = rare.filter(([amount]) => amount > 0).map(([amount, word]) => `${formatCount(amount)} ${word}`)
  return [`${formatCount(figures.passed)} passed`, ...told]
}

function figuresOfSet(rows: readonly RuleRow[]): SetFigures {
  const policies = Map.groupBy(rows, ({ policy }) => policy)
  const byPolicy = new Map([...policies].map(([policy, own]) => [policy, own.map(toFigures).reduce(add)]))
  return { total: [...byPolicy.values()].reduce(union), byPolicy }
}

function toFigures({ minute }: RuleRow): Figures {
  const { passed, refused, waited, shadowRefused, degraded, decidedLocally, decidedByPolicy, free } = minute
  return { passed, refused, waited, shadowRefused, degraded, fallback: decidedLocally + decidedByPolicy, free }
}

const add = (a: Figures, b: Figures): Figures => ({
  passed: a.passed + b.passed,
  refused: a.refused + b.refused,
  waited: a.waited + b.waited,
  shadowRefused: a.shadowRefused + b.shadowRefused,
  degraded: a.degraded + b.degraded,
  fallback: a.fallback + b.fallback,
  free: a.free + b.free,
})

/** Every rule of a set counts the calls that it let pass, but only one of them the call that it held back. */
const union = (a: Figures, b: Figures): Figures => ({
  ...add(a, b),
  passed: Math.max(a.passed, b.passed),
  fallback: Math.max(a.fallback, b.fallback),
  free: Math.max(a.free, b.free),
})
