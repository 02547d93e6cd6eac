import { listFormat, numberFormat } from './formatters.ts'
import type { Locale } from './locale.ts'
import { words } from './words.ts'

/** A number with its separators: `15,000`. */
export const formatCount = (amount: number, locale: Locale): string => numberFormat(locale, {}).format(amount)

/** A number with one decimal: `0.5`, `3.0`. */
export const formatDecimal = (amount: number, locale: Locale): string =>
  numberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(amount)

/** A number with three significant digits: `0.125`, `15,000`. */
export const formatPrecise = (amount: number, locale: Locale): string =>
  numberFormat(locale, { maximumSignificantDigits: 3 }).format(amount)

/** A share as a percentage, rounded down: `83 %`, `0.4 %`, `under 0.1 %`. */
export function formatShare(share: number, locale: Locale): string {
  const { percent, under } = words[locale]
  if (share > 0 && share < 0.001) return under(percent(formatCount(0.1, locale)))
  return percent(
    formatCount(share > 0 && share < 0.01 ? Math.floor(share * 1000) / 10 : Math.floor(share * 100), locale),
  )
}

/** `a`, `a and b`, `a, b and c`. */
export const formatList = (items: readonly string[], locale: Locale): string =>
  listFormat(locale, { type: 'conjunction' }).format(items)

/** `a`, `a or b`, `a, b or c`. */
export const formatChoice = (items: readonly string[], locale: Locale): string =>
  listFormat(locale, { type: 'disjunction' }).format(items)
