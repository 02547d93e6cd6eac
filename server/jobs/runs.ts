import type { PrismaClient } from '#server/database/database.ts'
import type { JobReport } from './job.ts'
import type { JobQueue } from './job-queue.ts'
import { type JobFailure, lastRuns, parseReport, readFailure, type StoredJob } from './job-rows.ts'

/** The state of a scheduled job, from its last runs. */
export interface JobRun {
  readonly name: string
  /** ISO 8601. */
  readonly startedAt: string
  /** Null while running. */
  readonly finishedAt: string | null
  /** The report of the last finished run; `failed` is the error of a failed one, '' for one that was interrupted. */
  readonly report: JobReport | null
  /** The error of a run that failed, and what says it in the reader's language. */
  readonly error: string | null
  readonly errorText: JobFailure['text'] | null
}

/** Returns the last run of each scheduled job, without those that have never run. */
export async function listRuns(db: PrismaClient, { scheduled }: Pick<JobQueue, 'scheduled'>): Promise<JobRun[]> {
  const rows = await lastRuns(db, scheduled)
  return scheduled.flatMap((name) => {
    const [ended, active] = [false, true].map((isActive) =>
      rows.find((row) => row.name === name && (row.state === 'active') === isActive),
    )
    const last = active ?? ended
    if (!last?.startedAt) return []
    const failure = ended && ended.state !== 'completed' ? readFailure(ended.output) : null
    return {
      name,
      startedAt: last.startedAt.toISOString(),
      finishedAt: active ? null : finishTime(last).toISOString(),
      report: ended ? finishedReport(ended) : null,
      error: failure?.message ?? null,
      errorText: failure?.text ?? null,
    }
  })
}

/** A failed run that is being retried has no completion time. */
const finishTime = ({ completedAt, startedAt, createdAt }: StoredJob): Date => completedAt ?? startedAt ?? createdAt

function finishedReport({ state, output }: StoredJob): JobReport | null {
  if (state === 'completed') return parseReport(output)
  return { failed: readFailure(output)?.message ?? '' }
}
