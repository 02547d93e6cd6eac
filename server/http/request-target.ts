import type { IncomingMessage } from 'node:http'

/** `http://host:port/path?query`, without user information (RFC 9110, 4.2.4). */
const ABSOLUTE = /^https?:\/\/((?:\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]+)(?::\d*)?)([/?].*)?$/is

/**
 * Rewrites a request whose target is in absolute form into origin form, with the host of the target in place of the Host
 * header's (RFC 9112, 3.2.2). Other targets stay as they are. Call it before anything reads the request.
 */
export function readTarget(req: IncomingMessage): void {
  const { url = '', headers, rawHeaders } = req
  if (url.startsWith('/')) return
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? []
  if (host === undefined) return
  req.url = rest.startsWith('/') ? rest : `/${rest}`
  headers.host = host
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'host') rawHeaders[at + 1] = host
}
