import { numberFormat } from './formatters.ts'
import type { Locale } from './locale.ts'
import { spaced, words } from './words.ts'

/** A length of time: whole milliseconds, or a decimal number with its unit, as '500ms', '1s', '15m', '24h', '7d'. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

const MILLISECOND = { suffix: 'ms', name: 'millisecond', ms: 1 } as const
const UNITS = [
  { suffix: 'd', name: 'day', ms: 86_400_000 },
  { suffix: 'h', name: 'hour', ms: 3_600_000 },
  { suffix: 'm', name: 'minute', ms: 60_000 },
  { suffix: 's', name: 'second', ms: 1_000 },
  MILLISECOND,
] as const

/** Milliseconds of a duration; NaN for text that is none. */
export function toMilliseconds(duration: number | string): number {
  if (typeof duration === 'number') return duration
  const [, digits, suffix] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration) ?? []
  const unit = UNITS.find((candidate) => candidate.suffix === suffix)
  if (!unit) return Number.NaN
  // 0.1 * 3 is not 0.3 in binary: what is a whole number but for that error is taken for one.
  const ms = Number(digits) * unit.ms
  return Math.abs(ms - Math.round(ms)) < 1e-6 ? Math.round(ms) : ms
}

/** A duration as a person types it, with its unit: `500ms`, `1.5 h`. Null for anything else. */
export function parseDuration(text: string): Duration | null {
  const [, digits = '', suffix] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  const unit = UNITS.find((candidate) => candidate.suffix === suffix)
  return unit && Number(digits) > 0 ? `${Number(digits)}${unit.suffix}` : null
}

/** The shortest exact spelling: 60_000 is '1m', 90_000 is '90s', 500 is '500ms'. */
export function spellDuration(duration: Duration): Duration {
  const { amount, unit } = inLargestUnit(duration)
  return `${amount}${unit.suffix}`
}

/** What stands behind "per": `minute` for 60_000, `15 minutes` for 900_000. */
export function formatWindow(window: Duration, locale: Locale): string {
  const { amount, unit } = inLargestUnit(window)
  return amount === 1 ? words[locale].single[unit.name] : formatUnit(amount, unit.name, locale)
}

/** A length of time in its largest whole unit: `1 minute`, `15 minutes`, `90 seconds`. */
export function formatDuration(duration: Duration, locale: Locale): string {
  const { amount, unit } = inLargestUnit(duration)
  return formatUnit(amount, unit.name, locale)
}

/** A wait, never shorter than it is, in at most two units: `47 s`, `2 min 5 s`, `3 h`, `2 days`, `30 days 2 h`. */
export function formatWait(ms: number, locale: Locale): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const minutes = Math.ceil(seconds / 60)
  const hours = Math.ceil(minutes / 60)
  const { second, minute, hour } = words[locale]
  if (seconds < 60) return `${seconds} ${second}`
  if (seconds < 3600) return join(`${Math.floor(seconds / 60)} ${minute}`, seconds % 60, second)
  if (minutes < 1440) return join(`${Math.floor(minutes / 60)} ${hour}`, minutes % 60, minute)
  return join(formatUnit(Math.floor(hours / 24), 'day', locale), hours % 24, hour)
}

type UnitName = (typeof UNITS)[number]['name']

const formatUnit = (amount: number, unit: UnitName, locale: Locale): string =>
  spaced(
    numberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: words[locale].unitDisplay,
      maximumFractionDigits: 9,
    }).format(amount),
  )

const join = (large: string, small: number, symbol: string): string =>
  small === 0 ? large : `${large} ${small} ${symbol}`

function inLargestUnit(duration: Duration) {
  const ms = toMilliseconds(duration)
  const unit = UNITS.find((candidate) => ms % candidate.ms === 0) ?? MILLISECOND
  return { amount: ms / unit.ms, unit }
}
