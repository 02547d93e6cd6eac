import type { Locale } from '#format/locale.ts'

/** One process serves one site. Refusals are written where no service is at hand, so the site's language is kept here. */
let readLanguage = (): 'browser' | Locale => 'browser'

/** Call once, at start. */
export function setSiteLanguage(read: typeof readLanguage): void {
  readLanguage = read
}

/** Returns the locale of readers who have chosen none; null for what their browsers prefer. */
export function siteLocale(): Locale | null {
  const language = readLanguage()
  return language === 'browser' ? null : language
}
