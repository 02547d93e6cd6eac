import type { IncomingHttpHeaders } from 'node:http'
import { acceptedLocale, cookieLocale } from '#format/choose-locale.ts'
import type { Locale } from '#format/locale.ts'
import { siteLocale } from './site-locale.ts'

/** Returns the locale of a request's reader: what the person has chosen, then what this browser's cookie says, then what
 *  the browser prefers, then the site's. Refusals leave out `chosen`, which is in the database;
 *  the cookie repeats it. */
export function requestLocale(
  { cookie, 'accept-language': accepted }: Pick<IncomingHttpHeaders, 'cookie' | 'accept-language'>,
  chosen: Locale | null = null,
): Locale {
  return chosen ?? cookieLocale(cookie) ?? acceptedLocale(accepted) ?? siteLocale()
}
