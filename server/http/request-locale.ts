import type { IncomingHttpHeaders } from 'node:http'
import { type Locale, localeCookie, toLocale } from '#format/locale.ts'
import { acceptedLocale } from './accept-language.ts'
import { siteLocale } from './site-locale.ts'

/** Returns the locale of a request's reader: what the person has chosen, then what this browser's cookie says, then what the
 *  browser prefers, then the site's. Without `chosen`, which is in the database, the cookie repeats it (app/shell/locale.ts). */
export function requestLocale(
  { cookie, 'accept-language': accepted }: Pick<IncomingHttpHeaders, 'cookie' | 'accept-language'>,
  chosen: Locale | null = null,
): Locale {
  return chosen ?? cookieLocale(cookie) ?? acceptedLocale(accepted) ?? siteLocale()
}

const COOKIE = new RegExp(`(?:^|;\\s*)${localeCookie}=([^;]*)`)

const cookieLocale = (cookie = ''): Locale | null => toLocale(COOKIE.exec(cookie)?.[1])
