import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { SECRET_PATH } from './secret-path.ts'

/** Frequent probes and page assets, logged at level debug. */
const QUIET = /^\/(healthz|readyz|_next\/static\/.*)$/

interface Logged {
  readonly requestId: string
  readonly address: string
}

/** Lines of refused requests (429) each second. The statistics count all of them, so a flood need not fill the disk. */
const REFUSALS_PER_SECOND = 10

/** Returns a function that logs one line when a request's answer has been sent, or aborted. */
export function createRequestLog(log: Logger): (req: IncomingMessage, res: ServerResponse, of: Logged) => void {
  const refusals = new Sample(REFUSALS_PER_SECOND)
  return (req, res, of) => {
    if (log.isLevelEnabled('error')) res.once('close', logLater(log, refusals, req, res, of))
  }
}

function logLater(
  log: Logger,
  refusals: Sample,
  req: IncomingMessage,
  res: ServerResponse,
  { requestId, address }: Logged,
): () => void {
  const startedAt = performance.now()
  return () => {
    const leftOut = res.statusCode === 429 ? refusals.take(performance.now()) : 0
    if (leftOut === null) return
    const line = {
      requestId,
      method: req.method,
      path: readPath(req),
      status: res.statusCode,
      ms: Math.round(performance.now() - startedAt),
      address,
      ...(res.writableFinished ? {} : { aborted: true }),
      ...(leftOut > 0 && { leftOut }),
    }
    if (res.statusCode >= 500) log.error(line, 'request')
    else if (QUIET.test(line.path)) log.debug(line, 'request')
    else log.info(line, 'request')
  }
}

/** Lets the first events of each second through. */
class Sample {
  readonly #perSecond: number
  #second = 0
  #taken = 0
  #leftOut = 0

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Returns how many events were left out since the last one; null for one to be left out. `now` in milliseconds. */
  take(now: number): number | null {
    const second = Math.floor(now / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#taken = 0
    }
    if (this.#taken === this.#perSecond) {
      this.#leftOut += 1
      return null
    }
    this.#taken += 1
    const leftOut = this.#leftOut
    this.#leftOut = 0
    return leftOut
  }
}

/**
 * Returns the path without the query, which contains the secrets of download links and invites, and without the secret
 * in a deletion link's path.
 */
function readPath(req: IncomingMessage): string {
  const path = (req.url ?? '/').split('?', 1)[0]?.slice(0, 300) ?? '/'
  return path.replace(SECRET_PATH, '$1…')
}
