import type { Day } from './types.ts'

/** What a chart shows of each day. */
export type Measure = 'money' | 'requests' | 'bytes'

/** One colour of the bars. */
export interface Series {
  readonly word: string
  readonly tone: 'water' | 'gate' | 'steel'
  /** Of each day of the month, in order. */
  readonly amounts: readonly number[]
}

interface Part {
  readonly word: string
  readonly tone: Series['tone']
  of(day: Day): number
}

const parts: Record<Measure, readonly Part[]> = {
  money: [{ word: 'spent', tone: 'water', of: ({ nanos }) => nanos }],
  requests: [
    { word: 'reads', tone: 'water', of: ({ reads }) => reads },
    { word: 'writes and lists', tone: 'gate', of: ({ writes }) => writes },
    { word: 'deletes', tone: 'steel', of: ({ deletes }) => deletes },
  ],
  bytes: [
    { word: 'read from it', tone: 'water', of: ({ bytesOut }) => bytesOut },
    { word: 'written to it', tone: 'gate', of: ({ bytesIn }) => bytesIn },
  ],
}

/** The days of a month (`YYYY-MM`), each as `YYYY-MM-DD`. */
export function daysOf(month: string): readonly string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`)
}

/** What a month's chart of a measure stacks up; nothing on days of which nothing is known. */
export function seriesOf(measure: Measure, month: string, days: readonly Day[]): readonly Series[] {
  const known = new Map(days.map((day) => [day.day, day]))
  return parts[measure].map(({ word, tone, of }) => {
    const amount = (name: string) => {
      const day = known.get(name)
      return day ? of(day) : 0
    }
    return { word, tone, amounts: daysOf(month).map(amount) }
  })
}

/** The highest bar. */
export const peakOf = (series: readonly Series[]): number =>
  Math.max(0, ...(series[0]?.amounts ?? []).map((_, at) => totalAt(series, at)))

/** A whole bar. */
export const totalAt = (series: readonly Series[], at: number): number =>
  series.reduce((sum, { amounts }) => sum + (amounts[at] ?? 0), 0)
