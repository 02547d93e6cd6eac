import { randomUUID } from 'node:crypto'
import {
  fromPrisma,
  type JobResult,
  type PgBoss,
  type Job as QueuedJob,
  type QueueOptions,
  type QueueResult,
  type Schedule,
} from 'pg-boss'
import type { DatabaseConnection, Transaction } from '#server/database/database.ts'
import { explainPermissionError } from '#server/database/not-permitted.ts'
import { isDatabaseOutage } from '#server/database/outage.ts'
import { findErrorText } from '#server/outage.ts'
import { paidBy } from '#server/storage/payer.ts'
import { FinalFailure, type Job, type Work } from './job.ts'
import type { JobFailure, StoredJob } from './job-rows.ts'
import { createBoss, type Pace } from './open-boss.ts'

interface Log {
  debug(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface JobQueueOptions {
  readonly connection: DatabaseConnection
  readonly log: Log
  /** Makes each attempt, and records how it ends. */
  readonly watch?: WatchJob
  /** For tests. */
  readonly pace?: Pace
}

export type WatchJob = <T>(job: string, work: () => Promise<T>) => Promise<T>

/** A job to send. Of several with the same key, only one is queued. */
export interface Sending<Data extends object> {
  readonly data: Data
  readonly key?: string
  /** Seconds before it may start. */
  readonly startAfterSeconds?: number
}

const PACE: Pace = { pollSeconds: 60, superviseSeconds: 60 }
/** Seconds between polls where LISTEN/NOTIFY cannot be used, as behind a transaction-level connection pooler. */
const UNNOTIFIED_POLL_SECONDS = 10
const MAX_MESSAGE = 300

/** The queue of background jobs, in the database, worked by every process connected to it. A job is sent in the
 *  transaction that makes it necessary, so a crash loses none. An attempt can be interrupted anywhere and is retried by
 *  any process, so each attempt does whatever is left. A scheduled job runs in one process at a time. Inside a
 *  transaction nothing may use the queue's own connection: PGlite has only one. */
export class JobQueue {
  readonly #boss: PgBoss
  readonly #log: Log
  readonly #pace: Pace
  readonly #watch: WatchJob
  readonly #ending = new AbortController()
  /** This process's workers by job name. */
  readonly #workers = new Map<string, string>()
  readonly #scheduled: string[] = []
  #queues: readonly QueueResult[] = []
  #schedules: readonly Schedule[] = []
  #closing: Promise<void> | null = null

  private constructor({ connection, log, watch = (_job, work) => work(), pace = PACE }: JobQueueOptions) {
    this.#boss = createBoss(connection, pace)
    this.#log = log
    this.#pace = pace
    this.#watch = watch
    this.#boss.on('error', (error) => {
      // The pool attaches the client, with the secret key for cancelling its queries; keep it out of the log.
      Reflect.deleteProperty(error, 'client')
      log[isDatabaseOutage(error) ? 'warn' : 'error']({ err: error }, 'the job queue is interrupted')
    })
    this.#boss.on('warning', ({ message, data }) => log.warn({ ...data }, message))
  }

  /** Opens the queue and creates or migrates its tables. Rejects when the database fails. */
  static async open(options: JobQueueOptions): Promise<JobQueue> {
    const queue = new JobQueue(options)
    try {
      await queue.#boss.start()
      queue.#queues = await queue.#boss.getQueues()
      queue.#schedules = await queue.#boss.getSchedules()
    } catch (error) {
      await queue.close()
      throw explainPermissionError(error)
    }
    return queue
  }

  /** Starts working such jobs in this process, which may then also send them. */
  async work<Data extends object>(job: Job<Data>, work: Work<Data>): Promise<void> {
    await this.#declare(job)
    const { pollSeconds } = this.#pace
    const options = {
      batchSize: job.atOnce,
      perJobResults: true,
      pollingIntervalSeconds: Math.min(UNNOTIFIED_POLL_SECONDS, pollSeconds),
      notifyPollingIntervalSeconds: pollSeconds,
    } as const
    const worker = await this.#boss.work<Data, JobResult[], typeof options>(job.name, options, async (queued) => {
      const results = await Promise.all(queued.map((each) => this.#attempt(job, work, each)))
      // More may be queued than were fetched.
      this.wake(job.name)
      return results
    })
    this.#workers.set(job.name, worker)
  }

