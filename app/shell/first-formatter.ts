import { type Locale, languageTag } from '#format/locale.ts'

/** Makes a formatter as the page begins to arrive. The first of any kind takes V8 15 ms on a desktop and 60 on a phone, as it looks
 *  through its data for all locales: those are spent while the style sheet is on its way, and not while React starts. */
export const firstFormatterScript = (locale: Locale): string =>
  `new Intl.DateTimeFormat(${JSON.stringify(languageTag(locale))})`
