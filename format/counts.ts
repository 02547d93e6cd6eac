import { DEFAULT_LOCALE, type Locale, languageTag } from './locale.ts'

/** A number with its separators: `15,000`. */
export const formatCount = (amount: number, locale: Locale = DEFAULT_LOCALE): string =>
  numberFormat(locale).format(amount)

/** `1 image`, `2 images`, `1,027 images`: English alone. A sentence of the catalogue uses ICU's plural instead. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${formatCount(amount)} ${amount === 1 ? one : many}`
}

/** A share as a percentage, rounded down: `83 %`, `0.4 %`, `under 0.1 %`. */
export function formatShare(share: number, locale: Locale = DEFAULT_LOCALE): string {
  if (share > 0 && share < 0.001) return `${under[locale]} ${formatCount(0.1, locale)} %`
  const percent = share > 0 && share < 0.01 ? Math.floor(share * 1000) / 10 : Math.floor(share * 100)
  return `${formatCount(percent, locale)} %`
}

/** `a`, `a and b`, `a, b and c`. */
export const formatList = (items: readonly string[], locale: Locale = DEFAULT_LOCALE): string =>
  new Intl.ListFormat(languageTag(locale), { type: 'conjunction' }).format(items)

/** `a`, `a or b`, `a, b or c`. */
export const formatChoice = (items: readonly string[], locale: Locale = DEFAULT_LOCALE): string =>
  new Intl.ListFormat(languageTag(locale), { type: 'disjunction' }).format(items)

const under = { en: 'under' } as const satisfies Record<Locale, string>

const formats = new Map<Locale, Intl.NumberFormat>()

function numberFormat(locale: Locale): Intl.NumberFormat {
  const format = formats.get(locale) ?? new Intl.NumberFormat(languageTag(locale))
  formats.set(locale, format)
  return format
}
