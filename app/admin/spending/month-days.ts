import { daysIn } from '#format/dates.ts'
import type { dayChart } from '#messages/en/day-chart.ts'
import type { BudgetOverview, Day } from './types.ts'

/** What a chart shows per day. */
export type Measure = 'money' | 'requests' | 'bytes' | 'stored' | 'served'

type SeriesName = keyof typeof dayChart.series

/** One colour of the bars. */
export interface Series {
  /** A key of the messages `dayChart.series`. */
  readonly name: SeriesName
  readonly tone: 'water' | 'gate' | 'steel'
  /** One per day of the month, in order. */
  readonly amounts: readonly number[]
}

interface Part {
  readonly name: SeriesName
  readonly tone: Series['tone']
  of(day: Day): number
}

type Days = Pick<BudgetOverview, 'days' | 'served' | 'storedDays'>

const parts: Record<Exclude<Measure, 'stored' | 'served'>, readonly Part[]> = {
  money: [{ name: 'cost', tone: 'water', of: ({ nanos }) => nanos }],
  requests: [
    { name: 'reads', tone: 'water', of: ({ reads }) => reads },
    { name: 'writes', tone: 'gate', of: ({ writes }) => writes },
    { name: 'deletes', tone: 'steel', of: ({ deletes }) => deletes },
  ],
  bytes: [
    { name: 'bytesOut', tone: 'water', of: ({ bytesOut }) => bytesOut },
    { name: 'bytesIn', tone: 'gate', of: ({ bytesIn }) => bytesIn },
  ],
}

/** Returns the series of a measure for a month; 0 for days without data. */
export function seriesFor(measure: Measure, month: string, { days, served, storedDays }: Days): readonly Series[] {
  if (measure === 'stored')
    return [{ name: 'stored', tone: 'water', amounts: amountsFor(month, storedDays, ({ bytes }) => bytes) }]
  if (measure === 'served')
    return [{ name: 'served', tone: 'water', amounts: amountsFor(month, served, ({ sent }) => sent) }]
  return parts[measure].map(({ name, tone, of }) => ({ name, tone, amounts: amountsFor(month, days, of) }))
}

/** Returns an amount for each day of a month. */
function amountsFor<D extends { readonly day: string }>(month: string, days: readonly D[], read: (day: D) => number) {
  const known = new Map(days.map((day) => [day.day, day]))
  return daysIn(month).map((date) => {
    const day = known.get(date)
    return day ? read(day) : 0
  })
}

/** The height of the highest bar. */
export const findPeak = (series: readonly Series[]): number =>
  Math.max(0, ...(series[0]?.amounts ?? []).map((_, at) => totalAt(series, at)))

/** The height of one bar. */
export const totalAt = (series: readonly Series[], at: number): number =>
  series.reduce((sum, { amounts }) => sum + (amounts[at] ?? 0), 0)

/** Returns a month (`YYYY-MM`) and those before it, the latest first. */
export function lastMonths(month: string, length: number): readonly string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return Array.from({ length }, (_, back) => new Date(Date.UTC(year, number - 1 - back, 1)).toISOString().slice(0, 7))
}
