import cluster from 'node:cluster'
import { join } from 'node:path'
import { openLog } from '#server/log.ts'
import { Metrics } from '#server/metrics/metrics.ts'
import { watchProcess } from '#server/metrics/sources/process.ts'
import { readPrimarySettings } from './become-primary.ts'
import type { FromPrimary, FromWorker } from './messages.ts'
import { type WorkerProcess, Workers } from './workers.ts'

// The program of the primary process: runs the site in workers until a signal stops it, and loads nothing of the app.
const settings = readPrimarySettings()
// Workers accept connections from one socket themselves. Those that this process handed over would be lost, and hang, where a
// worker ends at that moment; and one that hangs accepts none. Set before setupPrimary, which fixes it.
cluster.schedulingPolicy = cluster.SCHED_NONE
cluster.setupPrimary({
  exec: join(import.meta.dirname, '../main.ts'),
  args: [],
  // Structured clones keep infinite values.
  serialization: 'advanced',
})

const metrics = new Metrics()
if (settings.isWatched) metrics.readFrom(watchProcess().read)
metrics.readFrom(() => ({ sluice_worker_failures_total: [{ value: workers.failures }] }))
const workers = new Workers({
  count: settings.count,
  fork,
  log: openLog(settings.logLevel),
  readOwn: () => metrics.readShare('own'),
  onEnd: (exitCode) => process.exit(exitCode),
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => workers.stop())

function fork(): WorkerProcess {
  const worker = cluster.fork()
  // Sending to one that is ending fails, of which its exit tells.
  worker.on('error', () => undefined)
  return {
    id: worker.id,
    pid: worker.process.pid,
    send: (message: FromPrimary) => void worker.send(message, () => undefined),
    kill: (signal) => void worker.process.kill(signal),
    onMessage: (receive) => void worker.on('message', (message: FromWorker) => receive(message)),
    onExit: (ended) => void worker.once('exit', (code: number | null, signal: string | null) => ended(code, signal)),
  }
}
