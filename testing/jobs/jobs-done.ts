import { expect } from 'vitest'
import { countJobs } from '#server/jobs/job-rows.ts'
import type { Services } from '#server/services.ts'

/** Resolves once no job is running or waiting for its first attempt. */
export async function jobsDone({ db, jobs }: Pick<Services, 'db' | 'jobs'>): Promise<void> {
  for (const name of jobs.names) jobs.wake(name)
  const begun = async () => (await countJobs(db)).filter(({ state }) => state === 'created' || state === 'active')
  await expect.poll(begun, { interval: 20, timeout: 50_000 }).toEqual([])
}
