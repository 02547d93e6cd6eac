import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { SECRET_PATH } from './secret-path.ts'

/** What is asked every few seconds by whoever watches the process, and what comes with every page. */
const QUIET = /^\/(healthz|readyz|_next\/static\/.*)$/

interface Logged {
  readonly requestId: string
  readonly address: string
}

/** Writes one line when the answer has gone out. */
export function logRequest(log: Logger, req: IncomingMessage, res: ServerResponse, of: Logged): void {
  if (!log.isLevelEnabled('error')) return
  const { requestId, address } = of
  const startedAt = performance.now()
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
}

/** Without the query: download links and invites carry secrets there. A deletion link is a secret by itself. */
function pathOf(req: IncomingMessage): string {
  const path = (req.url ?? '/').split('?', 1)[0]?.slice(0, 300) ?? '/'
  return path.replace(SECRET_PATH, '$1…')
}
