import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { SECRET_PATH } from './secret-path.ts'

/** Frequent probes and page assets, logged at level debug. */
const QUIET = /^\/(healthz|readyz|_next\/static\/.*)$/

interface Logged {
  readonly requestId: string
  readonly address: string
}

/** Logs one line when the answer has been sent, or aborted. */
export function logRequest(log: Logger, req: IncomingMessage, res: ServerResponse, of: Logged): void {
  if (!log.isLevelEnabled('error')) return
  const { requestId, address } = of
  const startedAt = performance.now()
  res.once('close', () => {
    const line = {
      requestId,
      method: req.method,
      path: readPath(req),
      status: res.statusCode,
      ms: Math.round(performance.now() - startedAt),
      address,
      ...(res.writableFinished ? {} : { aborted: true }),
    }
    if (res.statusCode >= 500) log.error(line, 'request')
    else if (QUIET.test(line.path)) log.debug(line, 'request')
    else log.info(line, 'request')
  })
}

/**
 * Returns the path without the query, which contains the secrets of download links and invites, and without the secret
 * in a deletion link's path.
 */
function readPath(req: IncomingMessage): string {
  const path = (req.url ?? '/').split('?', 1)[0]?.slice(0, 300) ?? '/'
  return path.replace(SECRET_PATH, '$1…')
}
