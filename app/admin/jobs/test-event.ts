import type { Outputs } from '#app/connection/trpc.ts'

export type ListedJobs = Pick<Outputs['job']['list'], 'counts' | 'items'>

/** Delivery state of a test event. */
export type TestState =
  | { readonly is: 'pending' | 'delivered' | 'unknown' }
  | { readonly is: 'failed'; readonly job: ListedJobs['items'][number] }

/** The name shared by the jobs of all events except those of images. */
const NAME = 'webhook'

/** Finds the test event's job: it is not among the jobs `before`, and once delivered it is no longer a job. Unknown if there
 *  were too many jobs before for all to be listed. */
export function findTestState(before: ListedJobs, now: ListedJobs): TestState {
  const known = new Set(before.items.map(({ id }) => id))
  const job = now.items.find(({ id, name }) => name === NAME && !known.has(id))
  if (job?.state === 'failed' || job?.state === 'retrying') return { is: 'failed', job }
  if (job) return { is: 'pending' }
  if (!areAllShown(before)) return { is: 'unknown' }
  return { is: areAllShown(now) ? 'delivered' : 'pending' }
}

/** Whether the list has every event's job. */
function areAllShown({ counts, items }: ListedJobs): boolean {
  const count = counts.find(({ name }) => name === NAME)
  const amount = count ? count.waiting + count.active + count.retrying + count.failed : 0
  return items.filter(({ name }) => name === NAME).length >= amount
}
