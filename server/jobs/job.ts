import type { z } from 'zod'

/** Work that no crash forgets: it lies in the database until it is done or given up, for whichever process comes to it. */
export interface Job<Data extends object> {
  /** Letters and dashes; who pays is called the same (server/storage/payer.ts). */
  readonly name: string
  readonly data: z.ZodType<Data>
  /** How many of them a process does at once. */
  readonly atOnce: number
  readonly retries: Retries
  /** An attempt that has not ended by then is broken off, or was lost with its process: it is made again. */
  readonly expireSeconds: number
  /** For what may take long: an attempt that gives no sign of life for so long is taken for lost before it expires. */
  readonly heartbeatSeconds: number | null
  /** A cron expression, in UTC, of what runs by itself: in one process at a time, once for all times that were missed. */
  readonly schedule: string | null
  /** For what is worth little later: what is not done by then is given up, and forgotten. */
  readonly waitSeconds: number | null
  /** How long what became of it is kept. */
  readonly keepSeconds: number
}

/** A failed attempt is made again after `delaySeconds` or less, then twice that and so on up to `delayMaxSeconds`, `limit` times. */
export interface Retries {
  readonly limit: number
  readonly delaySeconds: number
  readonly delayMaxSeconds: number
}

/** What an attempt found, counted by name: kept with the job. */
export type JobReport = Readonly<Record<string, number | string>>

export interface Attempt {
  /** Of the job: the same in every attempt. */
  readonly id: string
  /** Aborted when the attempt expires, another process has taken the job over, or this one ends. */
  readonly signal: AbortSignal
}

/** Does the job, or as much as is left of it: it may have been begun before. Throws where it is to be tried again. */
export type Work<Data extends object> = (data: Data, attempt: Attempt) => Promise<JobReport | undefined>

const DAY_SECONDS = 24 * 60 * 60

/** A job with what most jobs have. */
export function defineJob<Data extends object>(
  job: Pick<Job<Data>, 'name' | 'data' | 'retries' | 'expireSeconds'> & Partial<Job<Data>>,
): Job<Data> {
  return { atOnce: 1, heartbeatSeconds: null, schedule: null, waitSeconds: null, keepSeconds: 7 * DAY_SECONDS, ...job }
}
