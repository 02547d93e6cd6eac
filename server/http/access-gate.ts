import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HotlinkGate } from '#server/access/hotlink.ts'
import { PLACEHOLDER_IMAGE } from '#server/access/placeholder.ts'
import { parseAddress } from '#server/counted-address.ts'
import { writeTextProblem } from './answers.ts'
import type { SeenClient } from './client-address.ts'
import { imageSecurityHeaders, setSecurityHeaders } from './security-headers.ts'

/**
 * Returns whether a request is a health probe from this machine, such as a container's. Refusing it would take the site
 * down. Judges by the socket alone, because a client behind a proxy is elsewhere.
 */
export function isOwnProbe({ url, socket }: IncomingMessage, { isNamed }: Pick<SeenClient, 'isNamed'>): boolean {
  if (url !== '/healthz' && url !== '/readyz') return false
  return !isNamed && parseAddress(socket.remoteAddress ?? '')?.range() === 'loopback'
}

/** Refuses a blocked address in the same way on every route. Call it before anything is charged or looked up. */
export function refuseAddress(res: ServerResponse, options: { readonly secure: boolean }): void {
  setSecurityHeaders(res, options)
  writeTextProblem(res, 403, (say) => say('http.addressBlocked'), { Connection: 'close' })
}

/** Returns whether a request is for an image and comes from a page that may not embed it. */
export const isHotlink = (gate: HotlinkGate | null, req: IncomingMessage): gate is HotlinkGate =>
  gate?.admits(req.headers) === false && req.url?.startsWith('/i/') === true

/** Answers a hotlink, in the same way for every image, whether it exists or not. */
export function answerHotlink(
  res: ServerResponse,
  { answer }: HotlinkGate,
  options: { readonly secure: boolean },
): void {
  for (const [name, value] of Object.entries(imageSecurityHeaders(options))) res.setHeader(name, value)
  if (answer === 'refusal') {
    writeTextProblem(res, 403, (say) => say('http.hotlinkRefused'))
    return
  }
  const own = { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Cache-Control': 'no-store' }
  res
    .writeHead(200, { ...own, 'Content-Type': 'image/png', 'Content-Length': PLACEHOLDER_IMAGE.length })
    .end(PLACEHOLDER_IMAGE)
}
