import type { PrismaClient } from '#server/database/database.ts'
import type { JobReport } from './job.ts'
import type { JobQueue } from './job-queue.ts'
import { type JobRow, lastRuns, reportOf, wordsOf } from './job-rows.ts'

/** What runs by itself, as its last runs tell. */
export interface JobRun {
  readonly name: string
  /** ISO 8601. */
  readonly startedAt: string
  /** Null while it runs. */
  readonly finishedAt: string | null
  /** Of the last run that has ended; `failed` says why it has none. */
  readonly report: JobReport | null
}

/** The last run of each job that has a schedule; none of one that has not run yet. */
export async function runsOf(db: PrismaClient, { scheduled }: Pick<JobQueue, 'scheduled'>): Promise<JobRun[]> {
  const rows = await lastRuns(db, scheduled)
  return scheduled.flatMap((name) => {
    const [ended, active] = [false, true].map((isActive) =>
      rows.find((row) => row.name === name && (row.state === 'active') === isActive),
    )
    const last = active ?? ended
    if (!last?.startedAt) return []
    return {
      name,
      startedAt: last.startedAt.toISOString(),
      finishedAt: active ? null : endOf(last).toISOString(),
      report: ended ? reportOfEnded(ended) : null,
    }
  })
}

/** A run that failed and is tried again has no end of its own. */
const endOf = ({ completedAt, startedAt, createdAt }: JobRow): Date => completedAt ?? startedAt ?? createdAt

function reportOfEnded({ state, output }: JobRow): JobReport | null {
  if (state === 'completed') return reportOf(output)
  return { failed: wordsOf(output) ?? 'It was broken off.' }
}
