/** A language that the message catalogue has. */
export type Locale = 'en'

export const DEFAULT_LOCALE: Locale = 'en'

const tags = { en: 'en-GB' } as const satisfies Record<Locale, string>

/** The BCP 47 tag that Intl formats a language's numbers and dates with. */
export const languageTag = (locale: Locale): string => tags[locale]
