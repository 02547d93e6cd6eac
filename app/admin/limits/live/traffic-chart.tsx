import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import type { Formats } from '#format/formats.ts'

const HEIGHT = 96
const STEP = 10
const BAR = 7
const nothing: readonly number[] = []

/**
 * Charts the calls of the last 60 seconds with a bar per second, refused calls on top of allowed ones. The caption
 * gives the peak.
 */
export function TrafficChart({ traffic }: { traffic: Traffic }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const ceiling = chooseCeiling(traffic.peak)
  return (
    <figure className="flex min-w-0 flex-col gap-1.5">
      <div className="relative border-b border-line-strong">
        <span className="figures absolute top-0 left-0 text-xs leading-none text-ink-soft" aria-hidden="true">
          {format.count(ceiling)}
        </span>
        <TrafficBars traffic={traffic} className="h-28" />
      </div>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-ink-soft">
        <span>{t('chart', { count: traffic.peak })}</span>
        <Key tone="bg-water" label={t('allowed')} />
        <Key tone="bg-gate" label={t('refused')} />
      </figcaption>
    </figure>
  )
}

/** A bar for each second, allowed and refused calls. */
export function TrafficBars({ traffic, className }: { traffic: Traffic; className: string }) {
  const { passed, refused, peak } = traffic
  const ceiling = chooseCeiling(peak)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${60 * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`block w-full ${className}`}
    >
      <path className="fill-water" d={drawBars(passed, nothing, ceiling)} />
      <path className="fill-gate" d={drawBars(refused, passed, ceiling)} />
    </svg>
  )
}

/** Returns one path for all bars, each stacked on its bar of `below`. */
function drawBars(amounts: readonly number[], below: readonly number[], ceiling: number): string {
  const bars = amounts.map((amount, second) => {
    const y = HEIGHT * (1 - (amount + (below[second] ?? 0)) / ceiling)
    return amount === 0 ? '' : `M${second * STEP} ${y}h${BAR}v${(HEIGHT * amount) / ceiling}h-${BAR}z`
  })
  return bars.join('')
}

function Key({ tone, label }: { tone: string; label: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-[2px] ${tone}`} />
      {label}
    </span>
  )
}

/** Calls of the last 60 whole seconds, oldest first. */
interface LabelSeries {
  readonly perSecond: number
  readonly passed: readonly number[]
  readonly refused: readonly number[]
}

/** Those of some procedures together. */
export interface Traffic extends LabelSeries {
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
