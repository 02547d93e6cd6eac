import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { App } from '#server/app.ts'
import { createAddressReader } from './client-address.ts'
import { answerAlive, answerReady, writeJson } from './health.ts'
import { handleImageBytes } from './image-bytes.ts'
import { createOriginCheck } from './origin-check.ts'
import type { PageHandler } from './pages.ts'
import { beginRequest } from './request-log.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { handleTrpc, type RequestFrame, TRPC_PREFIX } from './trpc.ts'

/** The one HTTP server: every surface of Sluice stands behind it. */
export function createHttpServer(app: App, pages: PageHandler, options: { dev?: boolean } = {}): Server {
  const secure = app.config.origin.startsWith('https:')
  const isForeign = createOriginCheck(app.config.origin)
  const addresses = createAddressReader(app.config.trustedProxies, (peer) => {
    app.log.warn(
      { peer },
      'X-Forwarded-For came from a private address that is not in SLUICE_TRUSTED_PROXIES: if it is your proxy, name it there, or all its visitors count as one',
    )
  })

  const server = createServer(
    { requestTimeout: 120_000, headersTimeout: 15_000, maxHeaderSize: 16 * 1024 },
    (req, res) => {
      const address = addresses.read(req)
      const requestId = beginRequest(app.log, req, res, address)
      setSecurityHeaders(res, { secure })
      route(app, pages, req, res, { address, requestId, foreignOrigin: isForeign(req) }).catch((error: unknown) => {
        app.log.error({ requestId, err: error }, 'request failed')
        if (res.headersSent) res.destroy()
        else writeJson(res, 500, { error: 'Something went wrong on our side.', requestId })
      })
    },
  )
  // Sluice speaks no WebSocket; an upgrade is refused before anything parses where it wants to go. (Next's dev mode has its own.)
  if (!options.dev)
    server.on('upgrade', (_req, socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
    )
  return server
}

async function route(
  app: App,
  pages: PageHandler,
  req: IncomingMessage,
  res: ServerResponse,
  frame: RequestFrame,
): Promise<void> {
  const url = req.url ?? '/'
  if (!url.startsWith('/')) return writeJson(res, 400, { error: 'The address of a request starts with a slash.' })
  if (url.startsWith('/i/')) return handleImageBytes(app, req, res, frame)
  if (url.startsWith(TRPC_PREFIX)) return handleTrpc(app, req, res, frame)
  if (url === '/healthz') return answerAlive(res)
  if (url === '/readyz') return answerReady(app, res)
  return pages(req, res, frame)
}
