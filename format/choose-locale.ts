import { type Locale, localeCookie, locales, toLocale } from './locale.ts'

const COOKIE = new RegExp(`(?:^|;\\s*)${localeCookie}=([^;]*)`)

/** Returns the locale that a Cookie header or `document.cookie` names; null for anything that is no locale. */
export const cookieLocale = (cookie = ''): Locale | null => toLocale(COOKIE.exec(cookie)?.[1])

/** No browser sends more. */
const MOST_RANGES = 20

/** A language range without `*`; no tag is longer. */
const RANGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,6}$/i

/** A weight as RFC 9110, section 12.4.2 writes it. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/** Returns the locale that an Accept-Language header prefers; null if the site speaks none of its languages. */
export function acceptedLocale(header = ''): Locale | null {
  const ranges = header.split(',', MOST_RANGES).flatMap(readRange)
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  return preferredLocale(wanted.map(({ tag }) => tag))
}

/**
 * Returns the locale of the first tag in a language that the site speaks. A language matches in its own script before another
 * one: zh, zh-Hans and zh-SG are zh-CN. So are zh-TW and zh-Hant while the site has no traditional Chinese: its readers read the
 * other script sooner than another language.
 */
export function preferredLocale(tags: readonly string[]): Locale | null {
  for (const tag of tags) {
    const wanted = maximize(tag)
    const spoken = wanted ? locales.filter((locale) => maximize(locale)?.language === wanted.language) : []
    const [first = null] = spoken
    if (first) return spoken.find((locale) => maximize(locale)?.script === wanted?.script) ?? first
  }
  return null
}

function readRange(text: string): readonly { readonly tag: string; readonly weight: number }[] {
  const [tag = '', weight = 'q=1', ...more] = text.split(';').map((part) => part.trim())
  const [, number] = WEIGHT.exec(weight) ?? []
  return RANGE.test(tag) && number !== undefined && more.length === 0 ? [{ tag, weight: Number(number) }] : []
}

/** Adds the script that a language is written in where its tag names none; null for what is no tag. */
function maximize(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return null
  }
}
