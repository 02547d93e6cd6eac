import { numberFormat } from './formatters.ts'
import type { Locale } from './locale.ts'

/** Billionths of the currency's unit, which amounts of money are counted in. */
export const NANOS = 1_000_000_000

/** An amount of money: `$12.40`. Below the smallest coin it has two significant digits: `$0.0031`, `¥0.4`. */
export function formatMoney(nanos: number, currency: string, locale: Locale): string {
  const amount = nanos / NANOS
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const whole = numberFormat(locale, options)
  const coin = 10 ** -(whole.resolvedOptions().maximumFractionDigits ?? 2)
  if (amount === 0 || Math.abs(amount) >= coin) return whole.format(amount)
  return numberFormat(locale, { ...options, maximumSignificantDigits: 2 }).format(amount)
}

/** A price in all its digits: `$0.023`. */
export const formatPrice = (nanos: number, currency: string, locale: Locale): string =>
  numberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 9,
  }).format(nanos / NANOS)
