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
import type { Connection, Transaction } from '#server/database/database.ts'
import { permissionInWords } from '#server/database/not-permitted.ts'
import { isDatabaseOutage } from '#server/database/outage.ts'
import { paidBy } from '#server/storage/payer.ts'
import type { Job, Work } from './job.ts'
import type { JobRow } from './job-rows.ts'
import { createBoss, type Pace } from './open-boss.ts'

interface Log {
  debug(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface JobQueueOptions {
  readonly connection: Connection
  readonly log: Log
  /** A test's own. */
  readonly pace?: Pace
}

/** What is sent: of several with the same key only one waits. */
export interface Sending<Data extends object> {
  readonly data: Data
  readonly key?: string
}

const PACE: Pace = { lookSeconds: 60, superviseSeconds: 60 }
/** Where nobody can be told of new jobs, as behind a pooler that gives a connection away after each transaction. */
const UNTOLD_SECONDS = 10
const MAX_WORDS = 300

/** Jobs in the database, done by all processes over it. */
export class JobQueue {
  readonly #boss: PgBoss
  readonly #log: Log
  readonly #pace: Pace
  readonly #ending = new AbortController()
  /** The workers of this process, by the names of their jobs. */
  readonly #workers = new Map<string, string>()
  readonly #scheduled: string[] = []
  #queues: readonly QueueResult[] = []
  #schedules: readonly Schedule[] = []
  #closing: Promise<void> | null = null

  private constructor({ connection, log, pace = PACE }: JobQueueOptions) {
    this.#boss = createBoss(connection, pace)
    this.#log = log
    this.#pace = pace
    this.#boss.on('error', (error) => {
      // What the pool hangs on it, with the key by which its queries can be cancelled.
      Reflect.deleteProperty(error, 'client')
      log[isDatabaseOutage(error) ? 'warn' : 'error']({ err: error }, 'the queue of jobs cannot go on for now')
    })
    this.#boss.on('warning', ({ message, data }) => log.warn({ ...data }, message))
  }

  /** Opens the queue, and makes or migrates its tables. Rejects when the database fails. */
  static async open(options: JobQueueOptions): Promise<JobQueue> {
    const queue = new JobQueue(options)
    try {
      await queue.#boss.start()
      queue.#queues = await queue.#boss.getQueues()
      queue.#schedules = await queue.#boss.getSchedules()
    } catch (error) {
      await queue.close()
      throw permissionInWords(error)
    }
    return queue
  }

  /** From now on this process does such jobs, and may send them. */
  async work<Data extends object>(job: Job<Data>, work: Work<Data>): Promise<void> {
    await this.#declare(job)
    const { lookSeconds } = this.#pace
    const options = {
      batchSize: job.atOnce,
      perJobResults: true,
      pollingIntervalSeconds: Math.min(UNTOLD_SECONDS, lookSeconds),
      notifyPollingIntervalSeconds: lookSeconds,
    } as const
    const worker = await this.#boss.work<Data, JobResult[], typeof options>(job.name, options, async (queued) => {
      const results = await Promise.all(queued.map((each) => this.#attempt(job, work, each)))
      // More may wait than were fetched.
      this.wake(job.name)
      return results
    })
    this.#workers.set(job.name, worker)
  }

  /** Sends jobs, in the transaction if there is one: they are there when it is committed, and then alone. */
  async send<Data extends object>(
    tx: Transaction | null,
    { name, schedule }: Job<Data>,
    sendings: readonly Sending<Data>[],
  ): Promise<void> {
    if (sendings.length === 0) return
    // Those without a key have one each, but for what runs once at a time.
    const jobs = sendings.map(({ data, key }) => ({ data, ...(!schedule && { singletonKey: key ?? randomUUID() }) }))
    await this.#boss.insert(name, jobs, tx ? { db: fromPrisma(tx) } : {})
  }

  /** Has a job that waits or has failed tried now. */
  async retry(tx: Transaction, { name, id, state }: Pick<JobRow, 'name' | 'id' | 'state'>): Promise<void> {
    const db = fromPrisma(tx)
    if (state === 'failed') await this.#boss.retry(name, id, { db })
    else await this.#boss.update(name, undefined, { id, startAfter: new Date(), db })
  }

  /** Removes a job that is not under way. */
  async discard(tx: Transaction, { name, id }: Pick<JobRow, 'name' | 'id'>): Promise<void> {
    await this.#boss.deleteJob(name, id, { db: fromPrisma(tx) })
  }

  /** Has this process look for such jobs now. */
  wake(name: string): void {
    const worker = this.#workers.get(name)
    if (worker) this.#boss.notifyWorker(worker)
  }

  /** The names of the jobs that this process does. */
  get names(): readonly string[] {
    return [...this.#workers.keys()]
  }

  /** Those of them that run by themselves, as they were declared. */
  get scheduled(): readonly string[] {
    return this.#scheduled
  }

  /** Tells what is under way to end, waits for it, and leaves nothing running. What did not come to its end is tried again. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#ending.abort(new Error('The server that did it was stopped.'))
    await Promise.all(this.names.map((name) => this.#boss.offWork(name)))
    await this.#boss.stop()
  }

  /** Makes the job's queue and schedule, or changes them to what the code says. */
  async #declare<Data extends object>(job: Job<Data>): Promise<void> {
    const { name, schedule } = job
    const options = queueOptions(job)
    const found = this.#queues.find((queue) => queue.name === name)
    const isAsDeclared = Object.entries(options).every(([key, value]) => found && Reflect.get(found, key) === value)
    if (!isAsDeclared) {
      if (found) await this.#boss.updateQueue(name, options)
      // What runs by itself runs once at a time; what is sent by key waits once.
      else await this.#boss.createQueue(name, { ...options, notify: true, policy: schedule ? 'exclusive' : 'short' })
      // Known from here on: nothing is looked up in a transaction, which may hold the only connection.
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
      const report = await paidBy(payer, () => work(data, { id, signal }))
      this.#log.debug({ job: job.name, id, ...report }, 'a job is done')
      return { id, status: 'completed', output: report ?? {} }
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#log.error({ err: error, job: job.name, id }, 'a job failed')
      return { id, status: 'failed', output: { message: inWords(error) } }
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

/** What is kept of an error, for whoever looks at the job; the log has the rest. */
function inWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  return words.trim().split('\n').at(-1)?.slice(0, MAX_WORDS) ?? ''
}
