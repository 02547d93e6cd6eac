import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tuneHeap } from '#server/heap.ts'
import { findOutage } from '#server/outage.ts'
import { withNotes } from '#server/request-notes.ts'
import type { Services } from '#server/services.ts'
import { answerHotlink, isHotlink, isOwnProbe, refuseAddress } from './access-gate.ts'
import { writeFailure } from './answers.ts'
import { GuestFastPath } from './bytes/guest-fast-path.ts'
import { handleImageBytes } from './bytes/image-bytes.ts'
import { handleShareBytes } from './bytes/share-bytes.ts'
import { isShareRequest } from './bytes/share-request.ts'
import { createAddressReader } from './client-address.ts'
import { ClientGone } from './client-gone.ts'
import { answerHeadProblem, findHeadProblem } from './head-problem.ts'
import { answerAlive, createReadiness } from './health.ts'
import { refuseInvalid } from './invalid-request.ts'
import { answerMalformed } from './malformed-request.ts'
import { createMetrics, METRICS_PATH } from './metrics.ts'
import { handleOembed, isOembed } from './oembed.ts'
import { createOriginCheck } from './origin-check.ts'
import type { PageHandler } from './pages/pages.ts'
import { handlePicture, isPicture } from './picture.ts'
import type { RequestFrame } from './request-frame.ts'
import { chooseRequestId, findTraceId } from './request-id.ts'
import { createRequestLog } from './request-log.ts'
import { readTarget } from './request-target.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { nameSite } from './site-name.ts'
import { keepTickShape } from './tick-shape.ts'
import { traceRequest } from './trace-request.ts'
import { handleTrpc, TRPC_PREFIX, type TrpcOptions } from './trpc.ts'
import { continueWhenRead, leaveRestUnread } from './unread-body.ts'
import {
  answerUnknownEndpoint,
  answerUploadRoute,
  findUnknownEndpoint,
  findUploadRoute,
} from './upload/upload-routes.ts'
import { handleZip, isZip } from './zips/zip.ts'

/** The deadline for receiving a whole request: enough for 25 MB over a slow line, but bounded. */
export const REQUEST_MS = 300_000

/** A connection without any traffic for this long is closed. Open streams send keep-alive bytes. */
export const STALLED_MS = 120_000

/** The same while the answer is being prepared: an upload may wait to be decoded, and then for the store. */
const AT_WORK_MS = 900_000

/** The deadline for receiving the head of a request. With the interval of the checks and the time for the answer, a connection
 *  whose head has not ended is closed within 16 s. */
const HEAD_MS = 14_000

/** An idle connection is closed after this. Longer than the defaults of proxies, 60 to 120 s: what a proxy sends as the
 *  connection is closed is lost, and a POST is not repeated. */
const UNUSED_MS = 125_000

const SERVER = {
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: UNUSED_MS,
  // Node would answer without the security headers; see head-problem.ts.
  requireHostHeader: false,
  // Only WebSocket upgrades reach the 'upgrade' event: refused, or in dev mode Next's. Other upgrades, such as curl's to
  // HTTP/2, are offers that a server may ignore.
  shouldUpgradeCallback: (req: IncomingMessage) => /websocket/i.test(req.headers.upgrade ?? ''),
}

export interface ServerOptions extends TrpcOptions {
  readonly dev?: boolean
  /** Replaces REQUEST_MS, for tests. */
  readonly requestMs?: number
}

