import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Tracing } from '#server/tracing/tracing.ts'
import type { SeenClient } from './client-address.ts'
import { readPath } from './request-log.ts'
import { findStatus, findSurface } from './surface.ts'

interface Traced {
  readonly tracing: Tracing
  readonly client: SeenClient
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** Serves a request in a span that ends with its answer. A trusted proxy's trace goes on; anybody else's header is ignored. */
export function traceRequest({ tracing, client, req, res }: Traced, serve: () => void): void {
  const attributes = { 'http.request.method': req.method ?? '', 'url.path': readPath(req) }
  const traceparent = client.isProxied ? req.headers.traceparent?.toString() : undefined
  tracing.request({ traceparent, name: `${req.method} ${findSurface(req, res)}`, attributes }, (end) => {
    res.once('close', () => {
      const { statusCode } = res
      const isAborted = findStatus(res) === 'aborted'
      end({ 'http.response.status_code': statusCode, 'sluice.aborted': isAborted }, statusCode >= 500)
    })
    serve()
  })
}
