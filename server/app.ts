import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { formatExactBytes } from '#format/bytes.ts'
import { readSessionId } from '#server/accounts/sessions/session-token.ts'
import { viewerOfSession } from '#server/accounts/sessions/sessions.ts'
import { readBearerToken, viewerOfToken } from '#server/accounts/tokens/api-token.ts'
import { workAccountRemovals } from '#server/accounts/users/account-removal.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import { cacheSavings } from '#server/budgets/bill/cache-savings.ts'
import { pricesFor } from '#server/budgets/bill/prices.ts'
import { workSettling } from '#server/budgets/leases/settling.ts'
import { Calls } from '#server/limit-admin/calls.ts'
import { createCatalogue, type DeclaringPart } from '#server/limit-admin/catalogue.ts'
import { openLimitAdmin } from '#server/limit-admin/limit-admin.ts'
import { openAccess } from './access/access.ts'
import { createOwnerFromSettings } from './accounts/owner.ts'
import { workAlbumPurge } from './albums/album-purge.ts'
import { workTagMerges } from './albums/tags/tag-merge.ts'
import { FailedSignIns } from './audit/failed-sign-ins.ts'
import { workAuditPurge } from './audit/retention.ts'
import { openBackups } from './backups/backups.ts'
import { openBudgets } from './budgets/budgets.ts'
import type { Config } from './config.ts'
import { openDatabase, type Transaction } from './database/database.ts'
import { createFailureLog } from './failure-log.ts'
import { workGuestPurge } from './guests/guest-purge.ts'
import { Discoveries } from './identity/oidc/discovery.ts'
import { Alarms } from './images/alarms.ts'
import { DecoderPool } from './images/decoder/pool.ts'
import { createImages } from './images/images.ts'
import { storedFacts } from './images/stored-facts.ts'
import { Removals } from './images/storing/removals.ts'
import { JobQueue } from './jobs/job-queue.ts'
import { RefusalLog } from './limit-admin/refusals/refusal-log.ts'
import type { LimiterOptions } from './limits/limiter.ts'
import { describeRedis } from './limits/stores/redis/redis-url.ts'
import { openLog } from './log.ts'
import { openMail } from './mail/mail.ts'
import { Metrics } from './metrics/metrics.ts'
import { addSources } from './metrics/sources/add-sources.ts'
import { openLimiter } from './open-limiter.ts'
import { rarely } from './rarely.ts'
import { workReportPurge } from './reports/report-purge.ts'
import { noteUser } from './request-notes.ts'
import type { Services } from './services.ts'
import { openSharing } from './sharing/sharing.ts'
import { openSite } from './site/site.ts'
import { createCachedStore } from './storage/cached.ts'
import { openObjectStore } from './storage/open-store.ts'
import { watchStore } from './storage/watched-store.ts'
import { openTracing } from './tracing/open-tracing.ts'
import { traceLimiter } from './tracing/traced-limiter.ts'
import { createWatches } from './watches.ts'
import type { WebhookEvent } from './webhooks/events.ts'
import { openWebhook } from './webhooks/webhook.ts'

/** The shortest interval between two log lines about a failing cache, which may fail at every read. */
const CACHE_LOG_MS = 60_000

/** The shortest interval between two log lines about failed sign-ins that wait to be recorded. */
const AUDIT_LOG_MS = 60_000

/** Decoders of one of several processes: the fewest of which no owner can have all. */
const DECODERS_EACH = 2

/** The services, with what only the process that created them uses. */
export interface App extends Services {
  /** The adapters in use, one per line, for the start-up message. */
  readonly description: readonly string[]
  close(): Promise<void>
}

/**
 * The composition root: config, then adapters, then services. `declared` lists every procedure and route with its limits; it
 * is a parameter because they import the services. Throws if a rule set is invalid, the database, the object store or
 * Redis cannot be used, or the owner's settings are refused.
 */