  /** Sends jobs, within `tx` if given: they exist once it commits, and only then. */
  async send<Data extends object>(
    tx: Transaction | null,
    { name, schedule }: Job<Data>,
    sendings: readonly Sending<Data>[],
  ): Promise<void> {
    if (sendings.length === 0) return
    // Jobs without a key get a unique one, except scheduled jobs, which run one at a time.
    const jobs = sendings.map(({ data, key, startAfterSeconds = 0 }) => ({
      data,
      ...(!schedule && { singletonKey: key ?? randomUUID() }),
      ...(startAfterSeconds > 0 && { startAfter: startAfterSeconds }),
    }))
    await this.#boss.insert(name, jobs, tx ? { db: fromPrisma(tx) } : {})
  }

  /** Runs a waiting or failed job now. */
  async retry(tx: Transaction, { name, id, state }: Pick<StoredJob, 'name' | 'id' | 'state'>): Promise<void> {
    const db = fromPrisma(tx)
    if (state === 'failed') await this.#boss.retry(name, id, { db })
    else await this.#boss.update(name, undefined, { id, startAfter: new Date(), db })
  }

  /** Deletes a job that is not running. */
  async discard(tx: Transaction, { name, id }: Pick<StoredJob, 'name' | 'id'>): Promise<void> {
    await this.#boss.deleteJob(name, id, { db: fromPrisma(tx) })
  }

  /** Makes this process check for such jobs now. */
  wake(name: string): void {
    const worker = this.#workers.get(name)
    if (worker) this.#boss.notifyWorker(worker)
  }

  /** The names of the jobs that this process works. */
  get names(): readonly string[] {
    return [...this.#workers.keys()]
  }

  /** The scheduled ones among them, in order of declaration. */
  get scheduled(): readonly string[] {
    return this.#scheduled
  }

  /** Aborts running attempts, waits for them and closes all connections. Interrupted jobs are retried later. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#ending.abort(new Error('the server was stopped'))
    await Promise.all(this.names.map((name) => this.#boss.offWork(name)))
    await this.#boss.stop()
  }

  /** Creates or updates the job's queue and schedule to match the code. */
  async #declare<Data extends object>(job: Job<Data>): Promise<void> {
    const { name, schedule } = job
    const options = queueOptions(job)
    const found = this.#queues.find((queue) => queue.name === name)
    const isAsDeclared = Object.entries(options).every(([key, value]) => found && Reflect.get(found, key) === value)
    if (!isAsDeclared) {
      if (found) await this.#boss.updateQueue(name, options)
      // Scheduled jobs run one at a time; jobs with a key are queued once.
      else await this.#boss.createQueue(name, { ...options, notify: true, policy: schedule ? 'exclusive' : 'short' })
      // Makes pg-boss cache the queue now. Otherwise it would look it up inside a transaction, which may hold the only
      // connection.
      await this.#boss.insert(name, [])
    }
    if (!schedule) return
    this.#scheduled.push(name)
    const scheduled = this.#schedules.find((each) => each.name === name)
    if (scheduled?.cron !== schedule) {
      await this.#boss.schedule(name, schedule, null, { tz: 'UTC', missed: 'once' })
    }
  }

  async #attempt<Data extends object>(job: Job<Data>, work: Work<Data>, queued: QueuedJob<Data>): Promise<JobResult> {
    const { id } = queued
    const signal = AbortSignal.any([queued.signal, this.#ending.signal])
    try {
      const data = job.data.parse(queued.data ?? {})
      const payer = { procedure: job.name, subject: null }
      const report = await this.#watch(job.name, () => paidBy(payer, () => work(data, { id, signal })))
      this.#log.debug({ job: job.name, id, ...report }, 'job done')
      return { id, status: 'completed', output: report ?? {} }
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#log.error({ err: error, job: job.name, id }, 'job failed')
      // Without a dead letter queue, 'deadletter' fails the job at once.
      if (error instanceof FinalFailure) return { id, status: 'deadletter', output: writeFailure(error.cause) }
      return { id, status: 'failed', output: writeFailure(error) }
    }
  }
}

function queueOptions<Data extends object>(job: Job<Data>): QueueOptions {
  return {
    retryLimit: job.retries.limit,
    retryDelay: job.retries.delaySeconds,
    retryBackoff: true,
    retryDelayMax: job.retries.delayMaxSeconds,
    expireInSeconds: job.expireSeconds,
    deleteAfterSeconds: job.keepSeconds,
    ...(job.waitSeconds !== null && { retentionSeconds: job.waitSeconds }),
    ...(job.heartbeatSeconds !== null && { heartbeatSeconds: job.heartbeatSeconds }),
  }
}

/** Returns what is stored of an error, for display in the job list; the log has the rest. */
function writeFailure(error: unknown): JobFailure {
  const text = findErrorText(error)
  return { message: shortMessage(error), ...(text && { text }) }
}

function shortMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.trim().split('\n').at(-1)?.slice(0, MAX_MESSAGE) ?? ''
}
