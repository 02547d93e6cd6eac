import { daysIn } from '#format/dates.ts'
import type { dayChart } from '#messages/en/day-chart.ts'
import type { Day } from './types.ts'

/** What a chart shows per day. */
export type Measure = 'money' | 'requests' | 'bytes'

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

const parts: Record<Measure, readonly Part[]> = {
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
export function seriesFor(measure: Measure, month: string, days: readonly Day[]): readonly Series[] {
  const known = new Map(days.map((day) => [day.day, day]))
  return parts[measure].map(({ name, tone, of }) => {
    const amount = (date: string) => {
      const day = known.get(date)
      return day ? of(day) : 0
    }
    return { name, tone, amounts: daysIn(month).map(amount) }
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
