import cluster from 'node:cluster'
import type { Metric } from '#server/metrics/exposition.ts'
import type { Metrics } from '#server/metrics/metrics.ts'
import type { FromPrimary, FromWorker } from './messages.ts'

/** How long a scrape waits for the metrics of all workers. */
const SCRAPE_MS = 5_000

export interface WorkerParts {
  readonly metrics: Metrics
  /** Serves the owner's commands; called at most once. */
  readonly serveOwner: () => void
}

/** Whether this is the process that says what is the same for all workers of a start: the first of them. */
export const isFirst = (): boolean => (cluster.worker?.id ?? 1) === 1

/** Connects a worker with its primary, and tells it that this process accepts connections. */
export function reportReady({ metrics, serveOwner }: WorkerParts): void {
  const scrapes = new Map<number, (metrics: readonly Metric[]) => void>()
  const receive = async (message: FromPrimary): Promise<void> => {
    switch (message.kind) {
      case 'ping':
        return send({ kind: 'pong' })
      case 'serve-owner':
        return serveOwner()
      case 'read':
        return send({ kind: 'metrics', id: message.id, own: await metrics.readShare('own') })
      case 'scraped':
        scrapes.get(message.id)?.(message.metrics)
    }
  }
  process.on('message', receive)
  let asked = 0
  metrics.gatherBy(async () => {
    const [own, shared] = await Promise.all([metrics.readShare('own'), metrics.readShare('shared')])
    asked += 1
    const id = asked
    const { promise, resolve, reject } = Promise.withResolvers<readonly Metric[]>()
    const late = setTimeout(() => reject(new Error('the primary process has not answered a scrape')), SCRAPE_MS)
    scrapes.set(id, resolve)
    send({ kind: 'scrape', id, own, shared })
    try {
      return await promise
    } finally {
      clearTimeout(late)
      scrapes.delete(id)
    }
  })
  send({ kind: 'ready' })
}

/** Without the primary this process ends. */
function send(message: FromWorker): void {
  cluster.worker?.send(message, () => undefined)
}
