import type { Translate } from '#app/ui/translate.ts'
import type { Formats } from '#format/formats.ts'
import { countedProcedure, declaredName } from '#format/rule-set-name.ts'
import type { Stats } from '../types.ts'

type Row = Stats['rows'][number]
type RuleRow = Pick<Row, 'ruleSet' | 'policy' | 'minute'> & { readonly total: Pick<Row['total'], 'shadowRefused'> }

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
  const sets = Map.groupBy(rows, ({ ruleSet }) => declaredName(ruleSet))
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
  // A call is counted by the procedure alone or with all others, and by what is compiled along with the set as well.
  const counts = [...Map.groupBy(rows, ({ ruleSet }) => countedProcedure(ruleSet)).values()]
  const shadowedInAll = rows.reduce((sum, { total }) => sum + total.shadowRefused, 0)
  const total = counts.map((own) => [...byPolicy(own).values()].reduce(union)).reduce(add)
  return { total, byPolicy: byPolicy(rows), shadowedInAll }
}

function byPolicy(rows: readonly RuleRow[]): ReadonlyMap<string, Figures> {
  const policies = Map.groupBy(rows, ({ policy }) => policy)
  return new Map([...policies].map(([policy, own]) => [policy, own.map(toFigures).reduce(add)]))
}

const toFigures = ({ minute }: RuleRow): Figures =>
  figuresBy((name) => (name === 'fallback' ? minute.decidedLocally + minute.decidedByPolicy : minute[name]))

const add = (a: Figures, b: Figures): Figures => figuresBy((name) => a[name] + b[name])

/** Every rule of a set counts an allowed call, but only the refusing rule counts a refused one. */
const union = (a: Figures, b: Figures): Figures => ({
  ...add(a, b),
  passed: Math.max(a.passed, b.passed),
  fallback: Math.max(a.fallback, b.fallback),
  free: Math.max(a.free, b.free),
})

/** The calls of one procedure in each of the last 60 whole seconds, the oldest first. */
type Series = Pick<Stats['labels'][number], 'perSecond' | 'passed' | 'refused'>

/** Those of some procedures together. */
export interface Traffic extends Series {
  readonly passedInAll: number
  readonly refusedInAll: number
  /** The most calls in a second. */
  readonly peak: number
}

const SECONDS = 60

/** Adds up the calls of all procedures. */
export function sumTraffic(labels: readonly Series[]): Traffic {
  const passed = sumBySecond(labels.map((label) => label.passed))
  const refused = sumBySecond(labels.map((label) => label.refused))
  return {
    perSecond: sum(labels.map((label) => label.perSecond)),
    passed,
    refused,
    passedInAll: sum(passed),
    refusedInAll: sum(refused),
    peak: Math.max(...passed.map((amount, second) => amount + (refused[second] ?? 0))),
  }
}

/** The height of a chart whose highest bar is `peak`: the next of 5, 10, 20, 50, 100 … */
export function chooseCeiling(peak: number): number {
  if (peak <= 5) return 5
  const power = 10 ** Math.floor(Math.log10(peak))
  return [1, 2, 5, 10].map((factor) => factor * power).find((ceiling) => ceiling >= peak) ?? peak
}

/** A rate in words: with one decimal where it is small. */
export const formatRate = (perSecond: number, format: Pick<Formats, 'decimal' | 'count'>): string =>
  perSecond > 0 && perSecond < 10 ? format.decimal(perSecond) : format.count(Math.round(perSecond))

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

const sumBySecond = (series: readonly (readonly number[])[]): readonly number[] =>
  Array.from({ length: SECONDS }, (_, second) => sum(series.map((amounts) => amounts[second] ?? 0)))
