import { DEFAULT_LOCALE, type Locale } from '#format/locale.ts'

/** One process serves one site. Refusals are written where no service is at hand, so the site's language is kept here. */
let readLanguage = (): Locale => DEFAULT_LOCALE

/** Call once, at start. */
export function setSiteLanguage(read: typeof readLanguage): void {
  readLanguage = read
}

/** Returns the locale of readers for whom nothing else decides. */
export const siteLocale = (): Locale => readLanguage()
