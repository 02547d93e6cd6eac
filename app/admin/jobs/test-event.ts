import type { Outputs } from '#app/connection/trpc.ts'

export type JobList = Pick<Outputs['job']['list'], 'counts' | 'items'>

/** What has become of a test event. */
export type TestState =
  | { readonly is: 'under-way' | 'arrived' | 'unknown' }
  | { readonly is: 'failed'; readonly error: string }

/** The jobs that tell of events, but not of images. */
const NAME = 'webhook'

/** Finds the test among the jobs: it is none of those that were there `before`, and is no job any more when it has arrived.
 *  Unknown where there were too many before to be seen, all of them. */
export function testStateOf(before: JobList, now: JobList): TestState {
  const known = new Set(before.items.map(({ id }) => id))
  const job = now.items.find(({ id, name }) => name === NAME && !known.has(id))
  if (job?.state === 'failed' || job?.state === 'retrying')
    return { is: 'failed', error: job.error ?? 'It is not known why.' }
  if (job) return { is: 'under-way' }
  if (!areAllShown(before)) return { is: 'unknown' }
  return { is: areAllShown(now) ? 'arrived' : 'under-way' }
}

/** Whether every job of events is among those that are told one by one. */
function areAllShown({ counts, items }: JobList): boolean {
  const count = counts.find(({ name }) => name === NAME)
  const amount = count ? count.waiting + count.active + count.retrying + count.failed : 0
  return items.filter(({ name }) => name === NAME).length >= amount
}
