import type { Locale } from '#format/locale.ts'
import type { EnglishArea } from '#messages/catalogues.ts'
import type { en } from '#messages/en.ts'

/** The areas that pages can load. The others are said by the server and the command line alone. */
export type PageArea = Exclude<keyof typeof en, EnglishArea | 'fatal' | 'http'>

declare module 'use-intl/core' {
  interface AppConfig {
    Locale: Locale
    Messages: Pick<typeof en, PageArea>
  }
}
