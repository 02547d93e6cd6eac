import type { Backups } from '#server/backups/backups.ts'
import type { Budgets } from '#server/budgets/budgets.ts'
import { readSpent } from '#server/budgets/spent-now.ts'
import type { Database } from '#server/database/database.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { countJobs, oldestDueSeconds } from '#server/jobs/job-rows.ts'
import type { Sample } from '../exposition.ts'
import type { ReadValues } from '../metrics.ts'

/** How long a scrape waits for the database. Without an answer it has no figures of the site. */
const DEADLINE_MS = 5_000

export function readConnections({ figures }: Database): ReadValues {
  const { used, idle, waiting } = figures()
  return {
    sluice_database_connections: [
      { labels: { state: 'used' }, value: used },
      { labels: { state: 'idle' }, value: idle },
    ],
    sluice_database_waiting: [{ value: waiting }],
  }
}

interface SiteParts {
  readonly db: Database['db']
  readonly jobs: Pick<JobQueue, 'names'>
  readonly backups: Pick<Backups, 'readStanding'>
  readonly budgets: Pick<Budgets, 'read'>
}

/** Reads what is the same in all processes of a site. */
export async function readSite(parts: SiteParts): Promise<ReadValues> {
  const { promise: late, resolve } = Promise.withResolvers<ReadValues>()
  const timer = setTimeout(() => resolve(DOWN), DEADLINE_MS)
  try {
    return await Promise.race([late, readRows(parts).catch(() => DOWN)])
  } finally {
    clearTimeout(timer)
  }
}

const DOWN: ReadValues = { sluice_database_up: [{ value: 0 }] }

async function readRows({ db, jobs, backups, budgets }: SiteParts): Promise<ReadValues> {
  const [counts, oldest] = [await countJobs(db), await oldestDueSeconds(db)]
  const { items } = await budgets.read()
  const spent = await readSpent(db)
  const standing = await backups.readStanding()
  return {
    sluice_database_up: [{ value: 1 }],
    sluice_jobs: toJobSamples(jobs.names, counts),
    sluice_jobs_oldest_due_seconds: [{ value: oldest }],
    sluice_backup_last_success_timestamp_seconds: [{ value: (standing?.goodAt?.getTime() ?? 0) / 1_000 }],
    sluice_backup_late: [{ value: standing?.isLate ? 1 : 0 }],
    sluice_budget_used: spent.map(({ period, unit, used }) => {
      const budget = items.find((item) => item.period === period && item.unit === unit)
      return { labels: { period, unit }, value: inUnits(unit, budget?.used ?? used) }
    }),
    sluice_budget_left: spent.map(({ period, unit }) => {
      const left = items
        .filter((item) => item.period === period && item.unit === unit)
        .map(({ limit, used }) => Math.max(0, limit - used))
      return { labels: { period, unit }, value: inUnits(unit, Math.min(Number.POSITIVE_INFINITY, ...left)) }
    }),
  }
}

/** The states of the page of background jobs, by those in the table. */
const states = { created: 'waiting', active: 'active', retry: 'retrying', failed: 'failed' } as const

function toJobSamples(names: readonly string[], counts: Awaited<ReturnType<typeof countJobs>>): Sample[] {
  return names.flatMap((job) =>
    Object.entries(states).map(([stored, state]) => {
      const row = counts.find(({ name, state: present }) => name === job && present === stored)
      return { labels: { name: job, state }, value: row?.count ?? 0 }
    }),
  )
}

/** Money is kept in billionths. */
const inUnits = (unit: string, amount: number): number => (unit === 'money' ? amount / 1e9 : amount)
