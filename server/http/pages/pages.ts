import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import next from 'next'
import { hasSessionCookie } from '#server/accounts/sessions/session-token.ts'
import { isSuperadmin } from '#server/accounts/viewer.ts'
import type { Decision } from '#server/limits/decision.ts'
import { refusalOf as refusalOfDecision } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import type { Permit } from '#server/limits/permit.ts'
import { chargeOf, type DeclaredRoute } from '#server/limits/rules/declared-route.ts'
import type { Services } from '#server/services.ts'
import { acceptsPage } from '../accepts-page.ts'
import { writeProblem } from '../answers.ts'
import { refuseInvalid } from '../invalid-request.ts'
import { showPageLimits } from '../limit-headers.ts'
import { assetsRoute, pagesRoute } from '../limits.ts'
import type { RequestFrame } from '../request-frame.ts'
import { SECRET_PATH } from '../secret-path.ts'
import { pagePolicy } from '../security-headers.ts'
import { refusalSentence, type Sentence } from '../sentence.ts'
import { type Asset, BUILD_ASSETS, readAssets } from './assets.ts'
import { answerOutages } from './page-outages.ts'
import { readPageRoutes } from './page-routes.ts'
import { answerInTurn, type PageTurn } from './page-turns.ts'
import { hasValidRouterHeaders } from './router-headers.ts'
import { sendAsset } from './send-asset.ts'
import { chargeSharePage } from './share-page.ts'
import { createSiteFiles } from './site-files.ts'

/** Serves pages and next-auth through Next, and its assets without. */
export type PageHandler = (req: IncomingMessage, res: ServerResponse, frame: RequestFrame) => Promise<void>

/** Headers between Next's own parts, removed because a client could pose as one with them. */
const INTERNAL = /^x-(middleware|nextjs|matched-path|now-route|invoke|prerender|vercel)/

/** Next's last-resort error page: requested by its path it answers 500, cacheable for a year. */
const LAST_RESORT = '/_global-error'

/** The paths of next-auth, and of guests' forms. */
const AUTH = '/api/auth/'

/** Of a response: the server listens to its end, and so do several parts of Next and next-auth. Node warns of more than 10. */
const MAX_LISTENERS = 30

/** The largest of their forms, in bytes. */
const MAX_FORM = 16 * 1024

/** Prepares Next. The page's nonce is passed in a policy header of the request, where Next looks for it. */
export async function createPages(app: Services, options: { dev: boolean; secure: boolean }): Promise<PageHandler> {
  // Next adds its upgrade handler to the server it is given; this one never listens, so no upgrade reaches it.
  const dir = join(import.meta.dirname, '../../..')
  const site = next(options.dev ? { dev: true, dir } : { dir, httpServer: createServer() })
  await site.prepare()
  const handle = site.getRequestHandler()
  const assets = options.dev ? null : await readAssets(dir)
  const isRoute = await readPageRoutes(dir, options)
  const readSiteFile = createSiteFiles(app)
  const findAsset = async (path: string): Promise<Pick<Asset, 'inCodingFor'> | null> => {
    const built = assets?.get(path)
    if (built) return built
    const file = await readSiteFile(path)
    return file && { inCodingFor: async () => file }
  }

  return async (req, res, frame) => {
    const asset = req.method === 'GET' || req.method === 'HEAD' ? await findAsset(readPath(req)) : null
    if (asset) {
      return sendAsset(app, asset, {
        req,
        res,
        address: frame.address,
        isExempt: async () => (await exempt(app, req, assetsRoute)) !== null,
      })
    }
    // First, because everything below decides by the path.
    if (!isPagePath(readPath(req))) req.url = '/404'
    const path = readPath(req)
    const refusal = chooseRefusal(req, frame)
    const isAsset = path.startsWith(BUILD_ASSETS)
    const isKnown = refusal === null && isRoute(path) && (options.dev || !isAsset)
    if (!isKnown && (await refuseInvalid(app, res, frame))) return
    if (isAsset && !options.dev) return writeProblem(res, 404, (say) => say(REFUSALS[404]))
    if (refusal) return writeProblem(res, refusal, describe(refusal, app.config))
    // Rendered only for people who are signed in, whose page has their menu: anybody may ask for any number of such paths.
    if (!isKnown && !(hasSessionCookie(req) && acceptsPage(req)))
      return writeProblem(res, 404, describe(404, app.config))
    for (const name of Object.keys(req.headers)) if (INTERNAL.test(name)) delete req.headers[name]
    if (isAsset) return handle(req, res)
    const permit = await permitFor(app, frame)
    endOnClose(res, permit)
    const ofShare = permit.decision.allowed ? await chargeSharePage(app, path, frame) : null
    const decision = ofShare ?? permit.decision
    const held = refusalOfDecision(decision)
    const exemption = held && (await exempt(app, req, pagesRoute))
    const turn: PageTurn = { kind: path.startsWith(AUTH) ? 'sign-in' : 'page', address: frame.address }
    if (held && !exemption) {
      const headers = rateLimitHeaders([decision])
      return answerInTurn(res, turn, async () => writeProblem(res, 429, refusalSentence(held), headers))
    }
    showPageLimits(res, exemption ? [exemption] : ofShare ? [permit.decision, ofShare] : [permit.decision])
    const policy = pagePolicy(randomBytes(16).toString('base64'), options)
    req.headers['content-security-policy'] = policy
    req.headers['x-sluice-address'] = frame.address
    req.headers['x-sluice-request-id'] = frame.requestId
    res.setHeader('Content-Security-Policy', policy)
    if (SECRET_PATH.test(path)) keepSecret(res)
    // Most answers of next-auth lack Cache-Control, even those that set cookies.
    if (path.startsWith(AUTH)) res.setHeader('Cache-Control', 'no-store')
    res.setMaxListeners(MAX_LISTENERS)
    const answer = () => answerOutages(res, options.dev ? null : frame.requestId, () => handle(req, res))
    await answerInTurn(res, turn, answer)
  }
}

