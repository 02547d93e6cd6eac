import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'

/** `YYYY-MM` */
export const monthSchema = z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/, invalid('month'))

/** Returns the first day of a month and of the next one (`YYYY-MM-DD`), and the month's number of days. */
export function monthBounds(month: string): { readonly first: string; readonly next: string; readonly length: number } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const [first, next] = [Date.UTC(year, number - 1, 1), Date.UTC(year, number, 1)]
  return { first: formatDay(first), next: formatDay(next), length: (next - first) / DAY_MS }
}

const DAY_MS = 86_400_000

const formatDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export const daysBefore = (day: string, days: number): string => formatDay(Date.parse(day) - days * DAY_MS)
