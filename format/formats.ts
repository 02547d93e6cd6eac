import { formatBytes, formatBytesApart } from './bytes.ts'
import { formatChoice, formatCount, formatDecimal, formatList, formatPrecise, formatShare } from './counts.ts'
import { formatAgo, formatDate, formatDay, formatMonth, formatUntil } from './dates.ts'
import { type Duration, formatDuration, formatWait } from './durations.ts'
import { type Locale, locales } from './locale.ts'
import { formatMoney, formatPrice } from './money.ts'
import { formatAmount, formatRule, type RuleParts } from './rules.ts'
import { words } from './words.ts'

/** Every way to write a value, for one locale: `formatsFor('en').bytes(812)` is `812 B`. */
const bind = (locale: Locale) => ({
  locale,
  bytes: (bytes: number) => formatBytes(bytes, locale),
  bytesApart: (one: number, other: number) => formatBytesApart(one, other, locale),
  count: (amount: number) => formatCount(amount, locale),
  decimal: (amount: number) => formatDecimal(amount, locale),
  precise: (amount: number) => formatPrecise(amount, locale),
  share: (share: number) => formatShare(share, locale),
  list: (items: readonly string[]) => formatList(items, locale),
  /** Parts beside each other, without an "and": `a, b, c`. */
  parts: (items: readonly string[]) => items.join(words[locale].comma),
  /** Parts that have commas themselves: `a, b; c`. */
  clauses: (items: readonly string[]) => items.join(words[locale].semicolon),
  /** Whole sentences, one after another. */
  sentences: (items: readonly string[]) => items.join(words[locale].gap),
  choice: (items: readonly string[]) => formatChoice(items, locale),
  date: (iso: string, options: { time: boolean; timeZone?: string }) => formatDate(iso, options, locale),
  day: (day: string) => formatDay(day, locale),
  month: (month: string) => formatMonth(month, locale),
  until: (iso: string, now: number) => formatUntil(iso, now, locale),
  ago: (ms: number) => formatAgo(ms, locale),
  duration: (duration: Duration) => formatDuration(duration, locale),
  wait: (ms: number) => formatWait(ms, locale),
  money: (nanos: number, currency: string) => formatMoney(nanos, currency, locale),
  price: (nanos: number, currency: string) => formatPrice(nanos, currency, locale),
  amount: (amount: Parameters<typeof formatAmount>[0], unit?: 'calls' | 'bytes') => formatAmount(amount, unit, locale),
  rule: (rule: RuleParts) => formatRule(rule, locale),
})

export type Formats = ReturnType<typeof bind>

const bound = new Map(locales.map((locale) => [locale, bind(locale)]))

/** Returns the formats of a locale, the same object every time. */
export const formatsFor = (locale: Locale): Formats => bound.get(locale) ?? bind(locale)