/** Charges a page to the client's address. */
function permitFor(app: Services, { address }: RequestFrame): Promise<Permit> {
  const caller = { address, userId: null, shared: false }
  return app.limiter.reserve(...chargeOf(pagesRoute, caller))
}

/** Ends the permit with the connection rather than with Next's handler, which may never return if the sender of a form leaves. */
function endOnClose(res: ServerResponse, permit: Permit): void {
  const end = () => void permit.end('succeeded')
  if (res.closed) end()
  else res.once('close', end)
}

/** Exempts a superadmin, and returns the decision that says so; null for everybody else. One who overrides this limit must be
 *  able to undo it. Looked up only for refused requests, and by session alone, as tokens cannot administer. */
async function exempt(app: Services, req: IncomingMessage, { label, sets }: DeclaredRoute): Promise<Decision | null> {
  const viewer = await app.findViewer({ ...req.headers, authorization: undefined })
  return isSuperadmin(viewer) ? app.limiter.free(label, sets) : null
}

/** Keeps the page's URL from linked sites and search engines. */
function keepSecret(res: ServerResponse): void {
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('X-Robots-Tag', 'noindex, nofollow')
}

/** Dot segments, which Next resolves, so that it would serve another path than the one checked here. Browsers never send them. */
const DOTS = /[\\/](?:\.|%2e){1,2}(?:[\\/]|$)/i

/** Returns whether a page or an asset can have this path. */
function isPagePath(path: string): boolean {
  if (path === LAST_RESORT || DOTS.test(path)) return false
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}

const readPath = (req: IncomingMessage): string => (req.url ?? '/').split('?', 1)[0] ?? '/'

const REFUSALS = {
  400: 'http.pageHeaders',
  404: 'http.pageNotFound',
  405: 'http.onlyGetHead',
  411: 'http.lengthRequired',
  413: 'http.bodyTooLarge',
} as const

type Refusal = keyof typeof REFUSALS | 403

const describe =
  (status: Refusal, { origin }: { readonly origin: string }): Sentence =>
  (say) =>
    status === 403 ? say('http.foreignSignIn', { origin }) : say(REFUSALS[status])

/** Returns the status that refuses a request before Next sees it: only next-auth and guests' forms accept POST, and image
 *  optimization is off. */
function chooseRefusal(req: IncomingMessage, frame: RequestFrame): Refusal | null {
  const path = readPath(req)
  if (path.startsWith('/_next/image')) return 404
  if (req.method === 'GET' || req.method === 'HEAD') return hasValidRouterHeaders(req.headers) ? null : 400
  if (req.method !== 'POST' || !path.startsWith(AUTH) || 'next-action' in req.headers) return 405
  if (frame.foreignOrigin) return 403
  // Without a length the body cannot be bounded before it is read. Browsers always send one with a form.
  const length = Number(req.headers['content-length'] ?? Number.NaN)
  if (Number.isNaN(length)) return 411
  return length > MAX_FORM ? 413 : null
}
