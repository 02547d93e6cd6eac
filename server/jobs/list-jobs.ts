import { adminProcedure } from '#server/trpc/init.ts'
import { countJobs, type JobFailure, mostUrgentJobs, readFailure, type StoredJob } from './job-rows.ts'
import { jobView } from './limits.ts'

/** Jobs listed individually. */
const SHOWN = 50

export interface JobItem {
  readonly id: string
  readonly name: string
  readonly state: 'waiting' | 'active' | 'retrying' | 'failed'
  /** Attempts started so far, and the most there may be. */
  readonly attempts: number
  readonly limit: number
  /** ISO 8601: when it was sent, and when its next attempt may start; null if none is due or one is running. */
  readonly createdAt: string
  readonly nextAt: string | null
  /** The error of the last failed attempt, and what says it in the reader's language. */
  readonly error: string | null
  readonly errorText: JobFailure['text'] | null
}

export interface JobList {
  /** Every job by name, with its number by state. */
  readonly counts: readonly {
    readonly name: string
    readonly waiting: number
    readonly active: number
    readonly retrying: number
    readonly failed: number
  }[]
  /** The fifty most important: failed, being retried, running, waiting. */
  readonly items: readonly JobItem[]
}

/** Returns the background jobs that are waiting, running or failed. */
export const listJobs = adminProcedure.meta({ limits: jobView }).query(async ({ ctx }): Promise<JobList> => {
  const { db, jobs } = ctx.app
  const [counted, rows] = [await countJobs(db), await mostUrgentJobs(db, SHOWN)]
  const counts = jobs.names.map((name) => {
    const count = (state: StoredJob['state']) =>
      counted.find((row) => row.name === name && row.state === state)?.count ?? 0
    return {
      name,
      waiting: count('created'),
      active: count('active'),
      retrying: count('retry'),
      failed: count('failed'),
    }
  })
  return { counts, items: rows.map(jobItem) }
})

const shownStates: Partial<Record<StoredJob['state'], JobItem['state']>> = {
  active: 'active',
  retry: 'retrying',
  failed: 'failed',
}

function jobItem({ id, name, state, attempts, limit, createdAt, startAfter, output }: StoredJob): JobItem {
  const failure = readFailure(output)
  return {
    id,
    name,
    state: shownStates[state] ?? 'waiting',
    attempts,
    limit,
    createdAt: createdAt.toISOString(),
    nextAt: state === 'created' || state === 'retry' ? startAfter.toISOString() : null,
    error: failure?.message ?? null,
    errorText: failure?.text ?? null,
  }
}
