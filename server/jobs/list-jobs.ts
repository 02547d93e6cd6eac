import { adminProcedure } from '#server/trpc/init.ts'
import { countJobs, type JobRow, troubledFirst, wordsOf } from './job-rows.ts'
import { jobView } from './limits.ts'

/** How many are told one by one. */
const SHOWN = 50

export interface JobItem {
  readonly id: string
  readonly name: string
  readonly state: 'waiting' | 'active' | 'retrying' | 'failed'
  /** Those that have begun, and how many there may be. */
  readonly attempts: number
  readonly limit: number
  /** ISO 8601: when it was sent, and when its next attempt may begin; null where there is none, or one is under way. */
  readonly createdAt: string
  readonly nextAt: string | null
  /** What the last attempt said that failed. */
  readonly error: string | null
}

export interface JobList {
  /** The names of all jobs, and how many of each there are. */
  readonly counts: readonly {
    readonly name: string
    readonly waiting: number
    readonly active: number
    readonly retrying: number
    readonly failed: number
  }[]
  /** The fifty that matter most: what has failed, what is tried again, what is under way, what waits. */
  readonly items: readonly JobItem[]
}

/** What is done behind: what waits, is under way, or has failed. */
export const listJobs = adminProcedure.meta({ limits: jobView }).query(async ({ ctx }): Promise<JobList> => {
  const { db, jobs } = ctx.app
  const [counted, rows] = [await countJobs(db), await troubledFirst(db, SHOWN)]
  const counts = jobs.names.map((name) => {
    const of = (state: JobRow['state']) => counted.find((row) => row.name === name && row.state === state)?.count ?? 0
    return { name, waiting: of('created'), active: of('active'), retrying: of('retry'), failed: of('failed') }
  })
  return { counts, items: rows.map(jobItem) }
})

const words: Partial<Record<JobRow['state'], JobItem['state']>> = {
  active: 'active',
  retry: 'retrying',
  failed: 'failed',
}

function jobItem({ id, name, state, attempts, limit, createdAt, startAfter, output }: JobRow): JobItem {
  return {
    id,
    name,
    state: words[state] ?? 'waiting',
    attempts,
    limit,
    createdAt: createdAt.toISOString(),
    nextAt: state === 'created' || state === 'retry' ? startAfter.toISOString() : null,
    error: wordsOf(output),
  }
}
