import type { IncomingHttpHeaders } from 'node:http'
import { acceptedLocale, cookieLocale } from '#format/choose-locale.ts'
import { DEFAULT_LOCALE, type Locale } from '#format/locale.ts'
import { siteLocale } from './site-locale.ts'

/** Returns the locale of a request's reader: what the person has chosen, then what this browser's cookie says, then the site's,
 *  then, unless the site has one, what the browser prefers, then English. Refusals leave out `chosen`, which is in the database;
 *  the cookie repeats it. */
export function requestLocale(
  { cookie, 'accept-language': accepted }: Pick<IncomingHttpHeaders, 'cookie' | 'accept-language'>,
  chosen: Locale | null = null,
): Locale {
  return chosen ?? cookieLocale(cookie) ?? siteLocale() ?? acceptedLocale(accepted) ?? DEFAULT_LOCALE
}
