import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import next from 'next'
import { isSuperadmin } from '#server/accounts/viewer.ts'
import { refusalMessage, refusalOf as refusalOfDecision } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import type { Permit } from '#server/limits/permit.ts'
import type { Services } from '#server/services.ts'
import { writeJson } from '../answers.ts'
import { pagesRoute } from '../limits.ts'
import type { RequestFrame } from '../request-frame.ts'
import { SECRET_PATH } from '../secret-path.ts'
import { pagePolicy } from '../security-headers.ts'
import { answerOutages } from './page-outages.ts'
import { asksAsRouter } from './router-headers.ts'

/** Hands a request to Next: pages and next-auth. */
export type PageHandler = (req: IncomingMessage, res: ServerResponse, frame: RequestFrame) => Promise<void>

/** By these Next's own parts talk among themselves; a client that sends them wants to be taken for one. */
const INTERNAL = /^x-(middleware|nextjs|matched-path|now-route|invoke|prerender|vercel)/

/** What Next itself shows when all else fails: whoever asks for it by its address is answered 500, for caches to keep a year. */
const LAST_RESORT = '/_global-error'

/** The addresses of next-auth. */
const AUTH = '/api/auth/'

/** Bytes of a form that next-auth reads. */
const MAX_FORM = 16 * 1024

/** Prepares Next. The page's nonce travels in the request's own policy header, which is where Next looks for it. */
export async function createPages(app: Services, options: { dev: boolean; secure: boolean }): Promise<PageHandler> {
  // Next adds its own upgrade handler to the server it is given; this one never listens, so no upgrade reaches it.
  const dir = join(import.meta.dirname, '../../..')
  const site = next(options.dev ? { dev: true, dir } : { dir, httpServer: createServer() })
  await site.prepare()
  const handle = site.getRequestHandler()

  return async (req, res, frame) => {
    // Before anything is decided by it.
    if (!isPathOfPages(pathOf(req))) req.url = '/404'
    const refusal = refusalOf(req, frame)
    if (refusal) return writeJson(res, refusal, { error: REFUSALS[refusal] })
    const permit = await permitFor(app, req, frame)
    const held = permit && refusalOfDecision(permit.decision)
    if (held && !(await isSpared(app, req)))
      return writeJson(res, 429, { error: refusalMessage(held) }, rateLimitHeaders([permit.decision]))
    for (const name of Object.keys(req.headers)) if (INTERNAL.test(name)) delete req.headers[name]
    const policy = pagePolicy(randomBytes(16).toString('base64'), options)
    req.headers['content-security-policy'] = policy
    req.headers['x-sluice-address'] = frame.address
    req.headers['x-sluice-request-id'] = frame.requestId
    res.setHeader('Content-Security-Policy', policy)
    if (SECRET_PATH.test(pathOf(req))) keepSecret(res)
    // Of next-auth's answers most say nothing of caches, those that set cookies too.
    if (pathOf(req).startsWith(AUTH)) res.setHeader('Cache-Control', 'no-store')
    if (permit) endWith(res, permit)
    await answerOutages(res, () => handle(req, res))
  }
}

/** Takes of what an address may open of pages; build assets are files and go free. */
async function permitFor(app: Services, req: IncomingMessage, { address }: RequestFrame) {
  if (pathOf(req).startsWith('/_next/static/')) return null
  const caller = { address, userId: null, shared: false }
  return app.limiter.reserve([{ sets: pagesRoute.sets, caller }], { label: pagesRoute.label })
}

/** Not with Next's work: of a form whose sender has left that may never end. */
function endWith(res: ServerResponse, permit: Permit): void {
  const end = () => void permit.end('succeeded')
  if (res.closed) end()
  else res.once('close', end)
}

/** Superadmins have no limits, here too: whoever overrides this one must find the way back. Who calls is asked only
 *  when the address is refused, and by its session alone: no token administers. */
async function isSpared(app: Services, req: IncomingMessage): Promise<boolean> {
  const isFree = isSuperadmin(await app.viewerOf({ ...req.headers, authorization: undefined }))
  if (isFree) app.limiter.free(pagesRoute.label, pagesRoute.sets)
  return isFree
}

/** Tells nobody the page's address: neither whom it leads to, nor who searches the web. */
function keepSecret(res: ServerResponse): void {
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('X-Robots-Tag', 'noindex, nofollow')
}

/** Segments that Next resolves, so that it would answer another path than the one that is looked at here. Browsers send none. */
const DOTS = /[\\/](?:\.|%2e){1,2}(?:[\\/]|$)/i

/** Whether pages and assets can have a path: it is text, and what it says. */
function isPathOfPages(path: string): boolean {
  if (path === LAST_RESORT || DOTS.test(path)) return false
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}

const pathOf = (req: IncomingMessage): string => (req.url ?? '/').split('?', 1)[0] ?? '/'

const REFUSALS = {
  400: 'No part of a page is asked for like this.',
  403: 'Only pages of this site may sign in or out here.',
  404: 'There is no such page.',
  405: 'Pages are only read.',
  411: 'The body needs a length.',
  413: 'The body is too large.',
} as const

/** The status that refuses a request before Next sees it: pages are read, only next-auth is posted to, nothing is optimised. */
function refusalOf(req: IncomingMessage, frame: RequestFrame): keyof typeof REFUSALS | null {
  const path = pathOf(req)
  if (path.startsWith('/_next/image')) return 404
  if (req.method === 'GET' || req.method === 'HEAD') return asksAsRouter(req.headers) ? null : 400
  if (req.method !== 'POST' || !path.startsWith(AUTH) || 'next-action' in req.headers) return 405
  if (frame.foreignOrigin) return 403
  // Without a length the body cannot be bounded before it is read; browsers and fetch always send one for a form.
  const length = Number(req.headers['content-length'] ?? Number.NaN)
  if (Number.isNaN(length)) return 411
  return length > MAX_FORM ? 413 : null
}
