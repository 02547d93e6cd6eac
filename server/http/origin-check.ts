import type { IncomingMessage } from 'node:http'
import { ownHosts } from '#server/own-hosts.ts'

/**
 * Returns a check for requests that, by the browser's headers, come from another site's page. Programs send neither Origin
 * nor Sec-Fetch-Site, and never attach cookies unasked, so a request without these headers is not foreign. A form on a page
 * with `Referrer-Policy: no-referrer` has the origin `null`; only a page of the site itself sends `same-origin` with it.
 */
export function createOriginCheck(origin: string): (req: IncomingMessage) => boolean {
  const { protocol, port } = new URL(origin)
  const own = new Set(ownHosts(origin).map((host) => `${protocol}//${host}${port && `:${port}`}`))
  return (req) => {
    const stated = req.headers.origin
    const site = req.headers['sec-fetch-site']
    if (stated === 'null') return site !== 'same-origin'
    if (stated !== undefined) return !own.has(stated)
    return site === 'cross-site' || site === 'same-site'
  }
}
