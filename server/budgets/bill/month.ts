import { z } from 'zod'

/** `YYYY-MM` */
export const monthSchema = z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')

/** The first day of a month and of the next (`YYYY-MM-DD`), and how many days it has. */
export function monthOf(month: string): { readonly first: string; readonly next: string; readonly length: number } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const [first, next] = [Date.UTC(year, number - 1, 1), Date.UTC(year, number, 1)]
  return { first: dayOf(first), next: dayOf(next), length: (next - first) / DAY_MS }
}

/** The days of a month, each as `YYYY-MM-DD`. */
export function daysIn(month: string): readonly string[] {
  const { first, length } = monthOf(month)
  return Array.from({ length }, (_, at) => dayOf(Date.parse(first) + at * DAY_MS))
}

const DAY_MS = 86_400_000

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** So many days before a day. */
export const daysBefore = (day: string, days: number): string => dayOf(Date.parse(day) - days * DAY_MS)