export async function createApp(
  config: Config,
  declared: readonly DeclaringPart[],
  limiting: Pick<LimiterOptions, 'deadlineMs'> = {},
): Promise<App> {
  const log = openLog(config.logLevel)
  const catalogue = createCatalogue(declared)
  await using opened = new AsyncDisposableStack()
  const metrics = new Metrics()
  const tracing = await openTracing(config.tracing, log)
  opened.defer(() => tracing.close())
  const watches = createWatches(metrics, tracing)
  const database = await openDatabase(config, 'any', watches.database)
  opened.defer(database.close)
  const budgets = openBudgets({
    db: database.db,
    prices: pricesFor(config),
    log,
    cacheFigures: (prices) => cacheSavings(store.figures(), prices),
  })
  opened.defer(() => budgets.close())
  const store = createCachedStore(watchStore(await openObjectStore(config, budgets.meter), watches.store), {
    folder: join(config.dataDir, 'cache'),
    // Objects on this disk need no copy on it.
    maxBytes: config.s3 ? config.cacheMaxBytes : 0,
    waited: (ms) => metrics.time('sluice_cache_lock_wait_seconds', ms / 1_000),
    trouble: rarely(CACHE_LOG_MS, (err, times) => log.warn({ err, times }, 'the object cache fails; reads go on')),
  })
  opened.defer(() => store.close())
  for (const warning of await store.verify()) log.warn(warning)
  if (config.owner) await createOwnerFromSettings(database.db, config.owner)
  const refusals = new RefusalLog()
  const listeners = { onTrip: watches.redis, onRefused: refusals.note }
  const limiter = traceLimiter(await openLimiter(config, log, { ...limiting, ...listeners }), tracing)
  opened.defer(() => limiter.close())
  const calls = new Calls()
  const site = await openSite({ db: database.db, limiter, config, calls, log })
  opened.defer(() => site.close())
  const limitAdmin = await openLimitAdmin({ catalogue, db: database.db, limiter, config, site, calls, refusals, log })
  opened.defer(() => limitAdmin.close())
  const access = await openAccess({ db: database.db, limiter, config, calls, log })
  opened.defer(() => access.close())
  const failedSignIns = new FailedSignIns(
    database.db,
    rarely(AUDIT_LOG_MS, (err, times) => log.warn({ err, times }, 'could not record failed sign-ins yet')),
  )
  opened.defer(() => failedSignIns.flush())
  const jobs = await JobQueue.open({ connection: database.connection, log, watch: watches.job })
  opened.defer(() => jobs.close())
  const webhook = await openWebhook({ jobs, config, site })
  const mail = await openMail({ db: database.db, jobs, limiter, config, site, log })
  const announce = async (tx: Transaction, event: WebhookEvent): Promise<void> => {
    await webhook.send(tx, event)
    await mail.warn(tx, event)
  }
  budgets.notifyWith((tx, { state, ...data }) =>
    announce(tx, { type: `budget.${state}`, timestamp: new Date().toISOString(), data }),
  )
  const alarms = new Alarms()
  const decoder = new DecoderPool({
    watch: watches.decoder,
    ...(config.processes.count > 1 && { size: DECODERS_EACH }),
  })
  const images = await createImages({
    decoder,
    ...{ db: database.db, store, jobs, config, site, log, countStored: budgets.countStored },
    onStored: (tx, image) => {
      const data = storedFacts(image, config.origin)
      return webhook.send(tx, { type: 'image.stored', timestamp: image.createdAt.toISOString(), data })
    },
  })
  opened.defer(() => images.close())
  const sharing = openSharing({ config, db: database.db, announce, log })
  opened.defer(() => sharing.close())
  const backups = await openBackups({
    ...{ config, db: database.db, store: images.store, jobs, site, announce, log },
    removals: new Removals(database.db, jobs),
  })
  await workSettling(jobs, database.db)
  await workAuditPurge(jobs, database.db, () => site.read().auditDays)
  await workAlbumPurge(jobs, database.db)
  await workReportPurge(jobs, database.db)
  await workTagMerges(jobs, database.db)
  await workGuestPurge(jobs, { db: database.db, images })
  await workAccountRemovals(jobs, { db: database.db, images })
  opened.use(addSources(metrics, { config, database, jobs, backups, budgets, limiter, store, decoder, alarms }))

  const toClose = opened.move()
  return {
    config,
    log,
    logFailure: createFailureLog(log),
    db: database.db,
    site,
    limiter,
    limitAdmin,
    access,
    failedSignIns,
    discoveries: new Discoveries({ site: config }),
    backups,
    budgets,
    usage: budgets.usage,
    metrics,
    tracing,
    jobs,
    webhook,
    mail,
    images,
    sharing,
    alarms,
    description: describeAdapters(config, database, store),
    findViewer: async (headers) => {
      const viewer = await findViewer({ db: database.db, site, config }, headers)
      noteUser(viewer?.userId ?? null)
      return viewer
    },
    close: () => toClose.disposeAsync(),
  }
}

type ViewerParts = Pick<Services, 'db' | 'site' | 'config'>

async function findViewer({ db, site, config }: ViewerParts, headers: IncomingHttpHeaders): Promise<Viewer | null> {
  const token = readBearerToken(headers.authorization)
  if (token !== null) return viewerOfToken(db, token, headers)
  const sessionId = await readSessionId(headers, config)
  return sessionId === null ? null : viewerOfSession({ db, site }, sessionId)
}

function describeAdapters(
  { redisUrl, cacheMaxBytes }: Config,
  database: { readonly description: string },
  store: ReturnType<typeof createCachedStore>,
): readonly string[] {
  const hasCache = store.figures().scope === 'host'
  return [
    `database: ${database.description}`,
    `limiter: ${redisUrl ? describeRedis(redisUrl) : 'in this process'}`,
    `objects: ${store.description}`,
    ...(hasCache ? [`cache: up to ${formatExactBytes(cacheMaxBytes, 'en')} on this disk`] : []),
  ]
}
