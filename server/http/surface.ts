import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Surface, statuses } from '#server/metrics/declared.ts'
import { METRICS_PATH } from './metrics.ts'
import { findUploadRoute } from './upload/upload-routes.ts'
import { isZip } from './zips/zip.ts'

const HEALTH = /^\/(?:healthz|readyz)(?:\?|$)/
const ASSET = /^\/(?:_next|brand)\//

/** Returns what a request was for. A stream is known by its answer, because it lasts as long as its reader stays. */
export function findSurface(req: IncomingMessage, res: ServerResponse): Surface {
  const url = req.url ?? '/'
  if (url.startsWith('/i/')) return 'bytes'
  if (url.startsWith('/api/')) return findApiSurface(url, req, res)
  if (HEALTH.test(url) || METRICS_PATH.test(url)) return 'health'
  return ASSET.test(url) ? 'assets' : 'pages'
}

function findApiSurface(url: string, req: IncomingMessage, res: ServerResponse): Surface {
  if (url.startsWith('/api/auth/')) return 'pages'
  if (isZip(url)) return 'zip'
  if (findUploadRoute(url, req.method) || isOfType(req.headers['content-type'], 'application/octet-stream'))
    return 'upload'
  return isOfType(res.getHeader('content-type'), 'text/event-stream') ? 'stream' : 'api'
}

const isOfType = (value: unknown, type: string): boolean => typeof value === 'string' && value.startsWith(type)

const classes = [undefined, undefined, '2xx', '3xx', '4xx', '5xx'] as const

export const findStatus = (res: ServerResponse): (typeof statuses)[number] =>
  res.writableFinished ? (classes[Math.floor(res.statusCode / 100)] ?? '2xx') : 'aborted'
