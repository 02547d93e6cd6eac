/** The languages of the site. A further one is a line here, a folder of messages and its words in words.ts. */
const languages = [
  { tag: 'en', name: 'English', direction: 'ltr', intl: 'en-GB' },
  { tag: 'zh-CN', name: '简体中文', direction: 'ltr', intl: 'zh-CN' },
] as const satisfies readonly Language[]

interface Language {
  /** BCP 47, for the `lang` of a page. */
  readonly tag: string
  /** Its name in itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  /** The tag that Intl formats numbers and dates with. */
  readonly intl: string
}

export type Locale = (typeof languages)[number]['tag']

export const locales: readonly Locale[] = languages.map(({ tag }) => tag)

/** The locale where nothing chooses another one, and of everything that programs, logs and the command line print. */
export const DEFAULT_LOCALE: Locale = 'en'

/** The cookie that keeps a browser's choice. */
export const localeCookie = 'sluice-locale'

const DAY_SECONDS = 86_400

/** Returns the cookie that keeps a choice for some days; null forgets it. */
export const localeCookieFor = (locale: Locale | null, days = 365): string =>
  `${localeCookie}=${locale ?? ''}; Path=/; Max-Age=${locale ? days * DAY_SECONDS : 0}; SameSite=Lax`

/** Returns the locale with exactly this tag; null for anything else. */
export const toLocale = (value: unknown): Locale | null => locales.find((locale) => locale === value) ?? null

const languageOf = (locale: Locale): Language => languages.find(({ tag }) => tag === locale) ?? languages[0]

/** The BCP 47 tag that Intl formats a language's numbers and dates with. */
export const languageTag = (locale: Locale): string => languageOf(locale).intl

/** A language's name in itself: `简体中文`. */
export const languageName = (locale: Locale): string => languageOf(locale).name

export const textDirection = (locale: Locale): 'ltr' | 'rtl' => languageOf(locale).direction
