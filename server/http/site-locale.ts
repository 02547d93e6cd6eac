import { DEFAULT_LOCALE, type Locale } from '#format/locale.ts'

/** Returns the locale of readers who have chosen none, and whose browsers prefer none that the site speaks. */
export const siteLocale = (): Locale => DEFAULT_LOCALE
