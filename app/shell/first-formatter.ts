import { type Locale, languageTag } from '#format/locale.ts'

/** Makes a formatter as soon as the page is idle. The first of any kind takes V8 15 ms on a desktop and 60 on a phone, as it looks
 *  through its data for all locales: on a slow line those are spent while the scripts are on their way, and not while React starts. */
export const firstFormatterScript = (locale: Locale): string =>
  `globalThis.requestIdleCallback?.(()=>new Intl.DateTimeFormat(${JSON.stringify(languageTag(locale))}))`
