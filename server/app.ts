import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { sessionIdOf } from '#server/accounts/sessions/session-token.ts'
import { viewerOfSession } from '#server/accounts/sessions/sessions.ts'
import { bearerTokenOf, viewerOfToken } from '#server/accounts/tokens/api-token.ts'
import { workAccountRemovals } from '#server/accounts/users/account-removal.ts'
import { savingsOf } from '#server/budgets/bill/cache-savings.ts'
import { pricesFor } from '#server/budgets/bill/prices.ts'
import { workSettling } from '#server/budgets/leases/settling.ts'
import type { UsageBook } from '#server/budgets/leases/usage-book.ts'
import { Calls } from '#server/limit-admin/calls.ts'
import { catalogueOf } from '#server/limit-admin/catalogue.ts'
import { type LimitAdmin, openLimitAdmin } from '#server/limit-admin/limit-admin.ts'
import { type Access, openAccess } from './access/access.ts'
import { createOwnerFromSettings } from './accounts/owner.ts'
import type { Viewer } from './accounts/viewer.ts'
import { type Budgets, openBudgets } from './budgets/budgets.ts'
import type { Config } from './config.ts'
import { openDatabase, type PrismaClient } from './database/database.ts'
import { createFailureLog, type LogFailure } from './failure-log.ts'
import { declaredParts } from './http/declared-parts.ts'
import { Alarms } from './images/alarms.ts'
import { createImages, type Images } from './images/images.ts'
import { storedFacts } from './images/stored-facts.ts'
import { JobQueue } from './jobs/job-queue.ts'
import { createLimiter, type Limiter } from './limits/limiter.ts'
import type { LimiterEvent } from './limits/limiter-event.ts'
import { shortByteSize } from './limits/rules/byte-size.ts'
import { rarely } from './rarely.ts'
import { createCachedStore } from './storage/cached.ts'
import { openStore } from './storage/open-store.ts'
import { openWebhook, type Webhook } from './webhooks/webhook.ts'

/** Milliseconds between two lines of the log about a cache that fails: it may fail at each read. */
const TROUBLE_MS = 60_000

/** Everything that exists once in a process. */
export interface App {
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
  /** Which adapters are in use, a line each, for the log at start. */
  readonly description: readonly string[]
  /** Who sent a request with these headers, by its token where it has one, else by its session row; null for a guest. */
  viewerOf(headers: IncomingHttpHeaders): Promise<Viewer | null>
  close(): Promise<void>
}

/** The composition root: config, adapters, services. Throws when a rule set or the object store does not work, the database cannot be opened or the owner's settings will not do. */
export async function createApp(config: Config): Promise<App> {
  const log = pino({
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  })
  const catalogue = catalogueOf(declaredParts())
  await using opened = new AsyncDisposableStack()
  const database = await openDatabase(config)
  opened.defer(database.close)
  const budgets = openBudgets({
    db: database.db,
    prices: pricesFor(config),
    log,
    cacheFigures: (prices) => savingsOf(store.figures(), prices),
  })
  opened.defer(() => budgets.close())
  const store = createCachedStore(await openStore(config, budgets.meter), {
    folder: join(config.dataDir, 'cache'),
    // What lies on this disk needs no copy on it.
    maxBytes: config.s3 ? config.cacheMaxBytes : 0,
    trouble: rarely(TROUBLE_MS, (err, times) => log.warn({ err, times }, 'the cache of objects fails; reads do not')),
  })
  opened.defer(() => store.close())
  for (const warning of await store.verify()) log.warn(warning)
  if (config.owner) await createOwnerFromSettings(database.db, config.owner)
  const limiter = createLimiter({
    ...(config.redisUrl ? { redisUrl: config.redisUrl } : {}),
    log: (event) => log[levelOf(event)](event, 'limiter'),
  })
  opened.defer(() => limiter.close())
  const calls = new Calls()
  const limitAdmin = await openLimitAdmin({ catalogue, db: database.db, limiter, config, calls, log })
  opened.defer(() => limitAdmin.close())
  const access = await openAccess({ db: database.db, limiter, config, calls, log })
  opened.defer(() => access.close())
  const jobs = await JobQueue.open({ connection: database.connection, log })
  opened.defer(() => jobs.close())
  const webhook = await openWebhook({ jobs, config })
  budgets.tellBy((tx, { state, ...data }) =>
    webhook.tell(tx, { type: `budget.${state}`, timestamp: new Date().toISOString(), data }),
  )
  const images = await createImages({
    ...{ db: database.db, store, jobs, config, log, countStored: budgets.countStored },
    onStored: (tx, image) => {
      const data = storedFacts(image, config.origin)
      return webhook.tell(tx, { type: 'image.stored', timestamp: image.createdAt.toISOString(), data })
    },
  })
  opened.defer(() => images.close())
  await workSettling(jobs, database.db)
  await workAccountRemovals(jobs, { db: database.db, images })
  warnOfWhatWillHurt(config, log)

  const toClose = opened.move()
  return {
    config,
    log,
    logFailure: createFailureLog(log),
    db: database.db,
    limiter,
    limitAdmin,
    access,
    budgets,
    usage: budgets.usage,
    jobs,
    webhook,
    images,
    alarms: new Alarms(),
    description: [
      `database: ${database.description}`,
      `limiter: ${config.redisUrl ? `Redis at ${hostsOf(config.redisUrl)}` : 'in this process'}`,
      `objects: ${store.description}`,
      ...(store.figures().scope === 'host' ? [`cache: up to ${shortByteSize(config.cacheMaxBytes)} on this disk`] : []),
    ],
    viewerOf: async (headers) => {
      const token = bearerTokenOf(headers.authorization)
      if (token !== null) return viewerOfToken(database.db, token, headers)
      const sessionId = await sessionIdOf(headers, config)
      return sessionId === null ? null : viewerOfSession(database.db, sessionId)
    },
    close: () => toClose.disposeAsync(),
  }
}

/** What the limiter lets pass is no warning. */
function levelOf({ type }: LimiterEvent): 'warn' | 'info' {
  return type === 'waited' || type === 'shadow-refused' || type === 'degraded-answer' ? 'info' : 'warn'
}

function hostsOf(urls: string): string {
  return urls
    .split(',')
    .map((url) => new URL(url).host)
    .join(', ')
}

function warnOfWhatWillHurt(config: Config, log: Logger): void {
  if (config.databaseUrl && !config.redisUrl) {
    log.warn(
      'The database is shared but the limiter is in this process: with several processes each limit holds once per process. Set REDIS_URL.',
    )
  }
}
