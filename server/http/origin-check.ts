import type { IncomingMessage } from 'node:http'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Tells whether a browser says that another site's page sent the request. Programs send neither Origin nor
 * Sec-Fetch-Site and carry no cookies by accident, so silence is not foreign. A site on a loopback name answers to all
 * three of them, because a browser on the same machine may use any.
 */
export function createOriginCheck(origin: string): (req: IncomingMessage) => boolean {
  const own = new Set([origin])
  const url = new URL(origin)
  if (LOOPBACK.includes(url.hostname)) {
    for (const name of LOOPBACK) own.add(`${url.protocol}//${name}${url.port ? `:${url.port}` : ''}`)
  }
  return (req) => {
    const stated = req.headers.origin
    if (stated !== undefined) return !own.has(stated)
    const site = req.headers['sec-fetch-site']
    return site === 'cross-site' || site === 'same-site'
  }
}