/** Creates the HTTP server, which routes each request to its handler. */
export function createHttpServer(app: Services, pages: PageHandler, options: ServerOptions = {}): Server {
  const secure = app.config.origin.startsWith('https:')
  const isForeign = createOriginCheck(app.config.origin)
  const addresses = createAddressReader(app.config, (peer) => warnOfProxy(app, peer))
  const logRequest = createRequestLog(app)
  const guestFastPath = new GuestFastPath(app)
  const route = createRoutes(app, pages, options, guestFastPath)
  keepTickShape()
  tuneHeap()

  const answer = (req: IncomingMessage, res: ServerResponse) => {
    // A server that has stopped listening is draining: each connection ends with its next answer.
    if (!server.listening) res.setHeader('Connection', 'close')
    const client = addresses.seen(req)
    const requestId = chooseRequestId(req, client)
    const traceId = app.tracing.traceId ?? findTraceId(req, client)
    const notes = { requestId, address: client.counted, traceId, userId: null }
    logRequest(req, res, notes)
    if (app.access.denies(client) && !isOwnProbe(req, client)) return refuseAddress(res, { secure })
    const gate = app.access.hotlink
    if (isHotlink(gate, req)) {
      leaveRestUnread(req, res)
      return answerHotlink(res, gate, { secure })
    }
    const fail = (error: unknown) => failRequest(app, res, error, requestId)
    const ready = server.listening ? guestFastPath.find(req) : null
    if (ready) return void guestFastPath.answer(ready, { req, res, client, requestId })?.catch(fail)
    const { counted: address, exact: exactAddress } = addresses.read(req)
    res.setHeader('X-Request-Id', requestId)
    setSecurityHeaders(res, { secure })
    leaveRestUnread(req, res)
    waitWhileAtWork(req, res)
    const frame = { address, exactAddress, requestId, foreignOrigin: isForeign(req) }
    withNotes(notes, () => route(req, res, frame)).catch(fail)
  }
  const { tracing } = app
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    readTarget(req)
    if (!tracing.isOn) return answer(req, res)
    traceRequest({ tracing, client: addresses.seen(req), req, res }, () => answer(req, res))
  }
  const server = createServer({ ...SERVER, ...timeouts(options) }, serve)
  nameSite(server, app.site.read)
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    continueWhenRead(req, res)
    serve(req, res)
  })
  // Otherwise Node would answer 417 before the checks here. Unknown expectations may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', serve)
  const refuse = answerMalformed(app, addresses, { secure })
  server.on('clientError', refuse)
  // Before its target is parsed.
  if (!options.dev) server.on('upgrade', (_req, socket) => refuse({}, socket))
  server.setTimeout(STALLED_MS)
  return server
}

/** Node checks deadlines at this interval, by which a request may exceed them. */
const CHECK_MS = 1_000

function timeouts({ requestMs = REQUEST_MS }: ServerOptions) {
  return {
    requestTimeout: requestMs,
    headersTimeout: Math.min(HEAD_MS, requestMs),
    connectionsCheckingInterval: Math.min(CHECK_MS, requestMs / 10),
  }
}

function failRequest(app: Pick<Services, 'logFailure'>, res: ServerResponse, error: unknown, requestId: string): void {
  if (error instanceof ClientGone) return
  if (findOutage(error)?.isFault !== false) app.logFailure({ requestId, err: error }, 'request failed')
  if (res.headersSent) res.destroy()
  else writeFailure(res, error, requestId)
}

/** Keeps a connection without traffic open while its answer is being prepared, for up to AT_WORK_MS. */
function waitWhileAtWork(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req
  const begunAt = performance.now()
  const stalledMs = socket.timeout ?? STALLED_MS
  res.on('timeout', () => {
    const isAtWork = req.complete && !res.headersSent && performance.now() - begunAt < AT_WORK_MS
    if (isAtWork) socket.setTimeout(stalledMs)
    // Not closed, for what nobody reads of the answer would stay with the kernel.
    else socket.resetAndDestroy()
  })
}

type Route = (req: IncomingMessage, res: ServerResponse, frame: RequestFrame) => Promise<void>

function createRoutes(app: Services, pages: PageHandler, options: TrpcOptions, { images }: GuestFastPath): Route {
  const answerReady = createReadiness(app)
  const answerMetrics = createMetrics(app)
  return async (req, res, frame) => {
    const url = req.url ?? '/'
    const problem = findHeadProblem(req)
    if (problem) return (await refuseInvalid(app, res, frame)) ? undefined : answerHeadProblem(res, problem)
    if (isShareRequest(url)) return handleShareBytes(app, req, res, frame)
    if (url.startsWith('/i/')) return handleImageBytes(app, images, req, res, frame)
    if (url.startsWith(TRPC_PREFIX)) return handleTrpc(app, req, res, frame, options)
    const uploadRoute = findUploadRoute(url, req.method)
    if (uploadRoute) return answerUploadRoute(uploadRoute, app, req, res, frame)
    if (isPicture(url)) return handlePicture(app, req, res, frame)
    if (isZip(url)) return handleZip(app, req, res, frame)
    if (isOembed(url)) return handleOembed(app, req, res, frame)
    const unknown = findUnknownEndpoint(url)
    if (unknown) return (await refuseInvalid(app, res, frame)) ? undefined : answerUnknownEndpoint(res, unknown)
    if (url === '/healthz') return answerAlive(res)
    if (url === '/readyz') return answerReady(res)
    // For callers without access, /metrics is an unknown page.
    if (METRICS_PATH.test(url) && (await answerMetrics(req, res, frame))) return
    return pages(req, res, frame)
  }
}

function warnOfProxy(app: Pick<Services, 'log'>, peer: string): void {
  app.log.warn(
    { peer },
    'X-Forwarded-For came from a private address that is not in SLUICE_TRUSTED_PROXIES: if it is your proxy, add it there, or all its clients count as one',
  )
}
