import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import type { Access } from './access/access.ts'
import type { Viewer } from './accounts/viewer.ts'
import type { FailedSignIns } from './audit/failed-sign-ins.ts'
import type { Backups } from './backups/backups.ts'
import type { Budgets } from './budgets/budgets.ts'
import type { UsageBook } from './budgets/leases/usage-book.ts'
import type { Config } from './config.ts'
import type { PrismaClient } from './database/database.ts'
import type { LogFailure } from './failure-log.ts'
import type { Discoveries } from './identity/oidc/discovery.ts'
import type { Alarms } from './images/alarms.ts'
import type { Images } from './images/images.ts'
import type { JobQueue } from './jobs/job-queue.ts'
import type { LimitAdmin } from './limit-admin/limit-admin.ts'
import type { Limiter } from './limits/limiter.ts'
import type { Mail } from './mail/mail.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Sharing } from './sharing/sharing.ts'
import type { Site } from './site/site.ts'
import type { Tracing } from './tracing/tracing.ts'
import type { Webhook } from './webhooks/webhook.ts'

/** What procedures, routes and pages use. Created once per process by server/app.ts, the only importer of its constructors. */
export interface Services {
  readonly config: Config
  readonly log: Logger
  /** Logs why a request failed; an outage, which fails many requests, only at intervals. */
  readonly logFailure: LogFailure
  readonly db: PrismaClient
  /** The settings that superadmins may change while the server runs. */
  readonly site: Site
  readonly limiter: Limiter
  /** The limiter's declared limits, overrides and statistics. */
  readonly limitAdmin: LimitAdmin
  /** Access rules by address, and the sites allowed to embed images. */
  readonly access: Access
  /** Records failed sign-ins in the audit. */
  readonly failedSignIns: FailedSignIns
  /** What OpenID providers say of themselves. */
  readonly discoveries: Discoveries
  /** Backups by schedule and on demand. */
  readonly backups: Backups
  /** What the bucket may cost and has cost. */
  readonly budgets: Budgets
  /** The bucket's usage by subject, procedure and image. */
  readonly usage: UsageBook
  /** What Prometheus reads of this process. */
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly jobs: JobQueue
  readonly webhook: Webhook
  /** Letters to owners of accounts. */
  readonly mail: Mail
  readonly images: Images
  /** Links of shares, their visits and their use. */
  readonly sharing: Sharing
  /** Damage found in stored images since the process started. */
  readonly alarms: Alarms
  /** Returns who sent a request with these headers, by its API token if it has one, else by its session; null for a guest. */
  findViewer(headers: IncomingHttpHeaders): Promise<Viewer | null>
}
