import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestNotes } from '#server/request-notes.ts'
import type { Services } from '#server/services.ts'
import { SECRET_PATH } from './secret-path.ts'
import { findStatus, findSurface } from './surface.ts'

/** Frequent probes and page assets, logged at level debug. */
const QUIET = /^\/(healthz|readyz|_next\/static\/.*)$/

/** Characters of the client's program in the log. */
const AGENT = 200

/** Lines of refused requests (429) each second. The statistics count all of them, so a flood need not fill the disk. */
const REFUSALS_PER_SECOND = 10

type Parts = Pick<Services, 'log' | 'metrics'>

/** Returns a function that counts a request, and logs one line, when its answer has been sent, or aborted. */
export function createRequestLog(app: Parts): (req: IncomingMessage, res: ServerResponse, notes: RequestNotes) => void {
  const refusals = new Sample(REFUSALS_PER_SECOND)
  return (req, res, notes) => void res.once('close', endLater(app, refusals, req, res, notes))
}

function endLater(
  { log, metrics }: Parts,
  refusals: Sample,
  req: IncomingMessage,
  res: ServerResponse,
  notes: RequestNotes,
): () => void {
  const startedAt = performance.now()
  const { socket } = req
  const sentBefore = socket.bytesWritten
  return () => {
    const ms = performance.now() - startedAt
    metrics.time('sluice_http_request_duration_seconds', ms / 1_000, findSurface(req, res), findStatus(res))
    if (!log.isLevelEnabled('error')) return
    const leftOut = res.statusCode === 429 ? refusals.take(performance.now()) : 0
    if (leftOut === null) return
    const { requestId, address, userId, traceId } = notes
    const line = {
      requestId,
      method: req.method,
      path: readPath(req),
      status: res.statusCode,
      ms: Math.round(ms),
      bytes: socket.bytesWritten - sentBefore,
      address,
      ...(userId !== null && { userId }),
      ...(traceId !== null && { traceId }),
      agent: req.headers['user-agent']?.slice(0, AGENT),
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
export function readPath(req: IncomingMessage): string {
  const path = (req.url ?? '/').split('?', 1)[0]?.slice(0, 300) ?? '/'
  return path.replace(SECRET_PATH, '$1…')
}
