import { type ByteSize, formatExactBytes, parseByteSize } from './bytes.ts'
import { formatCount } from './counts.ts'
import { type Duration, formatDuration, formatWindow } from './durations.ts'
import type { Locale } from './locale.ts'
import { spaced, words } from './words.ts'

type Amount = number | ByteSize
type Unit = 'calls' | 'bytes'

/** What a rule allows: an amount per window, or calls at the same time. */
export type RuleParts = RateParts | { readonly concurrent: number }

export interface RateParts {
  readonly limit: Amount
  /** Of amounts that are numbers; `calls` by default. */
  readonly unit?: Unit
  readonly window: Duration
  /** The calendar period that the window follows. */
  readonly calendar?: 'day' | 'week' | 'month' | undefined
  /** The capacity of a bucket. */
  readonly atOnce?: Amount | undefined
  readonly blockFor?: Duration | undefined
}

/** A rule in words: `1,200 per minute`, `20 GiB per calendar day`, `60 per minute, 10 at once`, `8 at the same time`. */
export function formatRule(rule: RuleParts, locale: Locale): string {
  const text = words[locale]
  if ('concurrent' in rule) return text.concurrent(formatCount(rule.concurrent, locale))
  const { limit, unit, window, calendar, atOnce = limit, blockFor } = rule
  const say = (amount: Amount) => {
    const isBytes = unit === 'bytes' || typeof amount === 'string'
    return isBytes ? formatAmount(amount, unit, locale) : text.calls(formatCount(amount, locale))
  }
  const amount = say(limit)
  const capacity = say(atOnce)
  return [
    spaced(text.per(amount, calendar ? text.calendar[calendar] : formatWindow(window, locale))),
    ...(capacity === amount ? [] : [text.atOnce(capacity)]),
    ...(blockFor === undefined ? [] : [text.blocked(formatDuration(blockFor, locale))]),
  ].join(text.comma)
}

/** An amount of permits: `15,000`, or for bytes, to the byte, `20 GiB`. */
export function formatAmount(amount: Amount, unit: Unit | undefined, locale: Locale): string {
  if (typeof amount === 'string') return formatExactBytes(parseByteSize(amount) ?? Number.NaN, locale)
  return unit === 'bytes' ? formatExactBytes(amount, locale) : formatCount(amount, locale)
}
