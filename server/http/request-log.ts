import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'

/** What is asked every few seconds by whoever watches the process, and what comes with every page. */
const QUIET = /^\/(healthz|readyz|_next\/static\/.*)$/

/** Gives the request an id, in its answer too, and writes one line when the answer has gone out. */
export function beginRequest(log: Logger, req: IncomingMessage, res: ServerResponse, address: string): string {
  const requestId = randomUUID()
  const startedAt = performance.now()
  res.setHeader('X-Request-Id', requestId)
  res.once('close', () => {
    const line = {
      requestId,
      method: req.method,
      path: pathOf(req),
      status: res.statusCode,
      ms: Math.round(performance.now() - startedAt),
      address,
      ...(res.writableFinished ? {} : { aborted: true }),
    }
    if (res.statusCode >= 500) log.error(line, 'request')
    else if (QUIET.test(line.path)) log.debug(line, 'request')
    else log.info(line, 'request')
  })
  return requestId
}

/** Without the query: download links and invites carry secrets there. */
function pathOf(req: IncomingMessage): string {
  return (req.url ?? '/').split('?', 1)[0]?.slice(0, 300) ?? '/'
}
