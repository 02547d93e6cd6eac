import { dateFormat, relativeFormat } from './formatters.ts'
import type { Locale } from './locale.ts'
import { spaced, words } from './words.ts'

/** An ISO 8601 date for reading: `20 Nov 2026`, with `time` also `, 08:12`. */
export function formatDate(
  iso: string,
  { time, timeZone }: { time: boolean; timeZone?: string },
  locale: Locale,
): string {
  return dateFormat(locale, {
    dateStyle: 'medium',
    ...(time ? { timeStyle: 'short' } : {}),
    ...(timeZone ? { timeZone } : {}),
  }).format(new Date(iso))
}

/** A minute that reads the same in every language and sorts: `2026-11-20 08:12`, in UTC. */
export const formatUtcMinute = (at: Date | string): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

/** `November 2026`, from `2026-11`. */
export const formatMonth = (month: string, locale: Locale): string =>
  dateFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`))

/** `21 Nov`, from `2026-11-21`. */
export const formatDay = (day: string, locale: Locale): string =>
  dateFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))

/** Returns the days of a month (`YYYY-MM`), each as `YYYY-MM-DD`. */
export function daysIn(month: string): readonly string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const first = Date.UTC(year, number - 1, 1)
  const length = (Date.UTC(year, number, 1) - first) / DAY_MS
  return Array.from({ length }, (_, at) => new Date(first + at * DAY_MS).toISOString().slice(0, 10))
}

const DAY_MS = 24 * 60 * 60_000

/** How far away a date is, in the unit that fits: `in 29 days`, `in 5 hours`; `soon` in the last hour, and when it has passed. */
export function formatUntil(iso: string, now: number, locale: Locale): string {
  const left = Date.parse(iso) - now
  const relative = relativeFormat(locale, { numeric: 'always' })
  if (left >= DAY_MS) return spaced(relative.format(Math.round(left / DAY_MS), 'day'))
  return left >= DAY_MS / 24 ? spaced(relative.format(Math.round((left / DAY_MS) * 24), 'hour')) : words[locale].soon
}

/** How long ago something was, by milliseconds: `12 seconds ago`, `3 minutes ago`. A time in the future counts as now. */
export function formatAgo(ms: number, locale: Locale): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const relative = relativeFormat(locale, { numeric: 'always' })
  return spaced(
    seconds < 60 ? relative.format(-seconds, 'second') : relative.format(-Math.floor(seconds / 60), 'minute'),
  )
}
