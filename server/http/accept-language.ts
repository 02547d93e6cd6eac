import { type Locale, locales } from '#format/locale.ts'

/** No browser sends more. */
const MOST_RANGES = 20

/** A language range without `*`; no tag is longer. */
const RANGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,6}$/i

/** A weight as RFC 9110, section 12.4.2 writes it. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/**
 * Returns the locale that an Accept-Language header prefers; null if the site speaks none of its languages. A language matches in
 * its own script before another one: zh, zh-Hans and zh-SG are zh-CN. So are zh-TW and zh-Hant while the site has no traditional
 * Chinese: its readers read the other script sooner than another language.
 */
export function acceptedLocale(header: string | undefined): Locale | null {
  const ranges = (header ?? '').split(',', MOST_RANGES).flatMap(readRange)
  const byPreference = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  for (const { tag } of byPreference) {
    const locale = localeFor(tag)
    if (locale) return locale
  }
  return null
}

function readRange(text: string): readonly { readonly tag: string; readonly weight: number }[] {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weights = parameters.map((parameter) => Number(WEIGHT.exec(parameter)?.[1] ?? Number.NaN))
  const weight = weights.length === 0 ? 1 : weights.length === 1 ? (weights[0] ?? 0) : Number.NaN
  return RANGE.test(tag) && !Number.isNaN(weight) ? [{ tag, weight }] : []
}

function localeFor(tag: string): Locale | null {
  const wanted = maximize(tag)
  if (!wanted) return null
  const spoken = locales.filter((locale) => maximize(locale)?.language === wanted.language)
  return spoken.find((locale) => maximize(locale)?.script === wanted.script) ?? spoken[0] ?? null
}

/** Adds the script that a language is written in where its tag names none; null for what is no tag. */
function maximize(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return null
  }
}
