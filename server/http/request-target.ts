import type { IncomingMessage } from 'node:http'

/** `http://host:port/path?query`, without a user's name (RFC 9110, 4.2.4). */
const ABSOLUTE = /^https?:\/\/((?:\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]+)(?::\d*)?)([/?].*)?$/is

/**
 * Makes of a request whose target is a whole address one of the common form, whose host is that of the target and not what
 * the header says (RFC 9112, 3.2.2). Any other target stays as it is. Whatever looks at a request comes behind this.
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
