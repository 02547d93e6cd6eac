import type { Translate } from '#app/ui/translate.ts'

/** The decisions of one rule in the last minute, for one procedure. */
interface MinuteCounts {
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
  /** Since each process began. */
  readonly total: Pick<MinuteCounts, 'shadowRefused'>
}

const NAMES = ['passed', 'refused', 'waited', 'shadowRefused', 'degraded', 'fallback', 'free'] as const

/** The calls of a rule or rule set in the last minute. `fallback`: decided without the store during an outage; `free`: calls of
 *  superadmins, who are exempt. */
export type Figures = Readonly<Record<(typeof NAMES)[number], number>>

const figuresBy = (count: (name: keyof Figures) => number): Figures => ({
  passed: count('passed'),
  refused: count('refused'),
  waited: count('waited'),
  shadowRefused: count('shadowRefused'),
  degraded: count('degraded'),
  fallback: count('fallback'),
  free: count('free'),
})

export const NO_FIGURES: Figures = figuresBy(() => 0)

/** The figures of a rule set: in total, and of each rule by its policy name. */
export interface SetFigures {
  readonly total: Figures
  readonly byPolicy: ReadonlyMap<string, Figures>
  /** The calls that shadow mode let pass since each process began. */
  readonly shadowedInAll: number
}

export const NO_SET_FIGURES: SetFigures = { total: NO_FIGURES, byPolicy: new Map(), shadowedInAll: 0 }

/** Adds up the last minute's decisions by rule set. */
export function figuresBySet(rows: readonly RuleRow[]): ReadonlyMap<string, SetFigures> {
  const sets = Map.groupBy(rows, ({ ruleSet }) => sharedName(ruleSet))
  return new Map([...sets].map(([name, own]) => [name, figuresOfSet(own)]))
}

/** The number of calls that a set decided on; the busiest sets come first. */
export const countDecisions = ({ passed, refused, shadowRefused, degraded, free }: Figures): number =>
  passed + refused + shadowRefused + degraded + free

/** The figures in words: `1,204 allowed`, `3 refused`. Zeros are left out, except of allowed calls. */
export const figureTexts = (t: Translate<'adminLimits'>, figures: Figures): readonly string[] =>
  NAMES.filter((name) => name === 'passed' || figures[name] > 0).map((name) =>
    t(`figure.${name}`, { count: figures[name] }),
  )

function figuresOfSet(rows: readonly RuleRow[]): SetFigures {
  const counts = [...Map.groupBy(rows, ({ ruleSet }) => ruleSet).values()]
  const shadowedInAll = rows.reduce((sum, { total }) => sum + total.shadowRefused, 0)
  const total = counts.map((own) => [...byPolicy(own).values()].reduce(union)).reduce(add)
  return { total, byPolicy: byPolicy(rows), shadowedInAll }
}

/** The set of which one procedure counts by itself. */
const sharedName = (ruleSet: string): string => ruleSet.replace(/@.*$/, '')

function byPolicy(rows: readonly RuleRow[]): ReadonlyMap<string, Figures> {
  const policies = Map.groupBy(rows, ({ policy }) => policy)
  return new Map([...policies].map(([policy, own]) => [policy, own.map(toFigures).reduce(add)]))
}

function toFigures({ minute }: RuleRow): Figures {
  const { decidedLocally, decidedByPolicy, ...figures } = minute
  return { ...figures, fallback: decidedLocally + decidedByPolicy }
}

const add = (a: Figures, b: Figures): Figures => figuresBy((name) => a[name] + b[name])

/** Every rule of a set counts an allowed call, but only the refusing rule counts a refused one. */
const union = (a: Figures, b: Figures): Figures => ({
  ...add(a, b),
  passed: Math.max(a.passed, b.passed),
  fallback: Math.max(a.fallback, b.fallback),
  free: Math.max(a.free, b.free),
})
