import type { z } from 'zod'

/** Durable background work: stored in the database until it has succeeded or finally failed, and worked by any
 *  process. */
export interface Job<Data extends object> {
  /** Letters and dashes. Also the name of the payer (server/storage/payer.ts). */
  readonly name: string
  readonly data: z.ZodType<Data>
  /** How many of these jobs a process works at once. */
  readonly atOnce: number
  readonly retries: Retries
  /** An attempt that takes longer is aborted, or was lost with its process, and is retried. */
  readonly expireSeconds: number
  /** For long jobs: an attempt without a heartbeat for this long counts as lost before it expires. */
  readonly heartbeatSeconds: number | null
  /** A cron expression in UTC for jobs that run on a schedule: in one process at a time, and once for all missed
   *  times. */
  readonly schedule: string | null
  /** For jobs that soon lose their value: one that has waited this long is dropped. */
  readonly waitSeconds: number | null
  readonly keepSeconds: number
}

/** A failed attempt is retried up to `limit` times: first after at most `delaySeconds`, then doubling up to
 *  `delayMaxSeconds`. */
export interface Retries {
  readonly limit: number
  readonly delaySeconds: number
  readonly delayMaxSeconds: number
}

/** Figures that an attempt reports, by name; stored with the job. */
export type JobReport = Readonly<Record<string, number | string>>

export interface Attempt {
  /** The job's ID, the same in every attempt. */
  readonly id: string
  /** Aborted when the attempt expires, another process takes over the job, or this process stops. */
  readonly signal: AbortSignal
}

/** Throw it to fail a job that another attempt would not help: `cause` is why. */
export class FinalFailure extends Error {
  override name = 'FinalFailure'

  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

/** Does the job, or what is left of it after an earlier attempt. Throw to have it retried. */
export type Work<Data extends object> = (data: Data, attempt: Attempt) => Promise<JobReport | undefined>

const DAY_SECONDS = 24 * 60 * 60

/** Returns a job with defaults filled in. */
export function defineJob<Data extends object>(
  job: Pick<Job<Data>, 'name' | 'data' | 'retries' | 'expireSeconds'> & Partial<Job<Data>>,
): Job<Data> {
  return { atOnce: 1, heartbeatSeconds: null, schedule: null, waitSeconds: null, keepSeconds: 7 * DAY_SECONDS, ...job }
}
