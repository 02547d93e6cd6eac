import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import type { Access } from './access/access.ts'
import type { Viewer } from './accounts/viewer.ts'
import type { Budgets } from './budgets/budgets.ts'
import type { UsageBook } from './budgets/leases/usage-book.ts'
import type { Config } from './config.ts'
import type { PrismaClient } from './database/database.ts'
import type { LogFailure } from './failure-log.ts'
import type { Alarms } from './images/alarms.ts'
import type { Images } from './images/images.ts'
import type { JobQueue } from './jobs/job-queue.ts'
import type { LimitAdmin } from './limit-admin/limit-admin.ts'
import type { Limiter } from './limits/limiter.ts'
import type { Webhook } from './webhooks/webhook.ts'

/** What procedures, routes and pages use: made once in a process by server/app.ts, which alone imports what makes it. */
export interface Services {
  readonly config: Config
  readonly log: Logger
  /** Logs why a request failed: of an outage, which many meet, only now and then. */
  readonly logFailure: LogFailure
  readonly db: PrismaClient
  readonly limiter: Limiter
  /** What is declared of the limiter, what holds in its place, and what it does. */
  readonly limitAdmin: LimitAdmin
  /** Who is let in, and on whose pages images may stand. */
  readonly access: Access
  /** What the store of images may cost, and what it has cost. */
  readonly budgets: Budgets
  /** Who causes what of it. */
  readonly usage: UsageBook
  /** What must not be forgotten, and is done behind. */
  readonly jobs: JobQueue
  readonly webhook: Webhook
  readonly images: Images
  /** What was found wrong with stored images since the process started. */
  readonly alarms: Alarms
  /** Who sent a request with these headers, by its token where it has one, else by its session row; null for a guest. */
  viewerOf(headers: IncomingHttpHeaders): Promise<Viewer | null>
}
