import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HotlinkGate } from '#server/access/hotlink.ts'
import { PLACEHOLDER } from '#server/access/placeholder.ts'
import { parseAddress } from '#server/counted-address.ts'
import { writeText } from './answers.ts'
import type { SeenClient } from './client-address.ts'
import { imageSecurityHeaders, setSecurityHeaders } from './security-headers.ts'

/** Whether a request asks how this process does, and comes from its own machine: a container's or a balancer's probe, whose
 *  refusal would take the site down. The socket says so, no header does: whoever a proxy speaks for is elsewhere. */
export function isOwnProbe({ url, socket }: IncomingMessage, { isNamed }: Pick<SeenClient, 'isNamed'>): boolean {
  if (url !== '/healthz' && url !== '/readyz') return false
  return !isNamed && parseAddress(socket.remoteAddress ?? '')?.range() === 'loopback'
}

/** What an address is told that is not let in: the same everywhere. */
export function refuseAddress(res: ServerResponse, options: { readonly secure: boolean }): void {
  setSecurityHeaders(res, options)
  writeText(res, 403, 'Your address is not let in here.', { Connection: 'close' })
}

/** Whether a request is for an image's bytes, and from a page that may not show them. */
export const isHotlink = (gate: HotlinkGate | null, req: IncomingMessage): gate is HotlinkGate =>
  gate?.admits(req.headers) === false && req.url?.startsWith('/i/') === true

/** What such a page shows instead, whichever image it asks for. */
export function answerHotlink(
  res: ServerResponse,
  { answer }: HotlinkGate,
  options: { readonly secure: boolean },
): void {
  for (const [name, value] of Object.entries(imageSecurityHeaders(options))) res.setHeader(name, value)
  if (answer === 'refusal') {
    writeText(res, 403, 'Images of this site are not shown on other pages.')
    return
  }
  const own = { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Cache-Control': 'no-store' }
  res.writeHead(200, { ...own, 'Content-Type': 'image/png', 'Content-Length': PLACEHOLDER.length }).end(PLACEHOLDER)
}
