import type { Formats } from '#format/formats.ts'

/** One procedure's calls of the last 60 whole seconds, oldest first. */
interface LabelSeries {
  readonly perSecond: number
  readonly passed: readonly number[]
  readonly refused: readonly number[]
}

/** All calls by second. */
export interface Traffic {
  readonly perSecond: number
  readonly passed: readonly number[]
  readonly refused: readonly number[]
  readonly passedInAll: number
  readonly refusedInAll: number
  /** The most calls in a second. */
  readonly peak: number
}

const SECONDS = 60

/** Adds up the calls of all procedures. */
export function sumTraffic(labels: readonly LabelSeries[]): Traffic {
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
